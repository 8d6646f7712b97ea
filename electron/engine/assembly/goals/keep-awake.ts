import type { EngineStatus } from '../../../../shared/state.ts'
import { disposables, type Disposable } from '../../base/disposable.ts'
import type { EngineHost } from '../../host.ts'

interface Held {
  handle: Disposable
  since: number
  problem: string | null
}

/** Keeps the machine from sleeping while a goal is set, if a person wants that (`goal.keepAwake`). */
export interface KeepAwake extends Disposable {
  /** goals or the config may have changed */
  look(): void
  /** null: it may sleep */
  state(): NonNullable<EngineStatus['awake']> | null
}

export function createKeepAwake(deps: {
  host: Pick<EngineHost, 'clock' | 'log' | 'stayAwake'>
  wanted(): boolean
  /** goals that go on by themselves, in terminals that live */
  goals(): number
  onChange(): void
}): KeepAwake {
  const { clock, log, stayAwake } = deps.host
  let held: Held | null = null
  let goals = 0

  return {
    look() {
      const before = held && goals
      goals = stayAwake && deps.wanted() ? deps.goals() : 0
      if (goals === 0) {
        held?.handle.dispose()
        held = null
      } else if (!held && stayAwake) {
        const now: Held = { handle: disposables(), since: clock.now(), problem: null }
        held = now
        now.handle = stayAwake((why) => {
          // Not tried again until no goal is set any more, because it would fail again.
          now.problem = why
          log.warn({ why }, 'the machine can’t be kept awake')
          deps.onChange()
        })
      }
      if ((held && goals) !== before) deps.onChange()
    },
    state: () => held && { since: held.since, goals, ...(held.problem === null ? {} : { problem: held.problem }) },
    dispose() {
      held?.handle.dispose()
      held = null
    },
  }
}
