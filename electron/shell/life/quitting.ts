/** Decides who may end the app, and ends it: asked first, cleanly, in bounded time, once. Knows nothing of Electron. */
import type { Clock } from '../../engine/base/clock.ts'
import { messageOf } from '../../engine/base/errors.ts'
import type { Log } from '../../engine/base/log.ts'

/** Everything acknowledged is on disk; work that has not ended by then is left. */
export const endWithinMs = 5_000

export interface QuittingOptions {
  clock: Clock
  log: Log
  /** agents that would be without their models */
  dependents(): readonly string[]
  /** asks the person, by name; true: quit */
  confirm(agents: readonly string[]): Promise<boolean>
  /** lets open answers run to their ends, for a while; everything still works */
  finish(): Promise<void>
  /** lets go of everything, the engine too when it is ours */
  end(): Promise<void>
  /** nothing holds the app any more */
  exit(): void
}

export interface Quitting {
  /** a person asked; again: it doesn't wait for open answers */
  ask(): void
  /** another host asked: no person is there to answer */
  now(): void
  /** as `now`; the second signal doesn't wait for open answers */
  signalled(): void
  /** the system shuts down and does not wait: ends whatever can still be ended */
  systemEnds(): void
  /** Electron is about to quit, for any reason; it may only when everything has ended */
  beforeQuit(event: { preventDefault(): void }): void
}

type Phase = 'running' | 'asking' | 'finishing' | 'ending' | 'ended'

export function createQuitting(options: QuittingOptions): Quitting {
  const { clock, log } = options
  let phase: Phase = 'running'
  let held = true

  const over = () => {
    if (phase === 'ended') return
    phase = 'ended'
    options.exit()
  }
  const atOnce = () => {
    if (phase === 'ending' || phase === 'ended') return
    phase = 'ending'
    const late = clock.after(endWithinMs, () => {
      log.error({}, 'the engine did not end in time and was left')
      over()
    })
    options
      .end()
      .catch((error: unknown) => log.error({ error: messageOf(error) }, 'the engine did not end cleanly'))
      .finally(() => {
        late.dispose()
        over()
      })
  }
  const now = () => {
    if (phase !== 'running' && phase !== 'asking') return
    phase = 'finishing'
    options
      .finish()
      .catch((error: unknown) => log.error({ error: messageOf(error) }, 'open answers could not be waited for'))
      .finally(atOnce)
  }
  const ask = () => {
    if (phase === 'finishing') return atOnce()
    if (phase !== 'running') return
    const agents = options.dependents()
    if (agents.length === 0) return now()
    phase = 'asking'
    options
      .confirm(agents)
      .catch((error: unknown) => {
        log.error({ error: messageOf(error) }, 'the question before quitting could not be asked')
        return true
      })
      .then((yes) => {
        if (phase !== 'asking') return
        phase = 'running'
        if (yes) now()
      })
  }
  return {
    ask,
    now,
    signalled: () => (phase === 'finishing' ? atOnce() : now()),
    systemEnds() {
      held = false
      atOnce()
    },
    beforeQuit(event) {
      if (phase === 'ended' || !held) return
      event.preventDefault()
      ask()
    },
  }
}
