/** A person's orders about places outside of this machine that notices are sent to. */
import type { Input } from '../../shared/operations/index.ts'
import type { Acting } from './action-deps.ts'
import { offerConfigUndo } from './undo-config.ts'

export function outsideActions(acting: Acting) {
  const { ask, act, words } = acting
  return {
    saveOutside: (input: Input<'saveOutside'>) => ask((c) => c.saveOutside.mutate(input)),
    /** a toast offers to take it back */
    async removeOutside(name: string): Promise<void> {
      const removed = await act((c) => c.removeOutside.mutate(name))
      if (removed.ok) await offerConfigUndo(acting, words().w.outside.removed(name))
    },
    testOutside: (name: string) => ask((c) => c.testOutside.mutate(name)),
  }
}
