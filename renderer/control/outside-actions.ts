/** A person's orders about places outside of this machine that notices are sent to. */
import type { SaveOutsideInput } from '../../shared/control/contract.ts'
import type { OutsideTest, OutsideView } from '../../shared/notifications.ts'
import type { Outcome } from './outcome.ts'
import { offerConfigUndo, type UndoConfigDeps } from './undo-config.ts'

export interface OutsideActions {
  saveOutside(input: SaveOutsideInput): Promise<Outcome<readonly OutsideView[]>>
  /** a toast offers to take it back */
  removeOutside(name: string): Promise<void>
  testOutside(name: string): Promise<Outcome<OutsideTest>>
}

export function outsideActions({ ask, act, toasts, words }: UndoConfigDeps): OutsideActions {
  return {
    saveOutside: (input) => ask((c) => c.saveOutside.mutate(input)),
    async removeOutside(name) {
      const removed = await act((c) => c.removeOutside.mutate(name))
      if (!removed.ok) return
      await offerConfigUndo({ ask, act, toasts, words }, words().w.outside.removed(name))
    },
    testOutside: (name) => ask((c) => c.testOutside.mutate(name)),
  }
}
