import { useEffect, useState } from 'react'
import { useApp, useLive } from '../../app-context.ts'
import type { ProviderModels } from '../../../shared/control/provider-edit.ts'
import type { Outcome } from '../../control/outcome.ts'
import type { ProviderForm } from './use-provider-form.ts'

export type FetchState =
  | { kind: 'running' }
  | (Extract<ProviderModels, { kind: 'listed' }> & { at: number })
  | { kind: 'failed'; message: string }

export interface Fetched {
  state: FetchState | null
  /** the list is asked for at the address and with the keys that are saved */
  can: boolean
  run(): void
}

/** The provider's own list of models; of one that was added without any it is asked for at once. */
export function useFetched(id: string, form: ProviderForm | null): Fetched {
  const { actions, clock } = useApp()
  const live = useLive()
  const atOnce = form !== null && form.added && form.base.models.length === 0 && form.base.auth !== 'client'
  const [wanted, setWanted] = useState(0)
  const [last, setLast] = useState<{ wanted: number; state: FetchState } | null>(null)
  useEffect(() => {
    if (wanted === 0 && !atOnce) return
    let here = true
    void actions.providerModels(id).then((outcome) => {
      if (here) setLast({ wanted, state: stateOf(outcome, clock.now()) })
    })
    return () => {
      here = false
    }
  }, [actions, clock, id, atOnce, wanted])
  const { base, draft } = form ?? {}
  const sameDoor =
    base !== undefined &&
    draft !== undefined &&
    draft.baseUrl.trim() === (base.baseUrl ?? '') &&
    draft.type === base.type &&
    draft.auth === base.auth &&
    draft.name.trim() === base.id &&
    draft.keys.length === base.keys.length &&
    draft.keys.every(({ from }) => from === 'kept')
  const running = last?.wanted !== wanted && (wanted > 0 || atOnce)
  return {
    state: running ? { kind: 'running' } : (last?.state ?? null),
    can: live && sameDoor,
    run: () => setWanted((n) => n + 1),
  }
}

function stateOf(outcome: Outcome<ProviderModels>, at: number): FetchState {
  if (!outcome.ok) return { kind: 'failed', message: outcome.problem.message }
  return outcome.value.kind === 'listed' ? { ...outcome.value, at } : { kind: 'failed', message: outcome.value.message }
}
