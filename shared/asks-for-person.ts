import type { SessionView } from './state.ts'

/** Its turns fail, and what comes next is another try: by itself or by a person's word. */
export const failsNow = ({ say }: Pick<SessionView, 'say'>): boolean =>
  say.code === 'retrying' || say.code === 'turn-failed'

/** A session that waits for its provider does nothing meanwhile. */
export const works = ({ shape, say }: Pick<SessionView, 'shape' | 'say'>): boolean =>
  shape === 'working' ||
  (shape === 'held' &&
    say.code !== 'limited' &&
    !failsNow({ say }) &&
    !(say.code === 'held' && say.reason.code === 'near-limit'))

/** Counted among those that need a person: one that was put away is not. */
export const asksForPerson = ({ shape, archived }: Pick<SessionView, 'shape' | 'archived'>): boolean =>
  !archived && (shape === 'needs' || shape === 'failed')
