import type { SessionView, TerminalView } from '../../../../shared/state.ts'
import type { Scope } from '../../../../shared/words.ts'
import type { ViewHub } from './hub.ts'

/** Everything the engine knows, put together as viewers see it. */
export interface Viewing {
  hub: ViewHub
  session(id: string): SessionView
  sessions(): readonly SessionView[]
  terminal(id: string): TerminalView
  terminals(): readonly TerminalView[]
  /** a scope's stopMessage or queue changed: whose lines are drawn anew */
  scopeChanged(scope: Scope): void
}
