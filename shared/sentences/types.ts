/** The sentences every language must have. A new event, reason or state does not compile without them. */
import type { ConfigProblem, ConfigTrouble, Meanwhile } from '../config/config-text.ts'
import type { PolicyTrouble } from '../policy/policy.ts'
import type { ColdCache, ColdSums, Costing, Spend, Spent, WarmSums } from '../cost/cost.ts'
import type { KeepWarm } from '../cost/keep-warm.ts'
import type {
  BudgetKind,
  ClearedBy,
  DecisionStep,
  DoneReason,
  FailReason,
  FinishKind,
  FollowupSource,
  HoldReason,
  MarkerHeldWhy,
  PauseReason,
  ReviveRest,
  SkipReason,
  EventBody,
  TimelineEvent,
} from '../events.ts'
import type { AskingDrive, DriveKind, OwnDrive } from '../drives.ts'
import type { NoticeKind } from '../notice-classes.ts'
import type { NoticeClass } from '../notice-classes.ts'
import type { RouteCategory } from '../config/schema.ts'
import type { DoctorFact, DoctorWords } from '../doctor.ts'
import type { CheckRun, ReviewOutcome, ReviewView } from '../review.ts'
import type { OutsideFailure, OutsideState } from '../notifications.ts'
import type { PassedOver, ProviderHealth, Rest, RouteReason } from '../routing.ts'
import type { EngineStatus, FailedTurn, InboxView, OutboxState, SessionSay } from '../state.ts'
import type { RequestKind, SessionShape } from '../words.ts'
import type { Figures } from './figures.ts'
import type { ProblemReport } from '../problems.ts'
import type { KeychainTrouble, SecretsView } from '../secrets/secrets.ts'
import type { RepeatFacts } from './repeat-facts.ts'

export interface Sentences {
  /** the state of a session as a person would say it, e.g. “Held: you are in the middle of a line” */
  say(say: SessionSay, now: number): string
  /** the same as a memory, for an engine that can't be reached: “Last seen: turn 42 was running” */
  lastSeen(say: SessionSay): string
  /** one line of the timeline */
  event(event: TimelineEvent): string
  /** what an agent asks for; `what` is read by needs.ts */
  need(what: string): string
  hold(reason: HoldReason): string
  /** what has to happen before the held text is typed */
  holdNext(reason: HoldReason): string
  skip(reason: SkipReason): string
  fail(reason: FailReason): string
  pause(reason: PauseReason): string
  done(reason: DoneReason): string
  cleared(by: ClearedBy): string
  /** how texts get to the agent, where the config asks for its own inbox */
  inbox(inbox: InboxView): string
  /** why a marker was cut out and not followed */
  markerHeld(why: MarkerHeldWhy): string
  budget(budget: BudgetKind, limit: number): string
  /** one line of a decision; `ok: false` says why it ended there */
  step(step: DecisionStep): string
  /** the subject of a turn's row: “Turn 41”, “Compaction” */
  turn(turn: number | null, kind: RequestKind): string
  /** how a turn ended, as the rest of that sentence */
  ended(finish: FinishKind): string
  /** a finding with its subject, and what to do about it where something is wrong */
  doctor(fact: DoctorFact): DoctorWords
  /** why a turn failed, without its subject */
  turnFailure(body: Extract<EventBody, { type: 'turn-ended' }>): string
  /** one word or two for a table cell */
  finish(finish: FinishKind): string
  /** what an agent goes on by besides Onward: its kind, what it does now, when it comes next where that is no time */
  driveKind(kind: DriveKind): string
  driveState(drive: OwnDrive): string
  driveNext(drive: Pick<OwnDrive, 'kind'>): string
  /** the word beside a state shape */
  shape(shape: SessionShape): string
  outbox(state: OutboxState): string
  /** “every day at 9:00 until Tuesday 22 December, 30 times” */
  repeat(repeat: RepeatFacts): string
  /** where it has come to: “every day at 9:00, 2 of 30” */
  repeatNow(repeat: RepeatFacts & { nth: number }): string
  source(source: FollowupSource): string
  noticeClass(kind: NoticeKind): string
  /** what runs while the config file is wrong */
  meanwhile(meanwhile: Meanwhile): string
  /** what is wrong in it at one place, and what to write instead */
  configProblem(problem: ConfigProblem): string
  /** why the file can't be read at all; null: it can */
  configUnread(trouble: Pick<ConfigTrouble, 'what' | 'fault'>): string | null
  /** a policy that can't be read, its place, and what holds meanwhile */
  policyTrouble(trouble: PolicyTrouble): string
  /** an organisation, as the subject of a sentence; empty: it gave no name */
  organisation(name: string): string
  notice(fact: NoticeFact): { title: string; body: string }
  /** a rule of routing that matched: “Route thinking: thinking is asked for” */
  routeReason(reason: RouteReason): string
  /** why a candidate was not taken, as the rest of “zai/glm-5 passed over: …” */
  passedOver(why: PassedOver, now: number): string
  rest(rest: Rest, now: number): string
  /** why a call failed, as the rest of a sentence; `failure`: an HTTP status or an error's code */
  callFailure(failure: string): string
  /** how a session goes on after a failed turn; a whole sentence without its stop */
  goesOn(waits: NonNullable<FailedTurn['goesOn']>): string
  /** a provider's state: “Healthy”, “Cooling down for 42 s after 3 failures, then one trial call” */
  health(health: ProviderHealth, now: number): string
  /** what a route is for */
  category(category: RouteCategory): string
  /** what a review came to, with what it found: “Not done yet. Two refund tests fail” */
  reviewed(review: ReviewView): string
  reviewOutcome(outcome: ReviewOutcome): string
  /** “Check tests fails: 2 of 214 fail” */
  checkRan(run: Pick<CheckRun, 'name' | 'outcome' | 'say'>): string
  /** what it did, as the rest of that sentence */
  checkOutcome(outcome: CheckRun['outcome']): string
  /** a request's cost, and the source of its price; null: its usage is not known */
  paid(turn: Costing): string | null
  /** why a request found a cold cache, and what that cost */
  cold(cache: ColdCache): string
  /** the same of many requests */
  coldCaches(sums: ColdSums): string
  /** how long the cache is kept for what waits in a session */
  cacheUntil(at: number, now: number): string
  /** how that cache is kept until the session goes on, or why it is not */
  keepWarm(kept: KeepWarm, now: number): string
  /** requests that kept caches warm, within a sum */
  warmCaches(sums: WarmSums): string
  /** a sum of costs, and what is not in it; null: nothing of it is known */
  spent(spend: Spend): string | null
  /** tokens and their cost side by side: “941k tokens, ≥ $1.32” */
  used(spent: Spent): string
  /** why something asked of the engine did not work */
  problem(problem: ProblemReport): string
  /** why a provider gave no answer when it was tried */
  notAnswered(what: NotAnswered): string
  /** where keys are kept, and why not elsewhere */
  secretsKept(kept: SecretsView): string
  /** what to do where the keychain can't be used; null: nothing needs it */
  secretsMend(kept: SecretsView): string | null
  keychainTrouble(trouble: KeychainTrouble): string
  tray: TrayWords
  outside: OutsideWords
  figures: Figures
}

/** A provider that was tried, or asked for its models, in vain. `said`: its own words. */
export interface NotAnswered {
  provider: string
  test: {
    code: string
    message: string
    key: string | null
    status: number | null
    model?: string | null
    said?: string | null
    lists?: readonly string[]
  }
}

/** The subject of a desktop notification. `name` is the session's name as the list shows it. */
export type NoticeFact =
  | { class: 'goal-reached'; name: string; reason: DoneReason; spent?: Spent }
  /**
   * `pause`, `leftGoal`: why it asks, where that is Onward's own word and not the agent's; `leftGoal` null: its words
   * are not to be shown. `failure`, `stalledSince`: nothing is asked, its turn failed, or its agent may hang.
   * `choices`: what its dialog offers
   */
  | {
      class: 'needs-you'
      name: string
      what: string
      choices?: readonly string[]
      pause?: PauseReason
      leftGoal?: string | null
      failure?: Omit<Extract<SessionSay, { code: 'turn-failed' }>, 'code'>
      stalledSince?: number
      /** what its agent set itself has used this */
      drives?: { budget: BudgetKind; limit: number; drive?: AskingDrive }
      rests?: ReviveRest
    }
  | { class: 'injection-failed'; name: string; reason: FailReason }
  | { class: 'held-long'; name: string; reason: HoldReason; heldMs: number }
  | { class: 'budget'; name: string; budget: BudgetKind; limit: number; goesOnAt?: number }
  /** `liftsAt` null with `reached`: the provider does not say. `waited`: sessions a person asked to be notified of */
  | {
      class: 'limit'
      provider: string
      change: 'reached' | 'lifted' | 'back'
      liftsAt: number | null
      waited?: readonly string[]
    }
  /** `more`: others that ring or were missed with it, in the same session or, of missed ones, in any */
  | {
      class: 'alarm-due'
      name: string
      at: number
      message: string
      more: number
      /** a person set one of them */
      own?: true
    }
  | { class: 'alarm-missed'; name: string; at: number; message: string; more: number }
  | { class: 'proxy-error'; message: string }
  /** `classes`: of what came; `needs`: sessions that still wait for a person, by name */
  | { class: 'quiet-over'; count: number; classes: readonly NoticeClass[]; needs: readonly string[] }

/** Words for notices that leave this machine. */
export interface OutsideWords {
  test: { title: string; body: string }
  /** title of a message with several notices */
  several(count: number): string
  more(count: number): string
  /** title of what takes the place of a question */
  over(name: string): string
  /** why it was not taken, as a sentence without its full stop */
  failure(why: OutsideFailure): string
  state(now: OutsideState): string
  /** the rest of “Notification “…” …” */
  went(to: string, result: 'shown' | 'suppressed' | 'failed', why: string | undefined): string
}

export interface TrayWords {
  /** first line of the menu */
  status(status: { host: string; port: number; working: number; paused: boolean }): string
  stopped: string
  /** an engine that ends, as long as answers are under way */
  finishing(answers: number): string
  /** the machine is kept awake, or could not be */
  awake(awake: NonNullable<EngineStatus['awake']>): string
  /** a session that needs a person: “◆ api-gateway: asks …” */
  session(name: string, shape: SessionShape, say: SessionSay, now: number): string
  more(count: number): string
  pauseAll: string
  resumeAll: string
  newTerminal: string
  copyBaseUrl: string
  openDashboard: string
  settings: string
  /** a switch: the app at login, hidden */
  startAtLogin: string
  checkForUpdates: string
  quit: string
  /** a provider whose calls fail: “▲ zai fails since 14:03” */
  fails(provider: string, since: number | null, now: number): string
  /** a provider at its limit: “zai: limit reached, lifts at 16:00” */
  limit(provider: string, lifts: number | null): string
  /** tooltip of the icon */
  tooltip(status: { working: number; needsYou: number; paused: boolean }): string
  /** actions on notifications */
  open: string
  /** “Next alarm 14:30: Re-run the flaky suite” */
  nextAlarm(dueAt: number, task: string, now: number): string
  /** “2 missed alarms” */
  missedAlarms(count: number): string
  snooze: string
  cancelAlarm: string
  reArm: string
  continue: string
}

/** Text glyphs of the state shapes, for places that have no icons (design tokens `--shape-*`). */
export const shapeGlyphs: Record<SessionShape, string> = {
  working: '●',
  needs: '◆',
  held: '◐',
  idle: '○',
  done: '✓',
  failed: '▲',
  paused: '⏸',
  gone: '◌',
}
