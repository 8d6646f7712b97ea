import type { SessionView } from './state.ts'

/** A session that waits for its provider does nothing meanwhile. */
export const works = ({ shape, say }: Pick<SessionView, 'shape' | 'say'>): boolean =>
  shape === 'working' ||
  (shape === 'held' && say.code !== 'limited' && !(say.code === 'held' && say.reason.code === 'near-limit'))

/** Counted among those that need a person: one that was put away is not. */
export const asksForPerson = ({ shape, archived }: Pick<SessionView, 'shape' | 'archived'>): boolean =>
  !archived && (shape === 'needs' || shape === 'failed')
