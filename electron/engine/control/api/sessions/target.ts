import type { SessionView } from '../../../../../shared/state.ts'
import type { Scope } from '../../../../../shared/words.ts'
import type { Terminal } from '../../../sessions/binding/terminal.ts'

/** The target of a person's order: a conversation, or a terminal that has had no turn yet. */
export interface Target {
  /** null: there is no conversation yet */
  sessionId: string | null
  name: string
  /** where its automation is kept. @throws OnwardError `no-scope` | `other-conversation` */
  scope(): Scope
  /** as it is now, also when the first turn has come meanwhile */
  view(): SessionView
  /** where its agent works; null: not known */
  folder(): string | null
}

/** The one living terminal without a conversation that has this id or scope, else this name; null: none, or several. */
export function findFresh(wanted: string, terminals: readonly Terminal[], by: 'id' | 'name'): Terminal | null {
  const found = terminals.filter(
    ({ sessionId, terminalId, scope, name }) =>
      sessionId === null && (by === 'id' ? terminalId === wanted || scope === wanted : name === wanted),
  )
  return found.length === 1 ? (found[0] ?? null) : null
}
