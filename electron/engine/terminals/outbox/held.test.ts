import { describe, expect, it } from 'vitest'
import type { HoldReason } from '../../../../shared/events.ts'
import type { TerminalReading } from '../types.ts'
import { SIGNAL_MS } from '../left-signal.ts'
import { T } from './testing/bench.ts'
import { eachBench } from './testing/each-bench.ts'

const b = eachBench()
const { add, afterSettle, begin, holds, states, turn } = b

describe('a hold', () => {
  it('keeps the entry, shows its reason, and looks again when the screen changes', async () => {
    b.bench.target().reading = { kind: 'hold', reason: { code: 'dialog-open', what: 'rm -rf' } }
    await add('go on')
    await afterSettle()
    expect(b.outbox.list()[0]?.hold).toEqual({ code: 'dialog-open', what: 'rm -rf' })
    b.bench.target().reading = { kind: 'ready', bracketedPaste: true }
    b.bench.target().change()
    await b.bench.clock.advance(b.bench.settings.screenPauseMs)
    expect(states()).toEqual(['submitted'])
  })

  it('keeps what belongs to a conversation from one in which nothing was said yet', async () => {
    b.bench.target().reading = { kind: 'ready', bracketedPaste: true, fresh: true }
    await add('go on')
    await afterSettle()
    expect(b.outbox.list()[0]?.hold).toEqual({ code: 'other-conversation' })
    expect(b.bench.target().typed).toEqual([])
    await b.outbox.cancel(b.outbox.list()[0]?.id ?? '')
    await b.outbox.add({ sessionId: null, text: 'hello', source: 'user' })
    await afterSettle()
    expect(b.bench.target().typed).toMatchObject([{ text: 'hello', ongoing: false }])
  })

  it('looks again after a while, also when nothing announces a change', async () => {
    b.bench.target().reading = { kind: 'hold', reason: { code: 'agent-busy' } }
    await add('go on')
    await afterSettle()
    b.bench.target().reading = { kind: 'ready', bracketedPaste: true }
    await b.bench.clock.advance(b.bench.settings.checkAgainMs)
    expect(states()).toEqual(['submitted'])
  })

  it.each<HoldReason>([{ code: 'agent-busy' }, { code: 'dialog-open', what: 'permission' }])(
    'by no more than a title or a report that its turn left ends after a while without a request: $code',
    async (reason) => {
      b.bench.target().reading = { kind: 'hold', reason, screenAlone: { kind: 'ready', bracketedPaste: true } }
      await add('go on')
      await b.bench.clock.advance(SIGNAL_MS - 1)
      // a request that comes meanwhile is proof that it works: the time begins anew
      const request = await begin('work')
      await b.bench.clock.advance(60_000)
      b.outbox.requestEnded(request)
      await b.bench.clock.advance(SIGNAL_MS - 1)
      expect(b.bench.target().typed).toEqual([])
      expect(holds()).toEqual([reason.code])
      await b.bench.clock.advance(b.bench.settings.checkAgainMs)
      expect(b.bench.target().typed).toMatchObject([{ text: 'go on', screenAlone: true }])
    },
  )

  it('by a title or a report is believed anew as soon as the screen agreed', async () => {
    const reason: HoldReason = { code: 'agent-busy' }
    const leftOver: TerminalReading = { kind: 'hold', reason, screenAlone: { kind: 'ready', bracketedPaste: true } }
    b.bench.target().reading = leftOver
    await add('go on')
    await b.bench.clock.advance(SIGNAL_MS - 1)
    b.bench.target().reading = { kind: 'hold', reason }
    await b.bench.clock.advance(b.bench.settings.checkAgainMs)
    b.bench.target().reading = leftOver
    b.bench.target().change()
    await b.bench.clock.advance(SIGNAL_MS - 1)
    expect(b.bench.target().typed).toEqual([])
  })

  it('reads a busy screen only so often', async () => {
    b.bench.target().reading = { kind: 'hold', reason: { code: 'agent-busy' } }
    await add('go on')
    await afterSettle()
    const before = b.bench.target().reads
    for (let i = 0; i < 100; i++) {
      b.bench.target().change()
      await b.bench.clock.advance(10)
    }
    expect(b.bench.target().reads - before).toBeLessThanOrEqual(11)
    expect(b.bench.target().reads - before).toBeGreaterThanOrEqual(9)
  })

  it('waits for the end of the answer, and does not read the terminal meanwhile', async () => {
    const request = await begin('work')
    await add('go on')
    await b.bench.clock.advance(600_000)
    expect(holds()).toEqual(['response-running'])
    expect(b.bench.target().reads).toBe(0)
    b.outbox.requestEnded(request)
    await afterSettle()
    expect(states()).toEqual(['submitted'])
  })

  it.each<[string, HoldReason]>([
    ['a draft of the person', { code: 'draft' }],
    ['an unknown screen', { code: 'screen-unknown' }],
    ['a shell in front', { code: 'shell-in-front', program: 'bash' }],
  ])('by %s types nothing, however long it lasts', async (_, reason) => {
    b.bench.target().reading = { kind: 'hold', reason }
    await add('go on')
    await b.bench.clock.advance(3_600_000)
    expect(b.bench.target().typed).toEqual([])
    expect(b.news).toEqual([`held long go on ${reason.code}`])
  })

  it('by a text in the composer that is not ours is a draft', async () => {
    b.bench.target().reading = { kind: 'composer-holds', text: 'half a li' }
    await add('go on')
    await afterSettle()
    expect(holds()).toEqual(['draft'])
  })

  it('that is ordinary is told to nobody', async () => {
    await begin('work')
    await add('go on')
    await b.bench.clock.advance(3_600_000)
    await b.outbox.pause({ code: 'by-user' })
    await b.bench.clock.advance(3_600_000)
    expect(b.news).toEqual(['main turn by person'])
  })

  it('by an offline terminal ends when the terminal is back', async () => {
    const target = b.bench.target()
    b.bench.targets.set(T, null)
    await add('go on')
    await afterSettle()
    expect(holds()).toEqual(['terminal-offline'])
    b.bench.targets.set(T, target)
    await b.bench.clock.advance(b.bench.settings.checkAgainMs)
    expect(states()).toEqual(['submitted'])
  })

  it('holds for a terminal that does not answer', async () => {
    b.bench.target().read = () => new Promise(() => {})
    await add('go on')
    await b.bench.clock.advance(b.bench.settings.settleMs + b.bench.settings.readMs)
    expect(holds()).toEqual(['screen-unread'])
  })

  it('of one conversation lets another pass, and ends when its conversation is back', async () => {
    await turn('/new', 's2')
    await add('for s1')
    await b.outbox.add({ sessionId: 's2', text: 'for s2', source: 'user' })
    await afterSettle()
    expect(b.bench.target().typed.map((o) => o.text)).toEqual(['for s2'])
    await turn('for s2', 's2')
    await afterSettle()
    expect(holds()).toEqual(['other-conversation', null])
    await turn('back', 's1')
    await afterSettle()
    expect(b.bench.target().typed.map((o) => o.text)).toEqual(['for s2', 'for s1'])
  })

  it('found between looking and typing counts', async () => {
    const target = b.bench.target()
    target.read = async () => {
      void b.outbox.pause({ code: 'by-user' })
      return { kind: 'ready', bracketedPaste: true }
    }
    await add('go on')
    await afterSettle()
    expect(target.typed).toEqual([])
    expect(holds()).toEqual(['paused'])
  })
})
