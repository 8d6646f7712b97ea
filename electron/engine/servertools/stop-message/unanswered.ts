import type { Scope } from '../../../../shared/words.ts'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import type { StopMessageState } from './reducer/state.ts'

export interface Unanswered extends Disposable {
  /** what a scope waits for may be another */
  look(scope: Scope): void
}

/** Goes on where a guard asked a person who had given rounds of their own, and nobody answered in time. */
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
      const timer = deps.clock.after(Math.max(0, at - deps.clock.now()), () => {
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
