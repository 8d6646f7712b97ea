import { OnwardError } from '../base/errors.ts'
import type { RunTurn } from '../pipeline/turn.ts'

/** Calls from inside the engine to its own pipeline: reviewers and tools ask models as clients do. */
export interface Loopback {
  /** @throws OnwardError `not-started` before `open` */
  run: RunTurn
  /** the pipeline is ready: it needs the callers of this, so it comes last */
  open(run: RunTurn): void
}

export function createLoopback(): Loopback {
  let open: RunTurn = () => {
    throw new OnwardError('not-started', 'The engine is not ready yet.')
  }
  return {
    run: (call) => open(call),
    open(run) {
      open = run
    },
  }
}
