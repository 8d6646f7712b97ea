import type { Clock } from '../base/clock.ts'
import { OnwardError } from '../base/errors.ts'
import { engineEnding } from '../providers/engine-ending.ts'

/** What an engine that is about to end still does. */
export interface Finishing {
  /** requests whose answer is not out yet */
  answers: number
  /** epoch milliseconds; the rest is told then that the engine ends */
  until: number
}

export interface FinishDeps {
  clock: Clock
  /** config `server.drainSeconds` */
  seconds(): number
  openAnswers(): number
  /** Takes no new connections; `ended` runs when an answer has ended. */
  stopListening(until: number, ended: () => void): void
  /** what is being typed is finished by whoever closes the outboxes */
  stopTyping(): void
  /** gives up what goals ask for, which would take that error for a failure */
  endReviews(): void
  /** ends what is asked of providers by an error */
  endCalls(error: OnwardError): void
  /** what viewers show of it changed */
  changed(): void
}

/** What is told an error needs a moment to be written to its client. */
const writtenWithinMs = 500

/**
 * Lets the answers that are under way run to their ends, so that no agent notices. What has not ended in time ends by
 * an error that has its client ask again. Texts wait for the next engine, which finds them as it would after a crash.
 */
export function createFinish(deps: FinishDeps): { state(): Finishing | null; run(): Promise<void> } {
  const { clock } = deps
  let until: number | null = null
  let done: Promise<void> | null = null
  let ended = () => undefined as void

  const nothingOpen = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      if (deps.openAnswers() === 0) return resolve()
      const late = clock.after(ms, resolve)
      ended = () => {
        deps.changed()
        if (deps.openAnswers() > 0) return
        late.dispose()
        resolve()
      }
    })
  const run = async () => {
    const ms = deps.seconds() * 1000
    until = clock.now() + ms
    deps.stopListening(until, () => ended())
    deps.stopTyping()
    deps.changed()
    await nothingOpen(ms)
    deps.endReviews()
    if (deps.openAnswers() === 0) return
    deps.endCalls(engineEnding())
    await nothingOpen(writtenWithinMs)
  }
  return {
    state: () => (until === null ? null : { answers: deps.openAnswers(), until }),
    run: () => (done ??= run()),
  }
}
