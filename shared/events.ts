/**
 * Everything that happens to a session, as data. The same event is the timeline row, the log line, the
 * notification and the dashboard update, so an explanation is written once (shared/sentences) and never twice.
 */
import type { AskingDrive, DriveKind } from './drives.ts'
import type { AlarmBy, AlarmRoute, ClockSync, MissedWhy } from './alarms/alarms.ts'
import type { BackgroundWait } from './background.ts'
import type { ConfigTrouble } from './config/config-text.ts'
import type { PriceFact, Spent } from './cost/cost.ts'
import type { NoticeKind } from './notice-classes.ts'
import type { SessionOutage } from './outage.ts'
import type { CheckRun, ReviewView, RoundView } from './review.ts'
import type { Rest, RouteAttempt, RouteFact } from './routing.ts'
import type { Usage } from './cost/usage.ts'
import type { ClientKind, EntryProtocol, RequestKind, Scope } from './words.ts'

export type { RouteFact } from './routing.ts'

/** Why stopMessage did not fire, in the order of its checks. */
/**
 * `limits.pauseAt` is reached in a window that resets at `until`; `at`: the time of the session's turn that showed it
 */
export type NearLimit = {
  code: 'near-limit'
  provider: string
  window: string
  usedPercent: number
  at: number
  until: number
}

export type SkipReason =
  | { code: 'reentered-followup' }
  | { code: 'not-a-turn'; kind: RequestKind }
  | { code: 'paused'; by: 'global' | 'session' }
  | { code: 'no-scope' }
  | { code: 'stage-mode-off' }
  | { code: 'nothing-armed' }
  | { code: 'rounds-used'; used: number; max: number }
  | { code: 'terminal-gone'; why: string }
  | { code: 'not-a-plain-stop'; finish: FinishKind }
  | { code: 'client-left' }
  | { code: 'budget'; budget: BudgetKind; limit: number }
  | { code: 'agent-not-finished'; why: 'own-goal' | 'own-loop' | 'own-schedule' }
  | { code: 'entry-pending'; entryId: string }
  | { code: 'review-running' }
  | { code: 'other-conversation' }
  /** work of the agent's own goes on; it is waited for until then */
  | ({ code: 'background-work' } & BackgroundWait)
  /** its client can't wait for the reset within its call */
  | NearLimit

/** `let`: a person lets all go on, past a bound */
export type DriveDid = 'stop' | 'refused' | 'missed' | 'rescued' | 'let' | 'bound' | 'unbound'
export type BudgetKind = 'rounds' | 'time' | 'no-progress' | 'tokens' | 'cost'

/** How a response ended on the wire. Only `stop` is a plain stop. */
export type FinishKind =
  | 'stop'
  | 'tool-calls'
  | 'length'
  | 'content-filter'
  | 'refusal'
  | 'pause-turn'
  | 'incomplete'
  | 'error'
  | 'broken-off'

/** One line of the decision, in order; `ok: false` is where it ended. */
export interface DecisionStep {
  check:
    | 'not-reentered'
    | 'is-turn'
    | 'not-paused'
    | 'has-scope'
    | 'stage-mode'
    | 'armed'
    | 'rounds-free'
    | 'terminal-alive'
    | 'plain-stop'
    | 'client-stayed'
    | 'budget-free'
    | 'agent-finished'
    | 'current-conversation'
    | 'no-entry-pending'
    | 'below-limit'
    | 'background-over'
  ok: boolean
  detail?: string
}

/**
 * The state of a screen where an agent's input line was looked for; no word of a person is in it. `cursor`: there is an
 * input line, and the cursor is elsewhere. `sign`: the cursor's line begins with a sign of another kind than the input
 * line's.
 */
export type ScreenClue = 'blank' | 'menu' | 'question' | 'shell-prompt' | 'sign' | 'cursor' | 'text'

/** `seen` is missing where the program's screens are not known at all. */
export type ScreenUnknown = { code: 'screen-unknown'; seen?: ScreenClue; sign?: string }

/** Why a queued followup is not typed yet. Held, never dropped. */
export type HoldReason =
  | { code: 'response-running' }
  | { code: 'settling' }
  | { code: 'shell-in-front'; program: string }
  | { code: 'foreground-unknown' }
  | { code: 'agent-busy' }
  | { code: 'dialog-open'; what?: string }
  /** `sent`: the last key was Enter, and the line is empty */
  | { code: 'typing'; sent?: true }
  | { code: 'draft' }
  /** Enter was pressed twice and the text still stands in the composer: a person is asked */
  | { code: 'enter-ignored' }
  /** a text was typed and the agent has not shown it so far */
  | { code: 'not-drawn' }
  | ScreenUnknown
  /** it did not answer in time, or not yet after a start: it is read again */
  | { code: 'screen-unread' }
  /** its person broke its work off, and has not written to it since */
  | { code: 'stopped' }
  | { code: 'copy-mode' }
  /** another mode of tmux takes the pane's keys; `mode` is its name, e.g. `clock-mode` */
  | { code: 'tmux-mode'; mode: string }
  /** `unseen`: nothing on the screen shows which conversation it is */
  | { code: 'other-conversation'; unseen?: true }
  | { code: 'paused'; by: 'global' | 'session' }
  | { code: 'behind'; entryId: string }
  | NearLimit
  | { code: 'terminal-offline' }
  /** the agent's own inbox takes nothing now; nothing is typed instead */
  | { code: 'inbox-away'; why: string }
  /** its next state could not be written to disk, so nothing was typed */
  | { code: 'store-failed'; message: string }

/** Why an entry or a session ended in failure. Stable codes; the sentence comes from shared/sentences. */
export type FailReason =
  | { code: 'terminal-gone'; why: string }
  | { code: 'agent-gone' }
  | { code: 'not-submitted' }
  | { code: 'not-received' }
  /** it was sent in another conversation than its own */
  | { code: 'other-conversation' }
  | { code: 'dialog-took-text' }
  | { code: 'typing-failed'; message: string }
  | { code: 'unknown-after-crash' }
  | { code: 'store-failed'; message: string }
  | { code: 'terminal-refused'; message: string }

export type PauseReason =
  | { code: 'by-user' }
  | { code: 'not-received' }
  /** the input line did not take a text, however often it was typed */
  | { code: 'not-submitted' }
  /** `goesOnAt`: it has rounds that a person gave, so it goes on by itself then unless a person answers first */
  | { code: 'budget'; budget: BudgetKind; limit: number; goesOnAt?: number }
  | { code: 'needs-user'; text: string }
  /** the goal seems reached, and these checks wait for a person's permission to run */
  | { code: 'checks-unapproved'; names: readonly string[] }
  /** the reviewer failed so many times in a row */
  | { code: 'review-failed'; times: number; why: string }

export type DoneReason =
  | { code: 'rounds-used'; used: number; max: number }
  /**
   * `checks`: how many passed; 0: none is declared, the evidence alone says so. `evidence`: the first of it, in a
   * sentence
   */
  | { code: 'goal-reached'; checks?: number; evidence?: string }
  | { code: 'no-open-work' }

export type ClearedBy = 'marker' | 'user' | 'rounds-used' | 'failure' | 'terminal-gone' | 'orphaned' | 'goal-reached'

export type OverWhat = 'question' | 'stall' | 'tools'

/** Why a session that failed does not go on by itself any more. */
export type RecoverEnd = 'went-on' | 'switched-off' | 'no-terminal' | 'too-often'

/**
 * Why an agent that ended while a goal was set is not started again. `told`: its terminal was closed, or it was told to
 * end. `ended-well`: with code 0, like an agent that was asked to end
 */
export const reviveRests = [
  'quit',
  'told',
  'ended-well',
  'no-resume',
  'arguments',
  'no-conversation',
  'too-often',
  'not-started',
] as const
export type ReviveRest = (typeof reviveRests)[number]
/** True where a person has to look after it, since the end was not asked for. */
export const asksForHelp = (why: ReviveRest): boolean => why !== 'quit' && why !== 'told' && why !== 'ended-well'

/** `program`: another program asked for it, over MCP */
export type FollowupSource = 'stopMessage' | 'clock' | 'continue_execution' | 'recover' | 'revive' | 'user' | 'program'

/**
 * Why a marker was not followed. `in-paste`: pasted text; `in-middle`: neither on the first nor on the last line of a
 * message whose keyboard Onward does not see; `quoted`: a blockquote or an HTML comment; `new-file`: its goal is in a
 * file whose content no person has let through yet; `program`: no message had it, another program asks for it
 */
export const markerHeldWhys = ['in-paste', 'in-middle', 'quoted', 'new-file', 'unproven', 'program'] as const
export type MarkerHeldWhy = (typeof markerHeldWhys)[number]

/** The facts of an event; `at` and ids are on the envelope. */
export type EventBody =
  | {
      type: 'turn-started'
      client: ClientKind
      entry: EntryProtocol
      kind: RequestKind
      model: string | null
      retry: boolean
    }
  | {
      type: 'turn-ended'
      turn: number | null
      kind: RequestKind
      finish: FinishKind
      status: number
      usage: Usage | null
      /** null: no price is known, or tokens are not paid for, as `price` shows; absent: no price was looked up */
      costUsd?: number | null
      price?: PriceFact
      ttfbMs: number | null
      durationMs: number
      route: RouteFact | null
      tools: readonly string[]
      clientLeft: boolean
      error?: { code: string; message: string }
      /** what was asked and gave no answer for the client, in order; absent: nothing */
      tried?: readonly Pick<RouteAttempt, 'provider' | 'model' | 'keyAlias' | 'status' | 'code'>[]
    }
  | { type: 'marker-applied'; marker: string; effect: string }
  | { type: 'marker-refused'; marker: string; code: string; message: string }
  /**
   * it was cut out and not followed; `offered`: its id in the session's `heldMarkers`, absent where it can't be kept
   */
  | { type: 'marker-held'; marker: string; why: MarkerHeldWhy; offered?: string }
  | { type: 'marker-forgotten'; marker: string }
  | { type: 'armed'; text: string; max: number | null; review: boolean; by: 'marker' | 'user' | 're-arm' }
  /** the agent stopped in another conversation than the one it was set in: a person is asked. `from`: the one */
  | { type: 'goal-left'; from: string; text: string; used: number; max: number | null }
  /** a person decided: it goes on in this conversation, rounds used stay */
  | { type: 'goal-carried-on'; from: string | null; text: string; used: number; max: number | null }
  /** goal, rounds or review changed while it runs; rounds used stay */
  | { type: 'stop-message-edited'; text: string; max: number | null; review: boolean }
  /** `did`: what the agent had done in the turn that ended; absent where it is not known */
  | { type: 'matched'; steps: readonly DecisionStep[]; used: number; max: number | null; did?: RoundView['did'] }
  | { type: 'skipped'; reason: SkipReason; steps: readonly DecisionStep[] }
  | { type: 'review-started'; round: number; backend: 'model' | 'command' }
  | { type: 'review-done'; review: ReviewView }
  /** a person let it run by hand */
  | { type: 'check-ran'; run: CheckRun }
  | { type: 'check-approved'; name: string; argv: readonly string[]; folder: string }
  | { type: 'check-forgotten'; name: string; folder: string }
  | { type: 'queued'; entryId: string; source: FollowupSource; text: string; round: number | null }
  /** no person wrote it: a name for which the agent would have opened a file is typed with a backslash */
  | { type: 'mentions-escaped'; entryId: string }
  | { type: 'edited'; entryId: string; text: string; revision: number }
  | { type: 'held'; entryId: string; reason: HoldReason }
  | { type: 'typed'; entryId: string }
  /** `inbox`: the agent's own inbox took it */
  | { type: 'submitted'; entryId: string; extraEnter: boolean; inbox?: true }
  /** `withWords`: the person sent it together with words of their own */
  | { type: 'confirmed'; entryId: string; late: boolean; afterMs: number; withWords?: true }
  | { type: 'failed'; entryId: string; source: FollowupSource; reason: FailReason }
  | { type: 'unknown'; entryId: string }
  /** its text is in the composer no more, and no Enter was pressed */
  | { type: 'text-removed'; entryId: string; by: 'person' | 'onward' }
  | { type: 'superseded'; entryId: string; by: 'new-turn' | 're-arm' | 'clear' | 'other-way' }
  | { type: 'cancelled'; entryId: string; by: 'user' | 'clear' | 'pause' }
  | { type: 'expired'; entryId: string }
  | { type: 'used'; used: number; max: number | null }
  | { type: 'paused'; reason: PauseReason; what: 'session' | 'all' }
  /** `unanswered`: by itself, since no person answered a guard's question */
  | { type: 'resumed'; what: 'session' | 'all'; unanswered?: true }
  /** `spent`: by agent and reviewer since a person last let it go on; absent: it was not counted */
  | { type: 'done'; reason: DoneReason; spent?: Spent }
  | { type: 'stop-message-failed'; reason: FailReason; text: string }
  | { type: 'cleared'; by: ClearedBy }
  | { type: 'rebound'; from: Scope; to: Scope }
  | { type: 'terminal-opened'; terminalId: string; client: ClientKind }
  | { type: 'terminal-closed'; terminalId: string; exitCode: number | null; why: string }
  | { type: 'needs-you'; what: string }
  /** nothing was heard of its agent since then, which is busy on its screen */
  | { type: 'stalled'; since: number }
  /** what its agent set itself to go on by; `kind` null: all of it together */
  | { type: 'drive'; did: DriveDid; kind: DriveKind | null; what: string | null }
  /** it reached this bound, and asks */
  | { type: 'drives-ask'; budget: BudgetKind; limit: number; drive?: AskingDrive }
  /** what its screen shows no more: a question, a tool that may hang; `tools`: its agent is at rest, none runs */
  | { type: 'over'; what: OverWhat }
  /** a person clicked on a choice. `key` null: it was gone to with arrows. `closedMs` null: the dialog still stood */
  | { type: 'dialog-answered'; what: string; choice: string; key: string | null; closedMs: number | null }
  /** `to`: a place outside of this machine, by its name; absent: this machine's own notification */
  | { type: 'notified'; class: NoticeKind; result: 'shown' | 'suppressed' | 'failed'; why?: string; to?: string }
  /** of a provider, so of no session */
  | { type: 'provider-resting'; provider: string; key: string | null; rest: Rest }
  | { type: 'provider-back'; provider: string; key: string | null }
  /** a person's choice for the time its turns fail; its subject is in shared/outage.ts */
  | ({ type: 'outage-set' } & Pick<SessionOutage, 'failed' | 'tell' | 'standIn'>)
  /** `target`: what answers again; null: a person ended it */
  | ({ type: 'outage-over'; target: string | null } & Pick<SessionOutage, 'failed' | 'standIn'>)
  /** the session's turn ended at a provider's limit */
  | { type: 'limit-reached'; provider: string; lifts: number | null; resumeAt: number | null }
  | { type: 'resume-set'; at: number | null }
  | { type: 'resume-cancelled'; why: 'user' | 'went-on' | 'switched-off' }
  | { type: 'resume-failed'; message: string }
  /** it goes on by itself when one of these answers (`provider.model`). `trialAt`: or tries by itself then */
  | { type: 'recover-waits'; targets: readonly string[]; trialAt: number | null }
  | { type: 'recover-ended'; why: RecoverEnd }
  /** its prompt was asked for once more, so that the provider's cache lasts until then */
  | { type: 'cache-kept'; tokens: number; costUsd: number; savesUsd: number; until: number }
  /** `cold`: the cache had ended; status 0: no answer came */
  | { type: 'cache-not-kept'; why: 'cold' | 'refused'; status: number }
  /** its agent ended by itself and is started again, for so many times by now */
  | { type: 'revived'; exitCode: number | null; signal: string | null; times: number }
  /** its agent ended, and stays so */
  | { type: 'revive-refused'; why: ReviveRest }
  /** the model called a tool of Onward's; `round` counts from 1 within the HTTP call */
  | { type: 'servertool-called'; tool: string; round: number }
  /** it ran; `bytes` of its result. `note`: what it did, where its name does not say it */
  | { type: 'servertool-ran'; tool: string; round: number; ms: number; bytes: number; note?: string }
  /** it failed, and the turn went on; where the model made the call, it was told so */
  | { type: 'servertool-failed'; tool: string; round: number; ms: number; code: string; message: string }
  /** the answer went on in another round, with the results of these tools */
  | { type: 'servertool-round'; round: number; tools: readonly string[] }
  /** calls that were taken out without being run */
  | {
      type: 'servertool-stripped'
      /** of as many calls as names are kept of */
      tools: readonly string[]
      /** all of them; absent: as many as `tools` */
      calls?: number
      why: 'depth' | 'time' | 'not-a-turn' | 'calls' | 'not-declared'
    }
  /** an automatic one did something */
  | { type: 'servertool-reacted'; tool: string; ms: number; note: string }
  /** alarms; never their words, which stand in the alarms themselves */
  | { type: 'alarm-set'; taskIds: readonly string[]; by: AlarmBy; earliest: number }
  | { type: 'alarm-changed'; taskId: string; by: AlarmBy; dueAt: number }
  | { type: 'alarm-cancelled'; taskIds: readonly string[]; by: AlarmBy }
  /** due: a person got a notice, whatever becomes of its delivery */
  | { type: 'alarm-rang'; taskIds: readonly string[]; dueAt: number }
  /** a route has it: no other route may deliver it meanwhile */
  | { type: 'alarm-claimed'; taskIds: readonly string[]; route: AlarmRoute }
  | { type: 'alarm-delivered'; taskIds: readonly string[]; route: AlarmRoute; deliveryCount: number }
  /** it was not delivered after all, and may be by another route */
  | { type: 'alarm-released'; taskIds: readonly string[]; route: AlarmRoute; why: AlarmReleased }
  | { type: 'alarm-missed'; taskIds: readonly string[]; why: MissedWhy }
  /** a person's decision on missed ones */
  | { type: 'alarm-settled'; taskIds: readonly string[]; how: 'delivered-late' | 'dismissed' | 'rescheduled' }
  /** a finished answer is kept open because an alarm is about to be due */
  | { type: 'hold-started'; dueAt: number }
  | { type: 'hold-ended'; why: HoldEnded; ms: number }
  | { type: 'time-sync'; sync: ClockSync }
  /** of no session; a crash leaves no `stopped` */
  | { type: 'engine'; did: 'started' | 'stopped' }
  | { type: 'store-problem'; file: string; code: string; message: string }
  | { type: 'config-problem'; message: string; trouble?: ConfigTrouble }
  | { type: 'engine-problem'; code: string; message: string }

/** Why a route gave an alarm back. */
export type AlarmReleased = 'upstream-failed' | 'client-left' | 'taken-back' | 'not-typed'
export type HoldEnded = 'due' | 'client-left' | 'gone' | 'paused' | 'failed'

export type EventType = EventBody['type']

/** One line of the timeline. `seq` grows by one per engine run and orders events with the same instant. */
export interface TimelineEvent {
  id: string
  seq: number
  /** epoch milliseconds */
  at: number
  sessionId: string | null
  scope: Scope | null
  requestId: string | null
  body: EventBody
}

/** Record an event; id, seq and time are filled in by the recorder. */
export type RecordEvent = (
  where: { sessionId?: string | null; scope?: Scope | null; requestId?: string | null },
  body: EventBody,
) => void
