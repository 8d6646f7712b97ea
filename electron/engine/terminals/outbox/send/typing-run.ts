import type { HoldReason } from '../../../../../shared/events.ts'
import type { Clock } from '../../../base/clock.ts'
import { answerLost, type TypeControl, type TypeOrder, type TypeResult, type TypingTarget } from '../../types.ts'
import type { CancelledBy, SupersededBy } from '../entry.ts'

/** The change for an entry that comes back untyped, because it was asked for during the typing. */
export type Withdrawal = { type: 'cancel'; by: CancelledBy } | { type: 'supersede'; by: SupersededBy }

/** One entry being typed right now. */
export interface TypingRun {
  readonly entryId: string
  /** it goes to the agent's own inbox */
  readonly inInbox: boolean
  readonly control: TypeControl
  /** no Enter from here on; `because`: the reason to hold the text then, if it is no pause */
  stop(because?: HoldReason): void
  /** the turn that carries the text arrived: no further Enter from here on */
  arrived(): void
  /** the reason that holds a stopped run */
  readonly heldBy: HoldReason
  withdrawal: Withdrawal | null
  /** its outcome was written down */
  readonly settled: Promise<void>
  settle(): void
}

export function startRun(entryId: string, inInbox = false): TypingRun {
  const stop = new AbortController()
  const arrived = new AbortController()
  let settle = () => {}
  let heldBy: HoldReason = { code: 'paused', by: 'session' }
  const settled = new Promise<void>((resolve) => {
    settle = resolve
  })
  return {
    entryId,
    inInbox,
    control: { requestArrived: arrived.signal, stop: stop.signal },
    stop(because) {
      if (because && !stop.signal.aborted) heldBy = because
      stop.abort()
    },
    get heldBy() {
      return heldBy
    },
    arrived: () => arrived.abort(),
    withdrawal: null,
    settled,
    settle,
  }
}

const lost = answerLost({ code: 'screen-unread' })

/** Types, or only presses the owed Enter. If anything goes wrong on the way, the screen shows the outcome. */
export async function typeOnce(
  target: Pick<TypingTarget, 'type' | 'pressOwedEnter'>,
  order: TypeOrder,
  run: TypingRun,
  owed: boolean,
  wait: { clock: Clock; limitMs: number; over: AbortSignal },
): Promise<TypeResult> {
  // Something came up while the entry was being written down: nothing of this run has been typed yet. A target that
  // hears of its turn's arrival would take it for proof of its own text.
  if (run.control.stop.aborted) return { kind: 'held', reason: run.heldBy }
  if (run.control.requestArrived.aborted) return { kind: 'held', reason: { code: 'response-running' } }
  const type = async () => (owed ? target.pressOwedEnter(order, run.control) : target.type(order, run.control))
  const result = await within(
    wait.clock,
    wait.limitMs,
    type().catch(() => lost),
    wait.over,
  )
  if (result === null) run.stop()
  // The terminal knows only that it was stopped.
  const isHeld = result?.kind === 'held' || result?.kind === 'enter-owed'
  if (isHeld && result.reason.code === 'paused') return { ...result, reason: run.heldBy }
  return result ?? lost
}

/** Returns null when the time is over first, or the wait was ended; the late answer is dropped. */
export function within<T>(clock: Clock, ms: number, work: Promise<T>, over: AbortSignal): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      done()
      resolve(null)
    }
    const timer = clock.after(ms, stop)
    const done = () => {
      timer.dispose()
      over.removeEventListener('abort', stop)
    }
    if (over.aborted) return stop()
    over.addEventListener('abort', stop, { once: true })
    work.then(
      (value) => {
        done()
        resolve(value)
      },
      (error: unknown) => {
        done()
        reject(error instanceof Error ? error : new Error(String(error)))
      },
    )
  })
}
