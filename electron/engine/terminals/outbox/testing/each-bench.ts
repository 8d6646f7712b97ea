import { afterEach, beforeEach } from 'vitest'
import type { FailReason, HoldReason } from '../../../../../shared/events.ts'
import type { EntryUpdate, OutboxListener } from '../listener.ts'
import type { Outbox } from '../outbox.ts'
import type { RequestStart } from '../receipts/request-observer.ts'
import { createBench, silentListener, T, type Bench, type BenchOptions } from './bench.ts'

/**
 * A bench of its own for every test of a file, with an outbox that knows its conversation, and short words for what
 * tests do with it.
 */
export function eachBench() {
  let bench: Bench
  let outbox: Outbox
  let news: string[]

  const listener: OutboxListener = {
    ...silentListener,
    async submitted(e) {
      news.push(`submitted ${e.text}`)
    },
    async confirmed(e, late) {
      news.push(`confirmed ${e.text}${late ? ' late' : ''}`)
    },
    async failed(e: EntryUpdate, reason: FailReason) {
      news.push(`failed ${e.text} ${reason.code}`)
    },
    async ended(e) {
      news.push(`${e.state} ${e.text}`)
    },
    async unconfirmed(e) {
      news.push(`unconfirmed ${e.text}`)
    },
    heldLong(e, reason: HoldReason) {
      news.push(`held long ${e.text} ${reason.code}`)
    },
    async mainTurn(turn) {
      news.push(`main turn ${turn.byPerson ? 'by person' : 'ours'}`)
    },
  }

  /** goes on with another bench, e.g. after a restart */
  async function open(options: BenchOptions = {}): Promise<void> {
    bench = createBench(options)
    await bench.start(() => listener)
    outbox = await bench.outboxes.of(T)
    news = []
  }
  const begin = (text: string, sessionId = 's1', more: Partial<RequestStart> = {}): Promise<string> =>
    bench.begin(text, { sessionId, ...more })
  /** A main turn with this last user message, up to its end. */
  async function turn(text: string, sessionId = 's1'): Promise<void> {
    const requestId = await begin(text, sessionId)
    outbox.requestEnded(requestId)
  }

  beforeEach(async () => {
    await open()
    await turn('hello')
    news = []
  })
  afterEach(() => bench.outboxes.dispose())

  return {
    get bench() {
      return bench
    },
    get outbox() {
      return outbox
    },
    /** the calls that the listener got */
    get news() {
      return news
    },
    set news(next) {
      news = next
    },
    open,
    begin,
    turn,
    add: (text: string, source: 'stopMessage' | 'user' | 'clock' = 'user') =>
      outbox.add({ sessionId: 's1', text, source, round: source === 'stopMessage' ? 1 : null }),
    states: () => outbox.list().map((e) => e.state),
    holds: () => outbox.list().map((e) => e.hold?.code ?? null),
    afterSettle: () => bench.clock.advance(bench.settings.settleMs),
  }
}
