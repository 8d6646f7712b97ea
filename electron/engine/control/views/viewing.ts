import type { EngineStatus, SessionView, TerminalView } from '../../../../shared/state.ts'
import type { Scope } from '../../../../shared/words.ts'
import type { ViewHub } from './hub.ts'

/** Everything the engine knows, put together as viewers see it. */
export interface Viewing {
  hub: ViewHub
  session(id: string): SessionView
  /** of a terminal: what it shows, or will show with its first turn; of a session: itself */
  conversation(id: string): SessionView
  sessions(): readonly SessionView[]
  status(): EngineStatus
  terminal(id: string): TerminalView
  terminals(): readonly TerminalView[]
  /** a scope's stopMessage or queue changed: the sessions that show it are drawn again */
  scopeChanged(scope: Scope): void
}
