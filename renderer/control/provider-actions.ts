/** A person's changes of providers. Refusals of forms are handed back: they are said where the change was made. */
import type { AddProviderInput } from '../../shared/control/contract.ts'
import type { ProviderDetails, ProviderModels, UpdateProviderInput } from '../../shared/control/provider-edit.ts'
import type { ProviderTest, RoutingView } from '../../shared/routing.ts'
import type { Words } from '../i18n/index.ts'
import type { Toasts } from '../parts/toasts.ts'
import type { Outcome } from './outcome.ts'
import type { ControlClient } from './socket.ts'

export interface ProviderActions {
  /** @param key only with this one */
  testProvider(provider: string, key?: string): Promise<Outcome<ProviderTest>>
  addProvider(input: AddProviderInput): Promise<Outcome<void>>
  /** a toast offers to take it back */
  updateProvider(input: UpdateProviderInput): Promise<Outcome<ProviderDetails>>
  providerModels(provider: string): Promise<Outcome<ProviderModels>>
  /** @param routes how many it is taken out of; @returns whether it is gone */
  removeProvider(provider: string, routes: number): Promise<boolean>
  /** changes of a provider that were not saved: a toast offers to bring them back */
  dropped(provider: string, bringBack: () => void): void
}

export interface ProviderActionDeps {
  ask<T>(question: (client: ControlClient) => Promise<T>): Promise<Outcome<T>>
  /** as `ask`; a failure is shown in a toast */
  act<T>(question: (client: ControlClient) => Promise<T>): Promise<Outcome<T>>
  /** edits of the config go one after the other */
  inTurn<T>(edit: () => Promise<T>): Promise<T>
  routed(question: (client: ControlClient) => Promise<RoutingView>): Promise<boolean>
  toasts: Pick<Toasts, 'undoable' | 'failed'>
  words(): Words
}

export function providerActions({ ask, act, inTurn, routed, toasts, words }: ProviderActionDeps): ProviderActions {
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
    testProvider: (provider, key) =>
      withReason(
        provider,
        ask((c) => c.testProvider.mutate(key === undefined ? provider : { provider, key })),
      ),
    addProvider: (input) => inTurn(() => ask((c) => c.addProvider.mutate(input))),
    updateProvider: (input) =>
      inTurn(async () => {
        const updated = await ask((c) => c.updateProvider.mutate(input))
        if (updated.ok) await offerUndo(words().w.providerForm.saved(updated.value.id))
        return updated
      }),
    providerModels: (provider) =>
      withReason(
        provider,
        ask((c) => c.providerModels.mutate(provider)),
      ),
    removeProvider: (provider, routes) =>
      inTurn(async () => {
        const removed = await act((c) => c.removeProvider.mutate(provider))
        if (removed.ok) await offerUndo(words().w.providerForm.removed(provider, routes))
        return removed.ok
      }),
    dropped: (provider, bringBack) =>
      toasts.undoable(words().w.providerForm.dropped(provider), async () => bringBack()),
  }
}
