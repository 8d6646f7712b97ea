import type { Terminal } from '../binding/terminal.ts'
import { folderName, type SessionState } from '../session-state.ts'

/** A session unused for longer gives its number back: a folder's hundredth session may be the first of this week. */
const keepsMs = 7 * 86_400_000

/** Something with the name of a folder and a number. */
type Named = Pick<SessionState, 'id' | 'cwd' | 'nth' | 'lastActivityAt'>

/**
 * Returns the number after a session's folder, so that several agents in one folder have names of their own: the least
 * that none of the others has. It is given once, and stays: a name must not change because another session went.
 */
export function nthIn(cwd: string, id: string, others: readonly Named[], now: number): number {
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

/** Returns the terminals whose first turn is still to come, as the sessions they will be; `but` is left out. */
export const namedAhead = (terminals: readonly Terminal[], but: string | null, now: number): readonly Named[] =>
  terminals.flatMap(({ terminalId: id, name, named, cwd, sessionId, endedAt }) =>
    sessionId === null && endedAt === null && !named && id !== but
      ? [{ id, cwd, nth: numberIn(name, folderName(cwd) ?? ''), lastActivityAt: now }]
      : [],
  )

/** Returns a terminal's name until its first turn: the one that its session will have. */
export function nameAhead(cwd: string, others: readonly Named[], now: number): string | null {
  const folder = folderName(cwd)
  const nth = nthIn(cwd, '', others, now)
  return folder === null || nth === 1 ? folder : `${folder} ${nth}`
}

/** 0: it has another name */
const numberIn = (name: string, folder: string): number =>
  name === folder ? 1 : name.startsWith(`${folder} `) ? Number(name.slice(folder.length + 1)) || 0 : 0
