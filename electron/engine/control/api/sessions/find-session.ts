import { shortIds } from '../../../../../shared/short-id.ts'
import { OnwardError } from '../../../base/errors.ts'
import type { Terminal } from '../../../sessions/binding/terminal.ts'
import { isConversation, sessionName, type SessionState } from '../../../sessions/session-state.ts'

/**
 * Returns the session a person means: by its id, the unambiguous beginning of it, its name, or its terminal's id, scope
 * or name.
 * @throws OnwardError `session-unknown` | `session-ambiguous`
 */
export function findSession(
  wanted: string,
  sessions: readonly SessionState[],
  terminals: readonly Terminal[],
): SessionState {
  const exact = sessions.find((s) => s.id === wanted)
  if (exact) return exact
  const terminal = terminals.filter((t) => t.terminalId === wanted || t.scope === wanted)
  const byTerminal = sessions.filter((s) => terminal.some((t) => t.sessionId === s.id))
  const byName = sessions.filter((s) => sessionName(s) === wanted)
  const begins = wanted.length >= 4 ? sessions.filter((s) => s.id.startsWith(wanted)) : []
  // A thread that only asked for a title may have an id that begins as its conversation's does.
  const talks = begins.filter(isConversation)
  const byStart = talks.length > 0 ? talks : begins
  for (const found of [byTerminal, byName, byStart]) {
    const [one] = found
    if (one && found.length === 1) return one
    if (found.length > 1) {
      const ids = shortIds(found.map((s) => s.id))
      throw new OnwardError(
        'session-ambiguous',
        `“${wanted}” could be ${found
          .slice(0, 5)
          .map((s, i) => `${sessionName(s)} (${ids[i] ?? s.id})`)
          .join(', ')}. Use an id.`,
        { status: 409 },
      )
    }
  }
  throw new OnwardError('session-unknown', `No session “${wanted}” is known. \`onward sessions\` lists them.`, {
    status: 404,
  })
}
