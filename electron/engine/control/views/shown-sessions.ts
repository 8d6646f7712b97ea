import type { SessionView } from '../../../../shared/state.ts'

/**
 * What viewers have been told of each session. The engine's status counts sessions, and it is told anew with every
 * change of one: making the views of all others for it would cost more with each session that is known.
 */
export interface ShownSessions {
  /** all of them, as a viewer that comes is told; what was told before counts no more */
  begin(): readonly SessionView[]
  /** null: it is shown no more */
  tell(id: string, view: SessionView | null): void
  /** as they were told; before a viewer came, as they are */
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
