/** A person's orders about quiet hours. */
import type { QuietHoursInput } from '../../shared/control/contract.ts'
import type { EngineStatus } from '../../shared/state.ts'
import type { Outcome } from './outcome.ts'
import { offerConfigUndo, type UndoConfigDeps } from './undo-config.ts'

export interface QuietActions {
  /** a refusal is said in a toast */
  switchQuietHours(input: QuietHoursInput): Promise<void>
  /** a toast offers to take it back; a refusal is the field's to say */
  setQuietTime(
    member: 'from' | 'to',
    time: string,
    before: string,
    said: string,
  ): Promise<Outcome<NonNullable<EngineStatus['quietHours']>>>
}

export function quietActions(deps: UndoConfigDeps): QuietActions {
  const { ask, act } = deps
  return {
    async switchQuietHours(input) {
      await act((c) => c.setQuietHours.mutate(input))
    },
    async setQuietTime(member, time, before, said) {
      const outcome = await ask((c) => c.setQuietHours.mutate({ [member]: time }))
      if (outcome.ok) await offerConfigUndo(deps, said, (c) => c.setQuietHours.mutate({ [member]: before }))
      return outcome
    },
  }
}
