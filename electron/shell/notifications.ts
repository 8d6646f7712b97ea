/** Notices as the system shows them. What became of each stands in the timeline, so there is always an answer. */
import type { Notification, NotificationConstructorOptions } from 'electron'
import type { Clock } from '../engine/base/clock.ts'
import { messageOf } from '../engine/base/errors.ts'
import type { NoticeResult } from '../engine/host.ts'
import type { Notice } from '../../shared/state.ts'

/** What of Electron's class is used; injected, so that every rule here has a test without a desktop. */
export interface NotificationClass {
  new (options: NotificationConstructorOptions): Pick<Notification, 'on' | 'show' | 'close'>
  isSupported(): boolean
}

export interface NotificationOptions {
  Notification: NotificationClass
  clock: Clock
  /** the session before the person's eyes, null when none is */
  sessionOnScreen(): string | null
  open(sessionId: string | null): void
  act(notice: Notice, actionId: string): void
  /** for systems that don't take it from the app itself */
  icon?: string
}

export interface Notifications {
  show(notice: Notice): Promise<NoticeResult>
  /** the person looks at this session: what was said about it is no news any more */
  seen(sessionId: string): void
}

/** Some systems say neither that it was shown nor that it failed. */
export const answerWithinMs = 5_000
/** Windows cuts group names here. */
const longestGroup = 64

export function createNotifications(options: NotificationOptions): Notifications {
  const { Notification, clock } = options
  // One per session and class: a later one takes the place of an earlier one. Held here because a notification that
  // nothing refers to may be collected, and its click is lost.
  const shown = new Map<string, { notice: Notice; close(): void }>()

  const present = (notice: Notice, resolve: (result: NoticeResult) => void): void => {
    const key = `${notice.sessionId ?? ''}\n${notice.class}`
    shown.get(key)?.close()
    const notification = new Notification({
      title: notice.title,
      body: notice.body,
      actions: notice.actions.map((a) => ({ type: 'button' as const, text: a.label })),
      ...(options.icon === undefined ? {} : { icon: options.icon }),
      ...(notice.sessionId === null ? {} : { groupId: notice.sessionId.slice(0, longestGroup) }),
    })
    const entry = { notice, close: () => notification.close() }
    shown.set(key, entry)
    const late = clock.after(answerWithinMs, () => resolve({ kind: 'failed', why: 'the system did not say that it was shown' }))
    const answer = (result: NoticeResult) => { late.dispose(); resolve(result) }
    const forget = () => { if (shown.get(key) === entry) shown.delete(key) }
    notification.on('show', () => answer({ kind: 'shown' }))
    notification.on('failed', (_event, why) => { forget(); answer({ kind: 'failed', why }) })
    notification.on('close', forget)
    // Not every system puts a notification away when it was touched.
    const putAway = () => { forget(); notification.close() }
    notification.on('click', () => { putAway(); options.open(notice.sessionId) })
    notification.on('action', (_event, index) => {
      putAway()
      const action = notice.actions[index]
      if (action) options.act(notice, action.id)
    })
    notification.show()
  }
  return {
    show: (notice) => new Promise((resolve) => {
      if (!Notification.isSupported()) return resolve({ kind: 'suppressed', why: 'this desktop shows no notifications' })
      if (notice.sessionId !== null && options.sessionOnScreen() === notice.sessionId) return resolve({ kind: 'suppressed', why: 'the session is on screen' })
      try {
        present(notice, resolve)
      } catch (error) {
        resolve({ kind: 'failed', why: messageOf(error) })
      }
    }),
    seen(sessionId) {
      for (const [key, entry] of shown) {
        if (entry.notice.sessionId !== sessionId) continue
        shown.delete(key)
        entry.close()
      }
    },
  }
}
