import type { Scope } from '../../../../shared/words.ts'
import type { SessionStore } from '../session-store.ts'
import type { Terminal } from './terminal.ts'
import type { TerminalsRegistry } from './terminals-registry.ts'

/** The terminal a session is in, and the folder where that works. */
export interface SessionTerminals {
  /** the last one it was in, ended or not; if another took over what is bound to that, the other */
  of(sessionId: string): Terminal | null
  /** null: none of its terminals lives */
  livingOf(sessionId: string): Terminal | null
  lives(terminalId: string): boolean
  /** absolute; null: not known */
  folderOf(sessionId: string): string | null
  folderOfTerminal(terminalId: string): string | null
  folderOfScope(scope: Scope): string | null
}

export function createSessionTerminals(
  sessions: Pick<SessionStore, 'get'>,
  registry: Pick<TerminalsRegistry, 'get' | 'holderOf' | 'alive' | 'byScope'>,
): SessionTerminals {
  const of = (sessionId: string) => registry.holderOf(sessions.get(sessionId)?.terminalId ?? null)
  const living = (terminal: Terminal | null) => (terminal && registry.alive(terminal) ? terminal : null)
  return {
    of,
    livingOf: (sessionId) => living(of(sessionId)),
    lives: (terminalId) => living(registry.get(terminalId)) !== null,
    folderOf: (sessionId) => of(sessionId)?.cwd ?? null,
    folderOfTerminal: (terminalId) => registry.get(terminalId)?.cwd ?? null,
    folderOfScope: (scope) => registry.byScope(scope)?.cwd ?? null,
  }
}
