/** The interface of alarms and of the time for the rest of the engine. */
import type { AlarmBy, AlarmEnd, ClockSync, MissedWhy } from '../../../../shared/alarms/alarms.ts'
import type { RepeatRequest } from '../../../../shared/alarms/repeat.ts'
import type { Scope } from '../../../../shared/words.ts'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import type { OutboxListener } from '../../terminals/outbox/listener.ts'
import type { Task } from './task.ts'

/** A request for an alarm; times are epoch milliseconds. */
export interface AlarmRequest {
  /** the alarm of this session that it takes the place of, where there is one; absent: none */
  taskId?: string | undefined
  /** what a new one is called; one of this session that is called so already stays as it is. Absent: a new id */
  newId?: string | undefined
  dueAtMs: number
  task: string
  tool?: string
  arguments?: string
  /** it comes again; `dueAtMs` is its first time */
  repeat?: RepeatRequest
}

/** A due time that passed without a delivery. `key` names the due time, not the alarm. */
export interface Missed {
  key: string
  at: number
  why: MissedWhy
  task: Task
  /** of a repeated alarm: how many of its due times passed, in this one and in others a person was not asked about */
  times: number
}
export interface Past {
  id: string
  at: number
  end: AlarmEnd
  task: Task
}

/** Due alarms that a request, or an answer held open, takes along. One of `commit` and `release` ends it. */
export interface Reservation {
  /** the user's message that tells the model */
  text: string
  taskIds: readonly string[]
  /** The answer began to reach the client. Never rejects. */
  commit(): Promise<void>
  /** It did not, and another route may take them. Never rejects. */
  release(why: 'upstream-failed' | 'client-left' | 'taken-back'): Promise<void>
}

export interface AlarmChange {
  dueAtMs?: number
  repeat?: RepeatRequest
  task?: string
}

/**
 * Commands of people and models. Each one is on the disk when it resolves. All throw OnwardErrors, and then nothing has
 * changed.
 */
export interface AlarmCommands {
  /**
   * Creates, or overwrites what has the request's `taskId`: that waits again, whatever became of it. @throws
   * `alarm-over`, `too-many`, `no-words`, `alarm-under-way`, `store-failed`; of several all or none
   */
  schedule(
    sessionId: string,
    requests: readonly AlarmRequest[],
    how: { by: AlarmBy; requestId: string | null },
  ): Promise<readonly Task[]>
  /**
   * A new time makes a delivered one wait again. Without a `repeat` it is another time for the next of a repeated one
   * only: the alarm that is answered rings once. @throws `alarm-unknown`, `alarm-under-way`, `alarm-over`,
   * `store-failed`, `bad-repeat`
   */
  edit(taskId: string, change: AlarmChange, by: AlarmBy): Promise<Task>
  /**
   * Rings again then; also one that was delivered or missed. Of a repeated one the time that rings, or rang last, once.
   * @throws as edit
   */
  snooze(taskId: string, dueAtMs: number): Promise<Task>
  /** `sessionId`: only of this session. `requestId`: what asks for it. @throws as edit */
  cancel(taskId: string, by: AlarmBy, asked?: { sessionId: string; requestId: string | null }): Promise<Task>
  /**
   * Leaves out the next time of a repeated one. @returns what comes then; null: that was the last. @throws as edit,
   * `alarm-single`
   */
  skip(taskId: string): Promise<Task | null>
  /** @returns how many were removed; what is on its way already stays */
  clear(sessionId: string, by: AlarmBy, requestId?: string | null): Promise<number>
  /** Takes back a cancel, or the last skip. @throws `alarm-unknown` */
  restore(taskId: string): Promise<Task>
  /**
   * Settles all missed times of a repeated alarm, by any of their keys. @throws `missed-unknown`, `alarm-over`,
   * `store-failed`
   */
  settleMissed(
    key: string,
    how: { kind: 'deliver' } | { kind: 'dismiss' } | { kind: 'reschedule'; dueAtMs: number },
  ): Promise<void>
  dismissAllMissed(): Promise<void>
}

/** How alarms get into requests and answers. */
export interface AlarmRoutes {
  /**
   * Claims what is due for the session's request; null: nothing is. Costs one lookup where no alarm waits. Never
   * rejects.
   */
  reserve(sessionId: string, requestId: string): Promise<Reservation | null>
  /** the session has an alarm that could become due while an answer comes or is held open, and no terminal */
  mayHold(sessionId: string): boolean
  /** The next one that an answer may be held open for, until `at`, within `holdMaxMs`; null: none. */
  holdFor(sessionId: string, requestId: string): { dueAtMs: number; at: number } | null
  /** Claims what is due within an answer that was held open. Never rejects. */
  reserveHeld(sessionId: string, requestId: string): Promise<Reservation | null>
}

export interface AlarmLists {
  /** of one session, next due first, delivered ones among them */
  of(sessionId: string): readonly Task[]
  /** the same, asked for by a model: logged */
  listFor(sessionId: string, requestId: string): readonly Task[]
  /** by id or its unambiguous beginning (from 4 signs). @throws `alarm-unknown`, `alarm-ambiguous` */
  find(wanted: string): Task
  /** the same, also of one that was delivered, missed or cancelled lately. @throws as find */
  idOf(wanted: string): string
  /** the one that has this id, of any session, also one that is over; null: none has */
  withId(id: string): Task | null
  /** next due first, of all sessions */
  list(most: number): readonly Task[]
  /** how many wait, and the next of them */
  next(): { waiting: number; first: Task | null }
  nextOf(sessionId: string): { waiting: number; first: Task } | null
  missed(): readonly Missed[]
  missedCount(): number
  history(): readonly Past[]
}

export interface Alarms extends AlarmCommands, AlarmRoutes, AlarmLists, Disposable {
  /** After `outboxes.load()`, before `outboxes.start()`: reads the files, settles what a crash left open. */
  load(): Promise<void>
  /** From here on alarms ring. */
  start(): void
  /** what becomes of alarms typed into this scope's terminal */
  listenerOf(scope: Scope): Pick<OutboxListener, 'confirmed' | 'failed' | 'ended' | 'unconfirmed'>
  /**
   * A terminal came, a turn ended, the computer woke up or the time was corrected: checks whether something can go now.
   * null: all sessions
   */
  deliver(sessionId: string | null): void
  /** Rebinding: sessions that lived in one terminal live in another. */
  move(from: Scope, to: Scope): Promise<void>
  /** A conversation goes on under another id; bears being repeated. @throws OnwardError `store-failed` */
  rename(from: string, to: string): Promise<void>
  /** resolves when nothing is being done any more */
  idle(): Promise<void>
  /** Takes away all that is kept of a session's alarms, what is over too. @throws OnwardError `store-failed` */
  forget(sessionId: string): Promise<void>
  /** the time of one has come, and it was not handled yet */
  isDue(): boolean
}

/** The time according to time servers. */
export interface TimeSync extends Disposable {
  /** Restores the last known state, then asks again and again. Blocks and fails nothing. */
  start(): Promise<void>
  /** the given clock, corrected */
  readonly clock: Clock
  state(): ClockSync
  onChange(listener: (state: ClockSync) => void): Disposable
}
