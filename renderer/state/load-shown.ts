/**
 * Asks for data that belongs to the snapshot, once per snapshot, where an engine did not send it there and a view shows
 * it.
 */
import type { StoreApi } from 'zustand'
import type { Actions } from '../control/actions.ts'
import type { EngineAction, EngineState } from './engine.ts'
import type { View } from './place.ts'
import type { UiStore } from './ui.ts'

/** @returns stops it */
export function loadShown(
  engine: StoreApi<EngineState>,
  ui: UiStore,
  view: View,
  missing: (state: EngineState) => boolean,
  load: () => Promise<void>,
): () => void {
  /** snapshot it was last asked for */
  let askedAt = 0
  const look = () => {
    const state = engine.getState()
    if (
      ui.getState().place.view !== view ||
      state.link.kind !== 'live' ||
      state.snapshots === askedAt ||
      !missing(state)
    )
      return
    askedAt = state.snapshots
    void load()
  }
  const stops = [engine.subscribe(look), ui.subscribe(look)]
  look()
  return () => {
    for (const stop of stops) stop()
  }
}

export async function loadProviders(dispatch: (action: EngineAction) => void, ask: Actions['ask']): Promise<void> {
  const outcome = await ask(async (client) => ({
    providers: await client.providers.query(),
    routing: await client.routing.query(),
  }))
  if (outcome.ok) dispatch({ type: 'updates', updates: [{ type: 'providers', ...outcome.value }] })
  else dispatch({ type: 'providers-failed', message: outcome.problem.message })
}

export async function loadAlarms(dispatch: (action: EngineAction) => void, ask: Actions['ask']): Promise<void> {
  const outcome = await ask((client) => client.alarms.query())
  if (outcome.ok) dispatch({ type: 'updates', updates: [{ type: 'alarms', alarms: outcome.value }] })
  else dispatch({ type: 'alarms-failed', message: outcome.problem.message })
}
