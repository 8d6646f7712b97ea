/** A ControlApi in memory, for tests of what sits on top of it. What a test doesn't give is refused, never guessed. */
import type { AlarmView } from '../../../../shared/alarms/alarms.ts'
import type { ControlApi } from '../../../../shared/operations/index.ts'
import type { EngineStatus, OutboxEntryView, SessionView, TerminalView } from '../../../../shared/state.ts'
import { OnwardError } from '../../base/errors.ts'

export function fakeControlApi(given: Partial<ControlApi>): ControlApi {
  const refuse = (name: string) => () => {
    throw new OnwardError('not-faked', `${name} is not part of this test`)
  }
  return new Proxy(given, {
    get: (target, name) => Reflect.get(target, name) ?? refuse(String(name)),
    // the proxy answers every name of the interface, which the type of a partial can't say
  }) as ControlApi
}

/** 2026-11-21 14:12 UTC, the moment of the design's scene */
export const sceneTime = Date.UTC(2026, 10, 21, 14, 12)

export const sampleStatus = (more: Partial<EngineStatus> = {}): EngineStatus => ({
  version: '0.1.0',
  pid: 4242,
  host: '127.0.0.1',
  port: 5520,
  startedAt: sceneTime - 3_600_000,
  home: '/home/ada/.onward',
  paused: false,
  simulator: false,
  providers: [{ id: 'glm', type: 'openai-chat', baseUrl: 'http://127.0.0.1:9001/v1', models: 1, keys: 2 }],
  configPath: '/home/ada/.onward/config.json',
  configProblem: null,
  counts: { sessions: 3, activity: 1, needsYou: 1, terminals: 2 },
  today: { turns: 118, tokens: 2_400_000, costUsd: 4.21 },
  language: 'en',
  ...more,
})

export const sampleSession = (more: Partial<SessionView> = {}): SessionView => ({
  id: 'ses_0001',
  name: 'billing-service',
  client: 'claude',
  entry: 'messages',
  cwd: '/home/ada/code/billing',
  model: 'sonnet',
  route: { provider: 'glm', model: 'glm-5' },
  scope: 'tmux:billing',
  terminalId: 'term_1',
  shape: 'working',
  say: { code: 'working', turn: 42, since: sceneTime - 38_000 },
  stopMessage: {
    text: 'all tests green',
    used: 12,
    max: 30,
    review: false,
    status: { kind: 'armed' },
    armedAt: sceneTime - 600_000,
    lastUsedAt: null,
  },
  lastStopMessage: null,
  queue: [],
  turns: 41,
  usage: { input: 900_000, cachedInput: 500_000, output: 41_000, reasoning: 0 },
  costUsd: 1.32,
  startedAt: sceneTime - 7_200_000,
  lastActivityAt: sceneTime - 38_000,
  pinned: false,
  paused: false,
  ...more,
})

export const sampleTerminal = (more: Partial<TerminalView> = {}): TerminalView => ({
  id: 'term_1',
  scope: 'tmux:billing',
  kind: 'tmux',
  home: 'pane',
  client: 'claude',
  name: 'billing',
  cwd: '/home/ada/code/billing',
  command: 'claude',
  alive: true,
  openedAt: sceneTime - 7_200_000,
  sessionId: 'ses_0001',
  hold: null,
  exitCode: null,
  pane: { socket: '/tmp/tmux-1000/default', paneId: '%3' },
  cols: 120,
  rows: 40,
  ...more,
})

export const sampleEntry = (more: Partial<OutboxEntryView> = {}): OutboxEntryView => ({
  id: 'out_1',
  scope: 'tmux:billing',
  sessionId: 'ses_0001',
  round: null,
  text: 'run the tests again',
  source: 'user',
  createdAt: sceneTime,
  revision: 1,
  state: 'queued',
  hold: null,
  fail: null,
  typedAt: null,
  submittedAt: null,
  confirmedAt: null,
  ...more,
})

export const sampleAlarm = (more: Partial<AlarmView> = {}): AlarmView => ({
  taskId: 'alarm_1',
  sessionId: 'ses_0001',
  sessionName: 'billing-service',
  dueAt: sceneTime + 1_080_000,
  createdAt: sceneTime - 600_000,
  task: 're-run the flaky suite',
  tool: null,
  arguments: null,
  setBy: 'user',
  state: { kind: 'waits' },
  deliveryCount: 0,
  ...more,
})
