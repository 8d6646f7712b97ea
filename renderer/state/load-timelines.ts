/** Loads the timeline of the session a person looks at, again after every reconnect: events may have been missed. */
import type { StoreApi } from 'zustand'
import type { Actions } from '../control/actions.ts'
import type { EngineAction, EngineState } from './engine.ts'
import { machineOf } from './place.ts'
import type { UiStore } from './ui.ts'

export const pageSize = 500

type Dispatch = (action: EngineAction) => void
type Ask = Actions['ask']

/** @returns stops it */
export function loadOpenedTimelines(
  engine: StoreApi<EngineState>,
  ui: UiStore,
  dispatch: Dispatch,
  ask: Ask,
  machine?: string,
): () => void {
  /** snapshot a session's timeline was last asked for */
  const askedAt = new Map<string, number>()
  const look = () => {
    const { snapshots, link, sessions } = engine.getState()
    const { place } = ui.getState()
    const session = place.view === 'sessions' && place.selection?.kind === 'session' ? place.selection.id : null
    if (
      machineOf(place) !== machine ||
      session === null ||
      link.kind !== 'live' ||
      !sessions.has(session) ||
      askedAt.get(session) === snapshots
    )
      return
    askedAt.set(session, snapshots)
    void loadTimeline(session, dispatch, ask)
  }
  const stops = [engine.subscribe(look), ui.subscribe(look)]
  look()
  return () => {
    for (const stop of stops) stop()
  }
}

/** @param beforeSeq loads the page before that event; without it the newest page */
export async function loadTimeline(
  session: string,
  dispatch: Dispatch,
  ask: Ask,
  beforeSeq?: number,
  limit = pageSize,
): Promise<void> {
  dispatch({ type: 'timeline-loading', session })
  const outcome = await ask((client) =>
    client.timeline.query({ session, limit, ...(beforeSeq === undefined ? {} : { beforeSeq }) }),
  )
  if (outcome.ok)
    dispatch({ type: 'timeline-loaded', session, events: outcome.value, more: outcome.value.length >= limit })
  // the hub of a fleet carries no more than a mebibyte
  else if (outcome.problem.code === 'fleet-too-large' && limit > 8)
    await loadTimeline(session, dispatch, ask, beforeSeq, limit >> 2)
  else dispatch({ type: 'timeline-failed', session, message: outcome.problem.message })
}
