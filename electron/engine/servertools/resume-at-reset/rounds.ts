import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import type { Serial } from '../../base/work.ts'
import { hasStopped, MARGIN_MS, STAGGER_MS } from './schedule.ts'
import type { LimitedSession, ResumeState } from './state.ts'

/** The wall clock is read this often: a machine sleeps, and clocks are set. */
const CHECK_MS = 60_000

export interface RoundsDeps {
  clock: Clock
  queue: Serial
  state(): ResumeState
  /** ends what time alone ends */
  pass(): Promise<unknown>
  /** continues the session now */
  resume(sessionId: string, limit: LimitedSession): Promise<void>
  problem(sessionId: string | null, error: unknown): void
}

export interface Rounds extends Disposable {
  start(): void
  /** the state changed: plans the next check */
  next(state: ResumeState): void
}

/** One timer for all limits. Due sessions of one provider go on one after the other, however they all became due. */
export function createRounds({ clock, queue, state, pass, resume, problem }: RoundsDeps): Rounds {
  let timer: Disposable | null = null
  let running = false
  /** monotonic: when the provider's last session was continued, and when a failed one is tried again */
  const lastOf = new Map<string, number>()
  const notBefore = new Map<string, number>()

  /** milliseconds until the session may go on; Infinity: unknown */
  const readyIn = (sessionId: string, { provider, phase }: LimitedSession): number => {
    if (phase.kind !== 'waits' || phase.resumeAt === null) return Infinity
    const gap = (lastOf.get(provider) ?? -Infinity) + STAGGER_MS - clock.monotonic()
    return Math.max(phase.resumeAt - clock.now(), gap, (notBefore.get(sessionId) ?? -Infinity) - clock.monotonic())
  }
  const look = async () => {
    if (!running) return
    await pass()
    if (!running) return
    const due = Array.from(state().limits)
      .filter(([id, limit]) => readyIn(id, limit) <= 0)
      .sort(([, a], [, b]) => dueAt(a) - dueAt(b))
    for (const [sessionId, limit] of due) {
      // The one before it may have been of the same provider.
      if (readyIn(sessionId, limit) > 0) continue
      try {
        await resume(sessionId, limit)
        notBefore.delete(sessionId)
        lastOf.set(limit.provider, clock.monotonic())
      } catch (error) {
        notBefore.set(sessionId, clock.monotonic() + CHECK_MS)
        problem(sessionId, error)
      }
    }
  }
  const next = ({ limits, providers }: ResumeState) => {
    timer?.dispose()
    timer = null
    if (!running || (limits.size === 0 && providers.size === 0)) return
    const now = clock.now()
    const overs = [
      ...providers.values(),
      ...Array.from(limits.values()).filter((limit) => limit.phase.kind === 'stands' && !hasStopped(limit)),
    ]
    const delay = Math.min(
      CHECK_MS,
      ...overs.flatMap(({ lifts }) => (lifts === null ? [] : [lifts + MARGIN_MS - now])),
      ...Array.from(limits, ([id, limit]) => readyIn(id, limit)),
    )
    timer = clock.after(Math.max(0, delay), () => {
      timer = null
      queue(look)
        .catch((error: unknown) => problem(null, error))
        .finally(() => next(state()))
    })
  }
  return {
    start() {
      running = true
      next(state())
    },
    next,
    dispose() {
      running = false
      timer?.dispose()
    },
  }
}

const dueAt = ({ phase }: LimitedSession): number => (phase.kind === 'waits' ? (phase.resumeAt ?? Infinity) : Infinity)
