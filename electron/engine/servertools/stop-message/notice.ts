import type { EventBody } from '../../../../shared/events.ts'
import type { NoticeFact } from '../../../../shared/sentences/types.ts'

type Nameless<T> = T extends { name: string } ? Omit<T, 'name'> : never
/** A notification for a person, without the session's name, which is added where it is shown. */
export type StopMessageNotice = Extract<
  Nameless<NoticeFact>,
  { class: 'goal-reached' | 'needs-you' | 'injection-failed' | 'held-long' | 'budget' }
>

/** The notification an event is worth; most are worth none. */
export function noticeOf(event: EventBody): StopMessageNotice | null {
  switch (event.type) {
    case 'done':
      return { class: 'goal-reached', reason: event.reason, ...(event.spent ? { spent: event.spent } : {}) }
    case 'goal-left':
      return { class: 'needs-you', what: '', leftGoal: event.text }
    case 'stop-message-failed':
      return { class: 'injection-failed', reason: event.reason }
    case 'paused':
      if (event.reason.code === 'budget') {
        const { code: _, ...spent } = event.reason
        return { class: 'budget', ...spent }
      }
      if (event.reason.code === 'not-received') return { class: 'injection-failed', reason: { code: 'not-received' } }
      return event.reason.code === 'by-user' ? null : { class: 'needs-you', what: '', pause: event.reason }
    default:
      return null
  }
}
