import type { SessionView } from '../../../../shared/state.ts'

/**
 * The sessions as viewers last got them. The engine's status counts sessions and is sent again with every change of
 * one; making the views of all others for that would cost more with each known session.
 */
export interface ShownSessions {
  /** all of them, for a new viewer; views sent before count no more */
  begin(): readonly SessionView[]
  /** null: it is shown no more */
  tell(id: string, view: SessionView | null): void
  /** as they were last sent; before the first viewer, as they are now */
  list(): Iterable<SessionView>
}

/** @param all the views of all sessions as they are now */
export function createShownSessions(all: () => readonly SessionView[]): ShownSessions {
  let shown: Map<string, SessionView> | null = null
  return {
    begin() {
      const views = all()
      shown = new Map(views.map((view) => [view.id, view]))
      return views
    },
    tell(id, view) {
      if (view) shown?.set(id, view)
      else shown?.delete(id)
    },
    list: () => shown?.values() ?? all(),
  }
}
