import type { FailReason, HoldReason, PauseReason } from '../../../../shared/events.ts'
import type { OutboxEntryView } from '../../../../shared/state.ts'
import type { Author, SupersededBy } from './entry.ts'

/** An entry as its owner gets it: the public data, and the group it was added with. */
export interface EntryUpdate extends OutboxEntryView {
  group: string | null
  /** the request that is its receipt, in the report of that receipt */
  carriedBy?: string
}

/** A main turn of the scope began with a new user message. */
export interface MainTurn {
  requestId: string
  sessionId: string | null
  /** entries whose receipt it is */
  confirmed: readonly string[]
  /** the message has a text that is none of ours */
  byPerson: boolean
}

/**
 * An outbox from inside its own queue: no other change to the scope happens until the work handed to `exclusive` is
 * done.
 */
export interface OutboxTransaction {
  entries(): readonly EntryUpdate[]
  /** the entry that keeps the agent going right now: queued, typing or submitted */
  pendingAutomation(): EntryUpdate | null
  add(input: AddInput): Promise<EntryUpdate>
  /** queued entries that keep the agent going; one being typed gets no Enter and follows when it comes back */
  supersede(by: SupersededBy): Promise<void>
  /** An entry that was being typed at a crash was submitted, by another room's record. No effect on any other. */
  submittedBefore(entryId: string, at: number): Promise<void>
  pause(reason: PauseReason): Promise<void>
  resume(): Promise<void>
  paused(): PauseReason | null
  /** a conversation goes on under another id. @throws OnwardError `store-failed` */
  rename(from: string, to: string): Promise<void>
  /** session of the scope's last main turn */
  conversation(): string | null
  /** a request of the scope is in flight */
  running(): boolean
  /** Writes what the disk still lacks. @throws OnwardError `store-failed` */
  flush(): Promise<void>
}

export interface AddInput {
  /**
   * absent: a new one. For an owner that writes down the id it waits for before there is an entry; one that is there
   * already stays as it is
   */
  id?: string
  sessionId: string | null
  text: string
  source: OutboxEntryView['source']
  /** absent: a person */
  writtenBy?: Author
  round?: number | null
  group?: string | null
}

/** Called inside the writer's queue, after the entry's new state was written; the next change waits for the answer. */
export interface OutboxListener {
  /** also when only a late receipt proved it; exactly once per entry and run */
  submitted(entry: EntryUpdate, transaction: OutboxTransaction): Promise<void>
  confirmed(entry: EntryUpdate, late: boolean, transaction: OutboxTransaction): Promise<void>
  failed(entry: EntryUpdate, reason: FailReason, transaction: OutboxTransaction): Promise<void>
  /** cancelled, superseded or expired before it was typed, or left unsent */
  ended(entry: EntryUpdate, transaction: OutboxTransaction): Promise<void>
  /** its fate has been unknown for the time a receipt may take */
  unconfirmed(entry: EntryUpdate, transaction: OutboxTransaction): Promise<void>
  heldLong(entry: EntryUpdate, reason: HoldReason, heldMs: number): void
  mainTurn(turn: MainTurn, transaction: OutboxTransaction): Promise<void>
  /** a viewer's picture of this scope changed */
  changed(): void
}
