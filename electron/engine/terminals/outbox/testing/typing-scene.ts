import type { RequestKind } from '../../../../../shared/words.ts'
import { silentLog } from '../../../base/log.ts'
import { simulatedAgent, type SimulatedAgent } from '../../typing/testing/simulated-agent.ts'
import { createTypingTarget } from '../../typing/typing-target.ts'
import type { Outbox } from '../outbox.ts'
import { createOutboxes, type Outboxes } from '../outboxes.ts'
import { createBench, silentListener, T, type Bench, type BenchOptions } from './bench.ts'

/** An outbox over real typing at a simulated agent, on a virtual clock. */
export interface TypingScene {
  bench: Bench
  agent: SimulatedAgent
  outboxes: Outboxes
  outbox: Outbox
  /** the screen changed: its listeners look again */
  changed(): void
  arrives(kind: RequestKind, text: string): Promise<string>
  /** a main turn with this text, up to its end and past its settle time */
  turn(text: string): Promise<void>
  states(): string[]
  holds(): (string | null)[]
  /** the engine dies; another one takes over the same disk and agent */
  kill(): Promise<TypingScene>
}

/** No agent's own: a test names a moment between text and Enter, however soon any agent takes it. */
const gapMs = { short: 150, long: 500 }

export async function typingScene(options: BenchOptions = {}, agent = simulatedAgent()): Promise<TypingScene> {
  const bench = createBench(options)
  const listeners = new Set<() => void>()
  const target = createTypingTarget({
    terminalId: T,
    port: agent.port,
    clock: bench.clock,
    log: silentLog,
    typing: { gapMs },
    onChange(listener) {
      listeners.add(listener)
      return { dispose: () => void listeners.delete(listener) }
    },
  })
  const outboxes = createOutboxes({ ...bench.deps, findTarget: () => target })
  outboxes.use(() => silentListener)
  await outboxes.load()
  await outboxes.start()
  const outbox = await outboxes.of(T)
  let requests = 0
  const arrives: TypingScene['arrives'] = async (kind, text) => {
    const requestId = `r${++requests}`
    const hasNewMainTurn = kind === 'turn'
    await outbox.requestStarted({ requestId, sessionId: 's1', kind, lastUserTexts: [text], hasNewMainTurn })
    return requestId
  }
  return {
    bench,
    agent,
    outboxes,
    outbox,
    arrives,
    changed() {
      for (const listener of Array.from(listeners)) listener()
    },
    async turn(text) {
      outbox.requestEnded(await arrives('turn', text))
      await bench.clock.advance(bench.settings.settleMs)
    },
    states: () => outbox.list().map(({ state }) => state),
    holds: () => outbox.list().map(({ hold }) => hold?.code ?? null),
    async kill() {
      bench.store.crash()
      outboxes.dispose()
      bench.disk.fate = () => 'ok'
      return typingScene({ ...options, disk: bench.disk, clock: bench.clock }, agent)
    },
  }
}
