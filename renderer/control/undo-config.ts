import type { Acting } from './action-deps.ts'
import type { ControlClient } from './socket.ts'

/**
 * Offers to take back the edit of the config that was made just now, whose bytes and comments come back then. Undo
 * takes back the last edit, of any author: when there was another one since, `otherwise` is done, or it is said that it
 * is too late.
 */
export async function offerConfigUndo(
  { ask, act, toasts, words }: Acting,
  said: string,
  otherwise: ((client: ControlClient) => Promise<unknown>) | null = null,
): Promise<void> {
  const after = await ask((c) => c.routing.query())
  toasts.undoable(said, async () => {
    const now = await act((c) => c.routing.query())
    if (!now.ok) return
    if (after.ok && now.value.savedAt === after.value.savedAt) await act((c) => c.undoConfig.mutate())
    else if (otherwise) await act(otherwise)
    else toasts.failed(words().w.providers.undoTooLate)
  })
}
