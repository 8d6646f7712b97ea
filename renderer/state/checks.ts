/** Checks of a session's folder: as read from here, or as the engine sent them since. Pure. */
import type { FolderChecks } from '../../shared/review.ts'
import type { SessionView } from '../../shared/state.ts'

/** `over`: what the engine had sent of them by then */
export interface ReadChecks {
  checks: FolderChecks
  over: FolderChecks | null
}

type Sessions = Pick<SessionView, 'stopMessage'> | undefined

export function withChecks(
  read: ReadonlyMap<string, ReadChecks>,
  session: Sessions,
  id: string,
  checks: FolderChecks,
): ReadonlyMap<string, ReadChecks> {
  return new Map(read).set(id, { checks, over: shownChecks(session) })
}

/** The newest of both. An engine that sends the same again has not read the folder again. */
export function checksOf(read: ReadonlyMap<string, ReadChecks>, session: SessionView | undefined): FolderChecks | null {
  const shown = shownChecks(session)
  const own = session && read.get(session.id)
  return own && (shown === null || same(shown, own.over)) ? own.checks : shown
}

const shownChecks = (session: Sessions): FolderChecks | null => session?.stopMessage?.goal?.checks ?? null

/** Both came as JSON from the same place, so their members stand in the same order. */
const same = (a: FolderChecks, b: FolderChecks | null): boolean => a === b || JSON.stringify(a) === JSON.stringify(b)
