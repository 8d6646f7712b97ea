import type { Scope } from '../../../../shared/words.ts'
import { atTime, type Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import type { StopMessageState } from './reducer/state.ts'

export interface Unanswered extends Disposable {
  /** the question a scope waits for may be another one */
  look(scope: Scope): void
}

/** Continues if a guard asked a person who had set rounds of their own, and got no answer in time. */
export function createUnanswered(deps: {
  clock: Clock
  stateOf(scope: Scope): StopMessageState | null
  resumeUnanswered(scope: Scope, at: number): void
}): Unanswered {
  const timers = new Map<Scope, { at: number; timer: Disposable }>()
  const leave = (scope: Scope) => {
    timers.get(scope)?.timer.dispose()
    timers.delete(scope)
  }
  return {
    look(scope) {
      const state = deps.stateOf(scope)
      const at = state?.kind === 'paused' && state.reason.code === 'budget' ? state.reason.goesOnAt : undefined
      if (timers.get(scope)?.at === at) return
      leave(scope)
      if (at === undefined) return
      const timer = atTime(deps.clock, at, () => {
        timers.delete(scope)
        deps.resumeUnanswered(scope, at)
      })
      timers.set(scope, { at, timer })
    },
    dispose() {
      for (const scope of timers.keys()) leave(scope)
    },
  }
}
