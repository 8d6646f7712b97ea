import type { Clock } from '../base/clock.ts'
import { OnwardError } from '../base/errors.ts'
import { engineEnding } from '../providers/engine-ending.ts'

/** The rest of the work of an engine that is about to end. */
export interface Finishing {
  /** requests whose answer is not out yet */
  answers: number
  /** epoch milliseconds; clients that still wait then get an error that says the engine ends */
  until: number
}

export interface FinishDeps {
  clock: Clock
  /** config `server.drainSeconds` */
  seconds(): number
  openAnswers(): number
  /** Takes no new connections; `ended` runs when an answer has ended. */
  stopListening(until: number, ended: () => void): void
  /** texts that are being typed now are finished when the outboxes close */
  stopTyping(): void
  /** cancels reviews of goals, which would take that error for a failure */
  endReviews(): void
  /** ends calls to providers with an error */
  endCalls(error: OnwardError): void
  /** the state that viewers see changed */
  changed(): void
}

/** Writing the error to its client takes a moment. */
const writtenWithinMs = 500

/**
 * Lets the answers that are under way run to their ends, so that no agent notices. An answer that takes too long ends
 * with an error that makes its client ask again. Texts wait for the next engine, which finds them as it would after a
 * crash.
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
