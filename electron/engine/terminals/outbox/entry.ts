import type { FailReason, FollowupSource, HoldReason } from '../../../../shared/events.ts'
import type { OutboxEntryView } from '../../../../shared/state.ts'
import type { Scope } from '../../../../shared/words.ts'

/** The author of a text; if any part is a model's, it counts as a model's. `onward`: a command of the agent's own. */
export const authors = ['person', 'model', 'onward'] as const
export type Author = (typeof authors)[number]

/** The facts of a followup that never change with its state. */
export interface EntryFacts {
  id: string
  scope: Scope
  sessionId: string | null
  round: number | null
  /** whose round it is: the arming of stopMessage that asked for it. Carried, never read here */
  group: string | null
  /** already made safe for a terminal */
  text: string
  source: FollowupSource
  /** a model's text is typed so that the agent opens nothing for it (typing/plain-mentions.ts) */
  writtenBy: Author
  createdAt: number
  revision: number
  /** a person asked for it now: the settle time is not waited for, everything else is */
  skipSettle: boolean
}

export type CancelledBy = 'user' | 'clear' | 'pause'
export type SupersededBy = 'new-turn' | 're-arm' | 'clear' | 'other-way'

/**
 * Facts of a text that went to the composer. `typings`: how often it was typed and left it again before Enter.
 * `unseen`: no reading has shown it so far, it may still come. `entered`: Enter went out, or may have. `broken`: only a
 * piece of it stands there, so that it is taken out and never entered. `inbox`: it went to the agent's own inbox, not
 * to the composer: what is said of the composer here is meant of that.
 */
export interface Typed {
  typings?: number
  inbox?: true
  unseen?: true
  entered?: true
  broken?: true
}
/** `stands`: its text may be in the composer still, and is to be taken out */
interface Left {
  stands?: true
  inbox?: true
  unseen?: true
}

/** How far a followup has come. Each state has only the members that it can know. */
export type Phase =
  /** `owedSince`: the text stands in the composer since then, or may, and only Enter is owed */
  | ({ state: 'queued'; hold: HoldReason | null; owedSince: number | null } & Typed)
  | ({ state: 'typing'; typedAt: number; owed: boolean } & Typed)
  | { state: 'submitted'; typedAt: number; submittedAt: number; extraEnter: boolean; unseen?: true }
  | ({ state: 'confirmed'; typedAt: number; submittedAt: number; confirmedAt: number; late: boolean } & Left)
  | { state: 'unknown'; typedAt: number; submittedAt: number | null; at: number }
  | { state: 'failed'; typedAt: number | null; submittedAt: number | null; at: number; reason: FailReason }
  | ({ state: 'cancelled'; typedAt: number | null; at: number; by: CancelledBy } & Left)
  | ({ state: 'superseded'; typedAt: number | null; at: number; by: SupersededBy } & Left)
  | ({ state: 'expired'; typedAt: number | null; at: number } & Left)

export interface OutboxEntry extends EntryFacts {
  phase: Phase
}
export type PhaseOf<S extends Phase['state']> = Extract<Phase, { state: S }>

/** Followups that keep the agent going; at most one of them may be under way per scope. */
export const isAutomation = (entry: { source: FollowupSource }): boolean =>
  entry.source !== 'clock' && entry.source !== 'user' && entry.source !== 'program'

/** Not yet known to have arrived, and still able to. */
export const isPending = (entry: OutboxEntry): boolean =>
  entry.phase.state === 'queued' || entry.phase.state === 'typing' || entry.phase.state === 'submitted'

export const isOwed = (entry: OutboxEntry): boolean => entry.phase.state === 'queued' && entry.phase.owedSince !== null

/** Its text was typed, and no reading has shown it. */
export const isUnseen = ({ phase }: OutboxEntry): boolean => 'unseen' in phase && phase.unseen === true

/** It is not to be sent any more, and its text may still stand in the composer. */
export const isLeftOver = ({ phase }: OutboxEntry): boolean => 'stands' in phase && phase.stands === true

/** How often its text was typed and left the composer again before Enter. */
export const typingsOf = (phase: Phase): number => ('typings' in phase ? (phase.typings ?? 0) : 0)

/** When its text went to the terminal; null when it never did. */
export function typedAtOf(phase: Phase): number | null {
  return phase.state === 'queued' ? phase.owedSince : phase.typedAt
}

export function submittedAtOf(phase: Phase): number | null {
  return 'submittedAt' in phase ? phase.submittedAt : null
}

/** When its way ended; null while it is pending. */
export function endedAtOf(phase: Phase): number | null {
  if (phase.state === 'confirmed') return phase.confirmedAt
  return 'at' in phase ? phase.at : null
}

/** It is in the agent's own inbox, or may be. */
export const isInInbox = ({ phase }: OutboxEntry): boolean => 'inbox' in phase && phase.inbox === true

export function viewOf(entry: OutboxEntry): OutboxEntryView {
  const { phase } = entry
  return {
    id: entry.id,
    scope: entry.scope,
    sessionId: entry.sessionId,
    round: entry.round,
    text: entry.text,
    source: entry.source,
    createdAt: entry.createdAt,
    revision: entry.revision,
    state: phase.state,
    hold: phase.state === 'queued' ? phase.hold : null,
    fail: phase.state === 'failed' ? phase.reason : null,
    typedAt: typedAtOf(phase),
    submittedAt: submittedAtOf(phase),
    confirmedAt: phase.state === 'confirmed' ? phase.confirmedAt : null,
  }
}
