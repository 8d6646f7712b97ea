import { folderName, type SessionState } from '../session-state.ts'

/** A session unused for longer gives its number back: a folder's hundredth session may be the first of this week. */
const keepsMs = 7 * 86_400_000

/**
 * Returns the number after a session's folder, so that several agents in one folder have names of their own: the least
 * that none of the others has. It is given once, and stays: a name must not change because another session went.
 */
export function nthIn(
  cwd: string,
  id: string,
  others: readonly Pick<SessionState, 'id' | 'cwd' | 'nth' | 'lastActivityAt'>[],
  now: number,
): number {
  const name = folderName(cwd)
  const taken = new Set(
    others
      .filter((one) => one.id !== id && folderName(one.cwd) === name && now - one.lastActivityAt <= keepsMs)
      .map(({ nth }) => nth),
  )
  let nth = 1
  while (taken.has(nth)) nth += 1
  return nth
}
