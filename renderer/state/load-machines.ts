/** Asks for the sessions of other machines: with each snapshot, and now and then while there are machines. */
import type { StoreApi } from 'zustand'
import type { Actions } from '../control/actions.ts'
import { may } from '../control/may.ts'
import type { PageClock } from '../time/page-clock.ts'
import type { EngineAction, EngineState } from './engine.ts'

const everyMs = 10_000

/** Stands still while the page is hidden, as its clock does. @returns stops it */
export function loadMachines(
  engine: StoreApi<EngineState>,
  clock: PageClock,
  dispatch: (action: EngineAction) => void,
  ask: Actions['ask'],
): () => void {
  /** snapshot it was last asked for, and when */
  let asked = { snapshot: 0, at: 0 }
  let asking = false
  let stopTicking: (() => void) | null = null

  const look = () => {
    const state = engine.getState()
    const ticks = state.machines.length > 0
    if (ticks !== (stopTicking !== null)) {
      stopTicking?.()
      stopTicking = ticks ? clock.subscribe(look) : null
    }
    const due = state.snapshots !== asked.snapshot || (ticks && clock.now() - asked.at >= everyMs)
    if (asking || !due || state.link.kind !== 'live' || !may(state, 'machines')) return
    asked = { snapshot: state.snapshots, at: clock.now() }
    asking = true
    void ask((client) => client.machines.query()).then((outcome) => {
      asking = false
      // an engine from before there were machines has none
      if (outcome.ok) dispatch({ type: 'machines', machines: outcome.value })
      look()
    })
  }
  const stop = engine.subscribe(look)
  look()
  return () => {
    stop()
    stopTicking?.()
    stopTicking = null
  }
}
