/**
 * Asks for data that belongs to the snapshot, once per snapshot, where an engine did not send it there and a view shows
 * it.
 */
import type { StoreApi } from 'zustand'
import type { EngineState } from './engine.ts'
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
