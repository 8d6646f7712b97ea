/** Notices as the system shows them. The outcome of each stands in the timeline, so there is always an answer. */
import type { Notification, NotificationConstructorOptions } from 'electron'
import type { Clock } from '../../engine/base/clock.ts'
import { messageOf } from '../../engine/base/errors.ts'
import type { NoticeResult } from '../../engine/host.ts'
import type { Notice } from '../../../shared/state.ts'
import { placeOf, replaces, sessionOf } from './notice-rules.ts'
import type { Place } from '../window/place.ts'

/** The part of Electron's class that is used; injected, so that every rule here has a test without a desktop. */
export interface NotificationClass {
  new (options: NotificationConstructorOptions): Pick<Notification, 'on' | 'show' | 'close'>
  isSupported(): boolean
}

export interface NotificationOptions {
  Notification: NotificationClass
  clock: Clock
  /** the session before the person's eyes, null when none is */
  sessionOnScreen(): string | null
  /** the alarm's time has come, and it has not reached its session */
  isRinging(alarm: string): boolean
  open(place: Place | null): void
  act(notice: Notice, actionId: string): void
  /** for systems that don't take it from the app itself */
  icon?: string
}

export interface Notifications {
  show(notice: Notice): Promise<NoticeResult>
  /** the person looks at this session: notices about it are out of date */
  seen(sessionId: string): void
}

/** Some systems say neither that it was shown nor that it failed. */
export const answerWithinMs = 5_000
const onScreen = 'the session is on screen'
/** Windows cuts group names here. */
const longestGroup = 64

export function createNotifications(options: NotificationOptions): Notifications {
  const { Notification, clock } = options
  // Held here because a notification that nothing refers to may be collected, and its click is lost.
  const shown = new Set<{ notice: Notice; putAway(why: string): void }>()
  const putAwayThose = (are: (notice: Notice) => boolean, why: string) => {
    for (const entry of shown) {
      if (!are(entry.notice)) continue
      shown.delete(entry)
      entry.putAway(why)
    }
  }

  const present = (notice: Notice, resolve: (result: NoticeResult) => void): void => {
    putAwayThose((earlier) => replaces(notice, earlier, options.isRinging), 'a later notice took its place')
    const session = sessionOf(notice)
    const notification = new Notification({
      title: notice.title,
      body: notice.body,
      // Not on Linux (electron#24333): there the click is all.
      actions: notice.actions.map((a) => ({ type: 'button' as const, text: a.label })),
      ...(options.icon === undefined ? {} : { icon: options.icon }),
      ...(session === null ? {} : { groupId: session.slice(0, longestGroup) }),
    })
    const late = clock.after(answerWithinMs, () =>
      resolve({ kind: 'failed', why: 'the system did not say that it was shown' }),
    )
    const answer = (result: NoticeResult) => {
      late.dispose()
      resolve(result)
    }
    const entry = {
      notice,
      putAway(why: string) {
        // On its way it says no more that it was shown.
        answer({ kind: 'suppressed', why })
        notification.close()
      },
    }
    shown.add(entry)
    const forget = () => {
      shown.delete(entry)
    }
    notification.on('show', () => answer({ kind: 'shown' }))
    notification.on('failed', (_event, why) => {
      forget()
      answer({ kind: 'failed', why })
    })
    notification.on('close', forget)
    // Not every system puts a notification away when it was touched.
    const putAway = () => {
      forget()
      notification.close()
    }
    notification.on('click', () => {
      putAway()
      options.open(placeOf(notice))
    })
    notification.on('action', (_event, index) => {
      putAway()
      const action = notice.actions[index]
      if (action) options.act(notice, action.id)
    })
    notification.show()
  }
  return {
    show: (notice) =>
      new Promise((resolve) => {
        if (!Notification.isSupported())
          return resolve({ kind: 'suppressed', why: 'this desktop shows no notifications' })
        const session = sessionOf(notice)
        if (session !== null && options.sessionOnScreen() === session)
          return resolve({ kind: 'suppressed', why: onScreen })
        try {
          present(notice, resolve)
        } catch (error) {
          resolve({ kind: 'failed', why: messageOf(error) })
        }
      }),
    seen: (sessionId) => putAwayThose((notice) => sessionOf(notice) === sessionId, onScreen),
  }
}
