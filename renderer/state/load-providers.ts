/** Providers and routing come with the snapshot; an engine that does not send them there is asked when a person looks. */
import type { StoreApi } from 'zustand'
import type { Actions } from '../control/actions.ts'
import type { EngineAction, EngineState } from './engine.ts'
import type { UiStore } from './ui.ts'

type Dispatch = (action: EngineAction) => void
type Ask = Actions['ask']

/** @returns stops it */
export function loadShownProviders(engine: StoreApi<EngineState>, ui: UiStore, dispatch: Dispatch, ask: Ask): () => void {
  /** snapshot they were last asked for */
  let askedAt = 0
  const look = () => {
    const { snapshots, link, providers, routing } = engine.getState()
    if (ui.getState().place.view !== 'providers' || link.kind !== 'live' || snapshots === askedAt || (providers !== null && routing !== null)) return
    askedAt = snapshots
    void loadProviders(dispatch, ask)
  }
  const stops = [engine.subscribe(look), ui.subscribe(look)]
  look()
  return () => { for (const stop of stops) stop() }
}

export async function loadProviders(dispatch: Dispatch, ask: Ask): Promise<void> {
  const outcome = await ask(async (client) => ({ providers: await client.providers.query(), routing: await client.routing.query() }))
  if (outcome.ok) dispatch({ type: 'updates', updates: [{ type: 'providers', ...outcome.value }] })
  else dispatch({ type: 'providers-failed', message: outcome.problem.message })
}
