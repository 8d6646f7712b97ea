/** Alarms as viewers, command line and tray see them. Times are epoch milliseconds, corrected by the time sync. */

import type { Repeat, RepeatRequest } from './repeat.ts'

/** Ways a due alarm reaches its session; exactly one of them per due time. */
export const alarmRoutes = ['terminal', 'request', 'hold'] as const
export type AlarmRoute = (typeof alarmRoutes)[number]

export type AlarmBy = 'model' | 'user' | 'marker'

/** Why an alarm was not delivered, or why its delivery is not known. */
export type MissedWhy =
  /** no route took it in time */
  | 'expired'
  /** its terminal refused it, or never showed that it arrived */
  | 'failed'
  /** a crash left it open whether it arrived: Onward never sends it again by itself */
  | 'unknown'

export type AlarmState =
  | { kind: 'waits' }
  /** taken by a route, not known to have arrived yet */
  | { kind: 'under-way'; route: AlarmRoute }
  /** it stands in the list until its time is over */
  | { kind: 'delivered'; at: number }

/** The facts of an alarm that stay the same in every state. */
export interface AlarmFacts {
  taskId: string
  sessionId: string
  sessionName: string
  dueAt: number
  task: string
  setBy: 'model' | 'user'
  /** how it repeats; absent: it rings once */
  repeat?: Repeat
}

export interface AlarmView extends AlarmFacts {
  createdAt: number
  /** hints for the model: what to call, and its arguments as JSON; null: none */
  tool: string | null
  arguments: string | null
  state: AlarmState
  deliveryCount: number
}

/** An alarm that waits for a person's decision. */
export interface MissedAlarm extends AlarmFacts {
  /** of this one due time: the same alarm may be missed twice */
  key: string
  why: MissedWhy
  /** of a repeated one: how many of its times were missed since a person last dealt with it; absent: 1 */
  times?: number
  /** when it was given up */
  at: number
}

export type AlarmEnd =
  | { kind: 'delivered'; route: AlarmRoute; /** a receipt came after it had been given up */ late?: boolean }
  | { kind: 'cancelled'; by: AlarmBy }
  | { kind: 'missed'; why: MissedWhy }
  /** one time of a repeated one was left out */
  | { kind: 'skipped' }
  /** a person's decision on a missed one */
  | { kind: 'dismissed' }
  | { kind: 'rescheduled'; to: number }

/** One line of the history: how an alarm ended, newest first. */
export interface PastAlarm extends AlarmFacts {
  id: string
  at: number
  end: AlarmEnd
}

export interface AlarmsView {
  /** how many wait, in all sessions */
  waiting: number
  /** next due first, delivered ones among them until their time is over; at most 500 */
  alarms: readonly AlarmView[]
  /** newest first, at most 200 */
  missed: readonly MissedAlarm[]
  missedTotal: number
  /** newest first, at most 100 */
  history: readonly PastAlarm[]
  /** IANA name of the engine's zone: days and times of alarms are written in it */
  zone: string
  /** how late an alarm may still be delivered, milliseconds */
  retentionMs: number
}

export interface ClockSync {
  status: 'synced' | 'stale' | 'error' | 'disabled'
  /** what is added to this computer's time, milliseconds; 0 until a server answered */
  offsetMs: number
  /** when a server last answered */
  at: number | null
  lastError: string | null
}

/** Why a part of a text can't be taken for a time. */
export type UnreadWhy =
  /** it means nothing here */
  | 'unknown'
  /** it has two meanings, and the text does not say which */
  | 'two-readings'
  /** no exact time */
  | 'vague'
  /** an unknown way to repeat */
  | 'repeats'
  /** it repeats sooner than an alarm may */
  | 'too-often'
  /** more times than an alarm may come, or later than a year from the first */
  | 'too-many'
  /** an end before the first time */
  | 'ends-before'

/** The time that a person wrote, as it was read. */
export type ReadTime =
  | {
      ok: true
      at: number
      /** the exact instant in the engine's zone, ISO 8601 with offset */
      echo: string
      zone: string
      /** the same instant at the place that the text names; null: it names none, or it is in the engine's zone */
      there: { zone: string; echo: string } | null
      /**
       * it repeats from `at` on; absent: it is one time. `endedByDefault`: the text names no end, so it has this one
       */
      repeat?: { wish: RepeatRequest; endedByDefault: boolean }
    }
  /** the text is empty */
  | { ok: false; code: 'empty'; at: null }
  /** it is over already */
  | { ok: false; code: 'past'; at: number | null }
  /** no time is found in it; `part`: what kept it from being read, in the words that were written */
  | { ok: false; code: 'unread'; at: null; part: string; why: UnreadWhy }

export const noSync: ClockSync = { status: 'disabled', offsetMs: 0, at: null, lastError: null }
