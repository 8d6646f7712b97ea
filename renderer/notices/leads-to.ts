import { asksInTerminal } from '../../shared/asks-in-terminal.ts'
import type { Notice } from '../../shared/state.ts'
import type { EngineState } from '../state/engine.ts'
import { home, type Place, type Tab } from '../state/place.ts'

/**
 * Where a click on a notice leads: to what it is about, and where an agent asks in a terminal of Onward's own, into
 * that terminal, at the question.
 */
export function leadsTo(
  { class: kind, sessionId, alarms = [] }: Notice,
  { sessions, terminals }: Pick<EngineState, 'sessions' | 'terminals'>,
): Place {
  if (kind === 'alarm-missed' && (sessionId === null || alarms.length > 1)) return { view: 'alarms' }
  if (sessionId === null) return kind === 'quiet-over' ? home : { view: 'providers' }
  return placeOfSession(sessionId, { sessions, terminals })
}

/** @param tab where it asks nothing in a terminal of Onward's own */
export function placeOfSession(
  id: string,
  { sessions, terminals }: Pick<EngineState, 'sessions' | 'terminals'>,
  tab: Tab = 'timeline',
): Place {
  // before its first turn a terminal stands for the session it will have
  const terminal = sessions.has(id) ? undefined : terminals.get(id)
  if (terminal)
    return terminal.sessionId === null
      ? { view: 'sessions', selection: { kind: 'terminal', id } }
      : placeOfSession(terminal.sessionId, { sessions, terminals }, tab)
  const asks = asksInTerminal(sessions.get(id), terminals)
  return { view: 'sessions', selection: { kind: 'session', id, tab: asks ? 'terminal' : tab } }
}
