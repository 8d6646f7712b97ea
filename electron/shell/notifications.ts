import { Notification } from 'electron'
import { messageOf } from '../engine/base/errors.ts'
import type { NoticeResult } from '../engine/host.ts'
import type { Notice } from '../../shared/state.ts'

export interface NotificationOptions {
  /** that session is in front of the person's eyes already */
  isOnScreen(sessionId: string | null): boolean
  open(sessionId: string | null): void
  act(notice: Notice, actionId: string): void
}

/** Shows a notice as the system does, and tells what became of it: that result stands in the timeline. */
export function desktopNotify(options: NotificationOptions): (notice: Notice) => Promise<NoticeResult> {
  // A notification that nothing refers to may be collected, and its click is lost.
  const shown = new Map<string, Notification>()
  return (notice) => new Promise((resolve) => {
    if (!Notification.isSupported()) return resolve({ kind: 'suppressed', why: 'this desktop shows no notifications' })
    if (options.isOnScreen(notice.sessionId)) return resolve({ kind: 'suppressed', why: 'the session is on screen' })
    const key = `${notice.sessionId ?? ''}:${notice.class}`
    try {
      shown.get(key)?.close()
      const notification = new Notification({
        title: notice.title,
        body: notice.body,
        actions: notice.actions.map((a) => ({ type: 'button' as const, text: a.label })),
      })
      shown.set(key, notification)
      const forget = () => { if (shown.get(key) === notification) shown.delete(key) }
      notification.on('click', () => { forget(); options.open(notice.sessionId) })
      notification.on('action', (_details, index) => {
        forget()
        const action = notice.actions[index]
        if (action) options.act(notice, action.id)
      })
      notification.on('close', forget)
      notification.on('show', () => resolve({ kind: 'shown' }))
      notification.on('failed', (_event, error) => { forget(); resolve({ kind: 'failed', why: error }) })
      notification.show()
    } catch (error) {
      resolve({ kind: 'failed', why: messageOf(error) })
    }
  })
}
