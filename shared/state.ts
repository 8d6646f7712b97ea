/** The engine's data for its viewers: plain, pushed on change, never polled. Times are epoch milliseconds. */
import type { FleetMember } from './fleet.ts'
import type { AlarmsView, ClockSync } from './alarms/alarms.ts'
import type { BackgroundWait } from './background.ts'
import type { Repeat } from './alarms/repeat.ts'
import type {
  BudgetKind,
  DoneReason,
  FailReason,
  FollowupSource,
  HoldReason,
  MarkerHeldWhy,
  PauseReason,
  ReviveRest,
  RouteFact,
} from './events.ts'
import type { AskingDrive, OwnDrive } from './drives.ts'
import type { DeviceRight, DeviceView } from './devices.ts'
import type { NoticeClass, NoticeKind } from './notice-classes.ts'
import type { Usage } from './cost/usage.ts'
import type { KeepWarm } from './cost/keep-warm.ts'
import type { ColdCache, ColdSums, PriceFact, Spend } from './cost/cost.ts'
import type { SessionOutage } from './outage.ts'
import type { OutsideView } from './notifications.ts'
import type { GoalFacts } from './review.ts'
import type { AskedAct } from './sentences/needs.ts'
import type { ProviderView, RouteAttempt, RoutingView, SessionLimit } from './routing.ts'
import type { ClientKind, EntryProtocol, Scope, SessionShape } from './words.ts'

/** `none` has no view. `max: null` is unbounded. */
export interface StopMessageView {
  text: string
  used: number
  max: number | null
  review: boolean
  status: StopMessageStatusView
  armedAt: number
  lastUsedAt: number | null
  /** absent of what was cleared before the engine started */
  goal?: GoalFacts
}

export type StopMessageStatusView =
  /** `waits`: the last stop waits for the agent's own work in the background */
  | { kind: 'armed'; waits?: BackgroundWait }
  | { kind: 'reviewing'; since: number; round: number }
  | { kind: 'injecting'; entryId: string }
  | { kind: 'paused'; reason: PauseReason; at: number }
  | { kind: 'done'; reason: DoneReason; at: number }
  | { kind: 'failed'; reason: FailReason; at: number }

/** The message and rounds that the last clear took away, so that one click re-arms it. */
export interface LastStopMessage {
  text: string
  used: number
  max: number | null
  review: boolean
  clearedAt: number
  clearedBy: string
}

/** `sessionId`: the conversation it was set in */
export interface LeftGoal extends Pick<StopMessageView, 'text' | 'used' | 'max'> {
  sessionId: string
}

/** A marker that the person may not have meant: they apply or forget it. */
export interface HeldMarkerView {
  id: string
  /** as written */
  marker: string
  why: MarkerHeldWhy
  at: number
  /** the text of the file it names, which would be armed */
  goal?: string
}

export type FailedAttempt = Pick<RouteAttempt, 'provider' | 'model' | 'keyAlias' | 'status' | 'code'>

/** A session's last main request ended in an error. */
export interface TurnFailure {
  /** null: none was asked */
  provider: string | null
  /** what the client got; below 400: the answer broke off */
  status: number
  message: string
  /** requests in a row that failed */
  tries: number
  /** when the first of them did */
  since: number
  /** when the last of them did */
  at: number
  /** what was asked for the last of them, in order; empty: nothing was */
  tried: readonly FailedAttempt[]
  /** it said that the context window is full: the agent has to make room first */
  full?: true | undefined
  /** the agent may still ask again by itself */
  retries: boolean
  /** a short form of its turn, by which the next try is recognized, after a restart as well */
  turn?: string | undefined
}

/**
 * The failed turn, once the agent stops asking. `limit`: the provider's limit it failed for; `lifts` null: not stated
 */
export type FailedTurn = Pick<TurnFailure, 'provider' | 'status' | 'message' | 'since' | 'tries' | 'tried'> & {
  limit?: { provider: string; lifts: number | null }
  /** it goes on by itself */
  goesOn?: NonNullable<RecoverView['waits']>
}

/** How a session goes on after a turn that failed. */
export interface RecoverView {
  /** it would, by its own switch or by the config */
  on: boolean
  /** for one of these to answer (`provider.model`), or until it tries by itself (epoch milliseconds); texts so far */
  waits: { targets: readonly string[]; tryAt: number | null; tries: number } | null
}

export const outboxStates = [
  'queued',
  'typing',
  'submitted',
  'confirmed',
  'unknown',
  'failed',
  'cancelled',
  'superseded',
  'expired',
] as const
export type OutboxState = (typeof outboxStates)[number]

/** A followup on its way into a terminal. */
export interface OutboxEntryView {
  id: string
  scope: Scope
  sessionId: string | null
  round: number | null
  text: string
  source: FollowupSource
  createdAt: number
  /** Goes up with every edit; an edit names the revision it saw and is refused when another came first. */
  revision: number
  state: OutboxState
  hold: HoldReason | null
  fail: FailReason | null
  /** Instants of the receipt line: queued, typed, submitted, confirmed. */
  typedAt: number | null
  submittedAt: number | null
  confirmedAt: number | null
}

export interface TerminalView {
  id: string
  scope: Scope
  kind: 'tmux' | 'pty'
  /**
   * `hosted` lives in Onward's PTY host, `wrapped` in the person's own terminal, `pane` is a tmux pane, `acp` an
   * editor's connection to its agent, which has no screen.
   */
  home: 'hosted' | 'wrapped' | 'pane' | 'acp'
  client: ClientKind
  name: string
  cwd: string | null
  command: string
  alive: boolean
  openedAt: number
  /** session of its last main turn */
  sessionId: string | null
  /** before its first turn: the goal and queue that wait for the conversation it will have, under the terminal's id */
  fresh?: SessionView
  /** why automation holds back right now, null while nothing stands in the way or nothing waits */
  hold: HoldReason | null
  exitCode: number | null
  pane: { socket: string; paneId: string } | null
  cols: number
  rows: number
}

/** Whether texts go to the agent's own inbox. */
export type InboxView = { used: true } | { used: false; why: NoInbox }

/** Why texts are typed though the config asks for the agent's own inbox. `version` null: it does not tell it. */
export type NoInbox =
  /** Onward knows none of this agent */
  | { code: 'none' }
  | { code: 'version'; version: string | null }
  /** which program runs in the terminal is not known */
  | { code: 'program-unknown' }

/** One conversation as the list shows it. */
export interface SessionView {
  id: string
  name: string
  client: ClientKind
  entry: EntryProtocol | null
  cwd: string | null
  /** what the client asked for, and where its last turn went */
  model: string | null
  route: Pick<RouteFact, 'provider' | 'model'> | null
  /** what routing markers set for this session; absent where none did */
  routing?: { allow: readonly string[] | null; prefer: string | null; disabled: readonly string[] }
  /** its last turn ended at a provider's limit; absent: it did not */
  limit?: SessionLimit
  /** it is continued when a limit lifts */
  resumeAtReset?: boolean
  /** its agent was started again, so many times */
  startedAgain?: number
  /** present where the config asks for the agent's own inbox, and it is known whether it has one */
  inbox?: InboxView
  /** a turn of it that failed goes on by itself */
  recovers?: boolean
  /** what a person asked for while its turns fail; absent: nothing */
  outage?: SessionOutage
  /** bodies of its turns are kept on disk */
  capture?: boolean
  /** the next of its alarms, and how many wait; absent: none does */
  nextAlarm?: { taskId: string; dueAt: number; task: string; waiting: number; repeat?: Repeat }
  /** markers of its messages that were cut out and not followed, newest last; absent: none waits for a decision */
  heldMarkers?: readonly HeldMarkerView[]
  /** a goal that was set in another conversation of its terminal: a person decides whether it goes on here */
  leftGoal?: LeftGoal
  /** what its agent set itself to go on by, oldest first; absent: nothing was seen */
  drives?: readonly OwnDrive[]
  scope: Scope | null
  terminalId: string | null
  shape: SessionShape
  /** why it is in this state, as data; the sentence is made by shared/sentences */
  say: SessionSay
  stopMessage: StopMessageView | null
  lastStopMessage: LastStopMessage | null
  queue: readonly OutboxEntryView[]
  turns: number
  usage: Usage
  costUsd: number | null
  unpricedTokens?: Spend['unpricedTokens']
  worthUsd?: Spend['worthUsd']
  /** absent: no cache is known to have been cold */
  cold?: ColdSums
  /** something waits in it: until then its provider keeps the cache; absent: nothing waits, or it is not known */
  cacheUntil?: number
  /** with `cacheUntil`: how it is kept until the session goes on; absent: nothing would */
  keepWarm?: KeepWarm
  startedAt: number
  lastActivityAt: number
  pinned: boolean
  /** put away by a person: out of the list, counted nowhere as something to do, until its next turn */
  archived?: boolean
  paused: boolean
}

/** One of the answers that an agent's dialog offers. */
export interface AskedChoice {
  label: string
  /** the key that picks it at once; null: it is picked with arrows */
  key: string | null
}

/** The question of an agent's dialog, in the words of its own screen. */
export interface AskedView {
  /** the line that ends as a question does, else the dialog's first */
  question: string | null
  /** the command, the file, the reason: its other lines, in order; bounded */
  about: string | null
  choices: readonly AskedChoice[]
  /** the purpose of a permission: a command to run, a file to edit; absent: it is none, or can't be read */
  wants?: { act: AskedAct; what: string }
  /** the choice that is selected now, and the arrows that move it; absent: choices have keys, or it can't be read */
  pointer?: { at: number; moves: 'down' | 'across' }
}

export type SessionSay =
  | { code: 'working'; turn: number; since: number }
  /** `asked`: the dialog on its screen, where that could be read; `since`: when it was first seen there */
  | { code: 'needs-you'; what: string; asked?: AskedView; since?: number }
  | { code: 'held'; reason: HoldReason }
  | { code: 'queued' }
  | { code: 'awaiting-receipt' }
  | { code: 'reviewing'; round: number; since: number }
  /** `failure`: its last turn failed all the same */
  | { code: 'paused'; reason: PauseReason; waiting: number; failure?: FailedTurn }
  | { code: 'done'; reason: DoneReason }
  | { code: 'failed'; reason: FailReason }
  | { code: 'armed' }
  /** armed, and it waits for the agent's own work in the background */
  | ({ code: 'background-work' } & BackgroundWait)
  /** `resumeAt` null: no one asked for it to go on */
  | { code: 'limited'; provider: string; since: number; lifts: number | null; resumeAt: number | null }
  /** `but`: it waits for a person's decision, or the goal of its terminal belongs to another conversation */
  | { code: 'idle'; but?: 'marker-held' | 'armed-elsewhere' }
  /** `quit`: the agent has, and its terminal goes on */
  /** `rests`: it ended while a goal was set, and why it was not started again, where a person has to see to it */
  | { code: 'gone'; quit?: true; rests?: ReviveRest }
  /** its terminal lives and has another conversation now */
  | { code: 'left' }
  /** a request failed, and the agent asks again by itself */
  | ({ code: 'retrying' } & Pick<FailedTurn, 'provider' | 'status' | 'message' | 'tries' | 'since' | 'tried'>)
  /** its agent is busy on its own screen, and nothing was heard of it since: a tool may hang */
  | { code: 'stalled'; since: number }
  /** what its agent set itself has reached this bound, or this one of it has reached its own */
  | { code: 'drives-ask'; budget: BudgetKind; limit: number; drive?: AskingDrive }
  /** it asks no more */
  /** `waiting`: followups queued after it */
  | ({ code: 'turn-failed'; waiting?: number } & FailedTurn)
  /** the text of the goal that was set in another conversation of its terminal */
  | { code: 'left-goal'; text: string }

export interface EngineStatus {
  version: string
  pid: number
  host: string
  port: number
  startedAt: number
  home: string
  /** how a person's shell calls this Onward for this home, as the first words of a line; left out: `onward` */
  command?: string
  paused: boolean
  /** it ends as soon as these answers are out, at the latest then (epoch milliseconds); it takes no new requests */
  finishing?: { answers: number; until: number }
  /** it keeps the machine awake for so many goals; `problem`: the system refused, in its words */
  awake?: { since: number; goals: number; problem?: string }
  simulator: boolean
  providers: readonly { id: string; type: string; baseUrl: string | null; models: number; keys: number }[]
  configPath: string
  configProblem: string | null
  /** the same, part by part; not there while the file is what runs */
  configTrouble?: import('./config/config-text.ts').ConfigTrouble
  /** of the config file as it was last read: another one says that the file was changed */
  configRevision?: string
  /** rules of an organisation that hold here; left out: there are none */
  policy?: import('./policy/policy.ts').PoliciesView
  /** providers at a limit that has not lifted yet */
  limits?: readonly { provider: string; since: number; lifts: number | null; resuming: number }[]
  counts: { sessions: number; activity: number; needsYou: number; terminals: number }
  today: { turns: number; tokens: number } & Spend
  language: 'en' | 'zh-CN'
  /** when an unbounded goal stops to ask (config `stopMessage.budgets`); null: that one is off */
  budgets?: {
    rounds: number | null
    hours: number | null
    noProgressRounds: number | null
    tokens?: number | null
    costUsd?: number | null
  }
  /** who reviews (config `stopMessage.review`); `by`: a target, a route's name or the command */
  review?: { backend: 'model' | 'command'; by: string; /** why it can't; null: it can */ problem: string | null }
  /** which classes of notifications are on (config `notifications`); a class left out is on */
  notifications?: Readonly<Partial<Record<NoticeClass, boolean>>>
  /** config `notifications.quietHours`; `held`: the number of notices kept until they end */
  quietHours?: import('./config/notifications.ts').QuietHours & { held: number }
  /** notices are shown by the desktop app that this engine runs in */
  desktop?: true
  /** the system's service manager runs this engine */
  service?: true
  /** places outside of this machine that notices are sent to, in the config's order */
  outside?: readonly OutsideView[]
  /** tools that run in Onward; a switch counts for sessions that begin afterwards */
  servertools?: { on: boolean; by: ServertoolView['by']; tools: readonly ServertoolView[] }
  /** of all sessions; `next` null: none waits */
  alarms?: {
    waiting: number
    missed: number
    next: { sessionId: string; sessionName: string; dueAt: number; task: string } | null
  }
  /** how far this computer's time is off, as time servers say */
  timeSync?: ClockSync
  /** IANA name of the engine's zone */
  zone?: string
  /** as the config has it */
  clock?: { enabled: boolean; timeTag: boolean; holdMaxMs: number }
  /** whether the desktop app looks for new versions by itself, and downloads them */
  updates?: { check: boolean; download: boolean }
}

/** How the engine of another machine is reached from here. */
export type MachineState =
  /** for the first time since this engine follows it */
  | { kind: 'connecting' }
  | { kind: 'there'; since: number; version: string }
  /**
   * tried again at `nextTryAt`; null: nothing is tried, it comes by itself. What it does there goes on. `seen`: it was
   * there before, until `since`
   */
  | { kind: 'away'; since: number; seen: boolean; why: { code: string; message: string }; nextTryAt: number | null }

/** A machine without what runs on it. */
export interface MachineFacts {
  name: string
  /** what leads to it: for ssh, what ssh goes to */
  target: string
  state: MachineState
  /** its notifications are not shown here */
  quiet?: true
  /** it is asked over the hub of a fleet, and not over a line of its own */
  fleet?: FleetMember
}

/** Another machine and its sessions, as they were when it was last seen. */
export interface MachineView extends MachineFacts {
  /** and terminals that have had no turn yet, each as the session it will have, by the terminal's id */
  sessions: readonly SessionView[]
}

/** What changed, in order. Sessions of a machine come one by one, so that a newer state of one stands for an older. */
export type MachineUpdate =
  | { type: 'machine'; machine: MachineFacts }
  | { type: 'machine-removed'; machine: string }
  | { type: 'machine-session'; machine: string; session: SessionView }
  | { type: 'machine-session-removed'; machine: string; id: string }

/** What `followSubject` can be about: the types of the updates that it has. */
export const followedSubjects = ['alarms', 'providers', 'turn'] as const
export type FollowedSubject = (typeof followedSubjects)[number]

/** The one stream every viewer follows: a snapshot first, then changes in order. */
export type EngineUpdate =
  | {
      type: 'snapshot'
      status: EngineStatus
      sessions: readonly SessionView[]
      terminals: readonly TerminalView[]
      providers?: readonly ProviderView[]
      routing?: RoutingView
      alarms?: AlarmsView
      /** to people alone */
      devices?: readonly DeviceView[] | undefined
      /** to a paired device alone: its own */
      rights?: readonly DeviceRight[] | undefined
      /** left out: of an engine that reaches none */
      machines?: readonly MachineView[] | undefined
    }
  /** one was paired, renamed, revoked, came or went */
  | { type: 'devices'; devices: readonly DeviceView[] }
  | { type: 'rights'; rights: readonly DeviceRight[] }
  | { type: 'status'; status: EngineStatus }
  | { type: 'session'; session: SessionView }
  | { type: 'session-removed'; id: string }
  | { type: 'terminal'; terminal: TerminalView }
  | { type: 'terminal-removed'; id: string }
  | { type: 'event'; event: import('./events.ts').TimelineEvent }
  /** health, quotas or the config changed */
  | { type: 'providers'; providers: readonly ProviderView[]; routing: RoutingView }
  /** any alarm changed: the whole view, which is bounded */
  | { type: 'alarms'; alarms: AlarmsView }
  /** a turn ended */
  | { type: 'turn'; record: TurnRecord }
  | { type: 'notice'; notice: Notice }
  | MachineUpdate
  /** dashboard windows need a new link from now on; the desktop gives its own one */
  | { type: 'windows-signed-out' }

export interface Notice {
  id: string
  class: NoticeKind
  sessionId: string | null
  title: string
  body: string
  /** `re-arm`, `go-on`; of alarms `open`, `snooze`, `cancel-alarm` */
  actions: readonly { id: string; label: string }[]
  /** the alarms it is about */
  alarms?: readonly string[]
  /** another one than this, whose engine it comes from */
  machine?: string
}

/** A piece of a terminal's output stream; `data` is UTF-8 text with escape sequences. */
export type TerminalChunk =
  | { type: 'screen'; data: string; cols: number; rows: number }
  | { type: 'data'; data: string }
  | { type: 'resize'; cols: number; rows: number }
  | { type: 'exit'; exitCode: number | null }

/** One hour, or more of them, of all turns. Times in milliseconds. */
export interface ActivityBucket {
  /** begin of the bucket */
  at: number
  ms: number
  /** turns that belong to a run Onward began, turns of a person's run, turns that failed; each turn in one of them */
  continued: number
  byPerson: number
  failed: number
  input: number
  cachedInput: number
  output: number
  costUsd: number | null
  unpricedTokens?: Spend['unpricedTokens']
  worthUsd?: Spend['worthUsd']
  ttfb: { median: number; p95: number } | null
}
export interface ActivityView {
  hours: 24 | 168 | 720
  buckets: readonly ActivityBucket[]
  total: ActivityBucket
}

/** One turn's record. */
export interface ServertoolRun {
  tool: string
  round: number
  ms: number
  bytes: number
  /** why it failed; null: it did not */ failure: string | null
}

/** A tool of Onward's as the settings show it. */
export interface ServertoolView {
  name: string
  /** what it is for, in a sentence; shown where the dashboard knows no better words of its own */
  about: string
  trigger: 'tool_call' | 'auto'
  /** whether it is on now, and who decided that */
  on: boolean
  by: 'default' | 'config' | 'env' | 'policy'
  /** why it does nothing though it is on, e.g. no search engine is configured */
  problem: string | null
}

export interface TurnRecord {
  requestId: string
  at: number
  sessionId: string | null
  scope: Scope | null
  client: ClientKind
  entry: EntryProtocol
  kind: import('./words.ts').RequestKind
  model: string | null
  route: RouteFact | null
  status: number
  finish: import('./events.ts').FinishKind
  usage: Usage | null
  costUsd: number | null
  /** where its price comes from, or why it has none; absent: none is known */
  price?: PriceFact
  /** absent: the provider's cache was warm, or nothing shows that it was cold */
  cold?: ColdCache
  ttfbMs: number | null
  durationMs: number
  /** the client asked for a stream; absent: for one body */
  streamed?: true
  /** the provider's name of its answer; absent: it gave none */
  responseId?: string
  bytesIn: number
  bytesOut: number
  error: { code: string; message: string } | null
  /** upstreams that were tried before and gave no answer for the client */
  tried?: readonly RouteAttempt[]
  /** ordinal in its session */
  turn?: number | null
  /** who began the run it belongs to */
  by?: 'onward' | 'person'
  /** tools of Onward's that ran in it, in order; `round` counts from 1 */
  servertools?: readonly ServertoolRun[]
  /** its bodies are kept: `onward turns show` says where */
  captured?: boolean
  /** the folder they are in, as `turn` returns it */
  capturedIn?: string
  /** members that the provider's protocol has no place for, by name; absent: nothing was lost */
  dropped?: readonly string[]
  /** the engine that asked, which counts what it cost; absent: a client of this one did */
  lentTo?: string
}
