/** Plain views for tests, with only what the test is about said aloud. */
import type { AlarmsView, AlarmView, MissedAlarm, PastAlarm } from '../../shared/alarms/alarms.ts'
import type { GoalFacts, ReviewView } from '../../shared/review.ts'
import type {
  EngineStatus,
  OutboxEntryView,
  SessionView,
  StopMessageView,
  TerminalView,
  TurnRecord,
} from '../../shared/state.ts'

export const session = (over: Partial<SessionView> & { id: string }): SessionView => ({
  name: over.id,
  client: 'claude',
  entry: 'messages',
  cwd: `/home/me/${over.id}`,
  model: 'claude-sonnet',
  route: null,
  scope: `pty:${over.id}`,
  terminalId: over.id,
  shape: 'idle',
  say: { code: 'idle' },
  stopMessage: null,
  lastStopMessage: null,
  queue: [],
  turns: 0,
  usage: { input: 0, cachedInput: 0, output: 0, reasoning: 0 },
  costUsd: null,
  startedAt: 0,
  lastActivityAt: 0,
  pinned: false,
  paused: false,
  ...over,
})

export const stopMessage = (over: Partial<StopMessageView> = {}): StopMessageView => ({
  text: 'All tests green',
  used: 0,
  max: null,
  review: false,
  status: { kind: 'armed' },
  armedAt: 0,
  lastUsedAt: null,
  ...over,
})

export const goalFacts = (over: Partial<GoalFacts> = {}): GoalFacts => ({
  from: { at: 0, used: 0 },
  spent: { tokens: 0, costUsd: null },
  reviewSpent: { tokens: 0, costUsd: null },
  stuck: 0,
  rounds: [],
  roundsAt: 0,
  latest: null,
  checks: null,
  ...over,
})

export const review = (over: Partial<ReviewView> = {}): ReviewView => ({
  round: 1,
  at: 0,
  ms: 1000,
  by: 'zai/glm-5',
  backend: 'model',
  outcome: { code: 'not-reached' },
  say: '',
  evidence: [],
  blockers: [],
  looks: [],
  checks: [],
  usage: null,
  costUsd: null,
  ...over,
})

export const terminal = (over: Partial<TerminalView> & { id: string }): TerminalView => ({
  scope: `pty:${over.id}`,
  kind: 'pty',
  home: 'hosted',
  client: 'claude',
  name: over.id,
  cwd: null,
  command: 'claude',
  alive: true,
  openedAt: 0,
  sessionId: null,
  hold: null,
  exitCode: null,
  pane: null,
  cols: 120,
  rows: 40,
  ...over,
})

export const status = (over: Partial<EngineStatus> = {}): EngineStatus => ({
  version: '0.1.0',
  pid: 1,
  host: '127.0.0.1',
  port: 5520,
  startedAt: 0,
  home: '/home/me/.onward',
  paused: false,
  simulator: false,
  providers: [],
  configPath: '/home/me/.onward/config.json',
  configProblem: null,
  counts: { sessions: 0, activity: 0, needsYou: 0, terminals: 0 },
  today: { turns: 0, tokens: 0, costUsd: null },
  language: 'en',
  ...over,
})

export const entry = (over: Partial<OutboxEntryView> & { id: string }): OutboxEntryView => ({
  scope: 'pty:a',
  sessionId: 'a',
  round: null,
  text: 'go on',
  source: 'stopMessage',
  createdAt: 0,
  revision: 1,
  state: 'queued',
  hold: null,
  fail: null,
  typedAt: null,
  submittedAt: null,
  confirmedAt: null,
  ...over,
})

export const record = (over: Partial<TurnRecord> & { requestId: string }): TurnRecord => ({
  at: 0,
  sessionId: 'a',
  scope: null,
  client: 'claude',
  entry: 'messages',
  kind: 'turn',
  model: 'sonnet',
  route: null,
  status: 200,
  finish: 'stop',
  usage: null,
  costUsd: null,
  ttfbMs: null,
  durationMs: 0,
  bytesIn: 0,
  bytesOut: 0,
  error: null,
  ...over,
})

export const alarm = (over: Partial<AlarmView> & { taskId: string }): AlarmView => ({
  sessionId: 'a',
  sessionName: 'a',
  dueAt: 0,
  createdAt: 0,
  task: over.taskId,
  tool: null,
  arguments: null,
  setBy: 'user',
  state: { kind: 'waits' },
  deliveryCount: 0,
  ...over,
})

export const missedAlarm = (over: Partial<MissedAlarm> & { taskId: string }): MissedAlarm => ({
  key: over.taskId,
  sessionId: 'a',
  sessionName: 'a',
  dueAt: 0,
  task: over.taskId,
  setBy: 'user',
  why: 'expired',
  at: 0,
  ...over,
})
export const pastAlarm = (over: Partial<PastAlarm> & { taskId: string; end: PastAlarm['end'] }): PastAlarm => ({
  id: over.taskId,
  at: 0,
  sessionId: 'a',
  sessionName: 'a',
  dueAt: 0,
  task: over.taskId,
  setBy: 'user',
  ...over,
})
export const alarmsView = (over: Partial<AlarmsView> = {}): AlarmsView => ({
  waiting: over.alarms?.length ?? 0,
  alarms: [],
  missed: [],
  missedTotal: 0,
  history: [],
  zone: 'Europe/Berlin',
  retentionMs: 1_200_000,
  ...over,
})
