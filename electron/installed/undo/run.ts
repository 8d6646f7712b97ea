import { messageOf } from '../../engine/base/errors.ts'
import type { Undo } from './types.ts'

/** One that fails keeps none of the others from it. @returns what was not undone, and why */
export async function runUndo(
  undoes: readonly Undo[],
  onDone: (undo: Undo) => void = () => undefined,
): Promise<readonly { undo: Undo; why: string }[]> {
  const failed: { undo: Undo; why: string }[] = []
  for (const undo of undoes) {
    try {
      await undo.undo()
      onDone(undo)
    } catch (error) {
      failed.push({ undo, why: messageOf(error) })
    }
  }
  return failed
}
