/** A person's orders about quiet hours. */
import type { Input } from '../../shared/operations/index.ts'
import type { Acting } from './action-deps.ts'
import { offerConfigUndo } from './undo-config.ts'

export function quietActions(acting: Acting) {
  const { ask, act } = acting
  return {
    /** a refusal is said in a toast */
    async switchQuietHours(input: Input<'setQuietHours'>): Promise<void> {
      await act((c) => c.setQuietHours.mutate(input))
    },
    /** a toast offers to take it back; a refusal is the field's to say */
    async setQuietTime(member: 'from' | 'to', time: string, before: string, said: string) {
      const outcome = await ask((c) => c.setQuietHours.mutate({ [member]: time }))
      if (outcome.ok) await offerConfigUndo(acting, said, (c) => c.setQuietHours.mutate({ [member]: before }))
      return outcome
    },
  }
}
