/** A person's changes of providers. Refusals of forms are handed back: they are said where the change was made. */
import type { Input } from '../../shared/operations/index.ts'
import type { ProviderModels } from '../../shared/control/provider-edit.ts'
import type { ProviderTest } from '../../shared/routing.ts'
import type { Acting } from './action-deps.ts'
import type { Outcome } from './outcome.ts'

export function providerActions({ ask, act, inTurn, routed, toasts, words }: Acting) {
  /** Undo takes back the last edit, of any author: here it is meant for this one only. */
  async function offerUndo(said: string): Promise<void> {
    const after = await ask((c) => c.routing.query())
    toasts.undoable(said, () =>
      inTurn(async () => {
        const now = await act((c) => c.routing.query())
        if (!now.ok) return
        if (!after.ok || now.value.savedAt !== after.value.savedAt)
          return toasts.failed(words().w.providers.undoTooLate)
        await routed((c) => c.undoConfig.mutate())
      }),
    )
  }
  /** Why there was no answer, in the words of who asked. */
  async function withReason<T extends ProviderTest | ProviderModels>(
    provider: string,
    asked: Promise<Outcome<T>>,
  ): Promise<Outcome<T>> {
    const outcome = await asked
    if (!outcome.ok || outcome.value.kind !== 'failed') return outcome
    const message = words().s.notAnswered({ provider, test: outcome.value })
    return { ok: true, value: { ...outcome.value, message } }
  }
  return {
    /** @param key only with this one */
    testProvider: (provider: string, key?: string) =>
      withReason(
        provider,
        ask((c) => c.testProvider.mutate(key === undefined ? provider : { provider, key })),
      ),
    addProvider: (input: Input<'addProvider'>) => inTurn(() => ask((c) => c.addProvider.mutate(input))),
    /** a toast offers to take it back */
    updateProvider: (input: Input<'updateProvider'>) =>
      inTurn(async () => {
        const updated = await ask((c) => c.updateProvider.mutate(input))
        if (updated.ok) await offerUndo(words().w.providerForm.saved(updated.value.id))
        return updated
      }),
    providerModels: (provider: string) =>
      withReason(
        provider,
        ask((c) => c.providerModels.mutate(provider)),
      ),
    /** @param routes how many it is taken out of; @returns whether it is gone */
    removeProvider: (provider: string, routes: number) =>
      inTurn(async () => {
        const removed = await act((c) => c.removeProvider.mutate(provider))
        if (removed.ok) await offerUndo(words().w.providerForm.removed(provider, routes))
        return removed.ok
      }),
    /** changes of a provider that were not saved: a toast offers to bring them back */
    dropped: (provider: string, bringBack: () => void) =>
      toasts.undoable(words().w.providerForm.dropped(provider), async () => bringBack()),
  }
}
