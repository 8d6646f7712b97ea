import type { Notice } from '../../shared/state.ts'
import type { EngineState } from '../state/engine.ts'
import type { Place } from '../state/place.ts'

/**
 * Where a click on a notice leads: to what it is about, and where an agent asks in a terminal of Onward's own, into that
 * terminal, at the question.
 */
export function leadsTo(
  { class: kind, sessionId, alarms = [] }: Notice,
  { sessions, terminals }: Pick<EngineState, 'sessions' | 'terminals'>,
): Place {
  if (kind === 'alarm-missed' && (sessionId === null || alarms.length > 1)) return { view: 'alarms' }
  if (sessionId === null) return { view: 'providers' }
  const session = sessions.get(sessionId)
  const terminal = session?.terminalId ? terminals.get(session.terminalId) : undefined
  const asks = session?.say.code === 'needs-you' && terminal?.home === 'hosted' && terminal.alive
  return { view: 'sessions', selection: { kind: 'session', id: sessionId, tab: asks ? 'terminal' : 'timeline' } }
}
