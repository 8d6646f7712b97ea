/** Which session a notice belongs to, where it leads, and which earlier one it replaces. Pure. */
import type { Notice } from '../../../shared/state.ts'
import type { Place } from '../window/place.ts'

/** The session it is about, null where it is about none or several: missed alarms of all sessions make one notice. */
export const sessionOf = ({ class: kind, sessionId, alarms = [] }: Notice): string | null =>
  kind === 'alarm-missed' && alarms.length > 1 ? null : sessionId

/** Where a click on it leads. What to do about missed alarms is decided in their own view. */
export function placeOf(notice: Notice): Place | null {
  const { sessionId: id, machine } = notice
  if (machine !== undefined) return id === null ? { kind: 'sessions' } : { kind: 'session', id, machine }
  if (notice.class === 'alarm-missed') return { kind: 'alarms' }
  return id === null ? null : { kind: 'session', id }
}

/**
 * A later notice of a session and class shows how things are now, which makes the earlier one obsolete. Only alarms
 * stand for themselves: while one of the earlier ones still rings and the later one does not name it, it keeps its own
 * notification, because its buttons must never act on an alarm that the person does not read beside them.
 */
export function replaces(later: Notice, earlier: Notice, isRinging: (alarm: string) => boolean): boolean {
  if (later.class !== earlier.class || later.machine !== earlier.machine || sessionOf(later) !== sessionOf(earlier))
    return false
  if (later.class !== 'alarm-due') return true
  const { alarms: named = [] } = later
  return (earlier.alarms ?? []).every((alarm) => named.includes(alarm) || !isRinging(alarm))
}
