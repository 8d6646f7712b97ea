import type { Notice } from '../../shared/state.ts'
import type { EngineState } from '../state/engine.ts'
import { home, type Place } from '../state/place.ts'

/** Where a click on a notice leads: to what it is about; where an agent asks, to its question. */
export function leadsTo(
  { class: kind, sessionId, machine, alarms = [] }: Notice,
  { sessions, terminals }: Pick<EngineState, 'sessions' | 'terminals'>,
): Place {
  if (machine !== undefined)
    return sessionId === null ? home : placeOfSession(sessionId, { sessions, terminals }, machine)
  if (kind === 'alarm-missed' && (sessionId === null || alarms.length > 1)) return { view: 'alarms' }
  if (sessionId === null) return kind === 'quiet-over' ? home : { view: 'providers' }
  return placeOfSession(sessionId, { sessions, terminals })
}

export function placeOfSession(
  id: string,
  { sessions, terminals }: Pick<EngineState, 'sessions' | 'terminals'>,
  machine?: string,
): Place {
  if (machine !== undefined) return { view: 'sessions', selection: { kind: 'session', id, tab: 'timeline', machine } }
  // before its first turn a terminal stands for the session it will have
  const terminal = sessions.has(id) ? undefined : terminals.get(id)
  if (terminal)
    return terminal.sessionId === null
      ? { view: 'sessions', selection: { kind: 'terminal', id } }
      : placeOfSession(terminal.sessionId, { sessions, terminals })
  return { view: 'sessions', selection: { kind: 'session', id, tab: 'timeline' } }
}
