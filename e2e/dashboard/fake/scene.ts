/**
 * The scene of the mocks: thirteen sessions on a Saturday afternoon, relative to `now`. For development and tests only.
 */
import type { DeviceRight, DeviceView } from '../../../shared/devices.ts'
import type { AlarmsView } from '../../../shared/alarms/alarms.ts'
import type { AdoptablePane } from '../../../shared/setup/adopting.ts'
import type { FoundAgent } from '../../../shared/setup/agent-standing.ts'
import type { GoalFacts } from '../../../shared/review.ts'
import type {
  EngineStatus,
  OutboxEntryView,
  SessionView,
  StopMessageStatusView,
  StopMessageView,
  TerminalView,
} from '../../../shared/state.ts'
import type { ClientKind } from '../../../shared/words.ts'
import { sceneAdoptable } from './fake-adopting.ts'
import { sceneAlarms } from './scene-alarms.ts'
import { asksWhereToKeepState } from './scene-asking.ts'
import { billingFacts, reachedFacts, sceneBudgets, sceneFacts, sceneReviewer } from './scene-goals.ts'
import { sceneOutside, sceneQuietHours } from './fake-outside.ts'
import { sceneDrives } from './scene-drives.ts'
import { sceneServertools } from './scene-servertools.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

export interface Scene {
  status: EngineStatus
  sessions: SessionView[]
  terminals: TerminalView[]
  agents: FoundAgent[]
  /** agents in tmux that were started without Onward */
  adoptable: readonly AdoptablePane[]
  alarms: AlarmsView
  devices?: readonly DeviceView[]
  /** the page is a paired device with these */
  rights?: readonly DeviceRight[]
}

type Goal = {
  facts?: GoalFacts
  text?: string
  used: number
  max: number | null
  review?: boolean
  status?: StopMessageStatusView
  minutes?: number
}
interface Part extends Partial<Omit<SessionView, 'stopMessage'>> {
  name: string
  client: ClientKind
  folder: string
  ago: number
  goal?: Goal
}

const entryOf: Record<ClientKind, SessionView['entry']> = {
  claude: 'messages',
  codex: 'responses',
  opencode: 'chat',
  gemini: null,
  qwen: 'chat',
  copilot: 'chat',
  kimi: 'chat',
  kilo: 'chat',
  other: 'chat',
}

export function scene(now: number): Scene {
  const goal = ({
    text = 'Go on until every test passes',
    used,
    max,
    review = false,
    status = { kind: 'armed' },
    minutes = 90,
    facts = sceneFacts(now),
  }: Goal): StopMessageView => ({
    text,
    used,
    max,
    review,
    status,
    armedAt: now - minutes * MINUTE,
    lastUsedAt: now - MINUTE,
    goal: facts,
  })
  let started = 0
  const session = ({ folder, ago, goal: armed, ...part }: Part): SessionView => ({
    id: `${part.name}-01jd`,
    entry: entryOf[part.client],
    cwd: `/home/me/${folder}`,
    model: 'claude-sonnet',
    route: null,
    scope: `pty:${part.name}`,
    terminalId: part.name,
    shape: 'idle',
    say: { code: 'idle' },
    lastStopMessage: null,
    queue: [],
    turns: 12,
    usage: { input: 410_000, cachedInput: 380_000, output: 21_000, reasoning: 4_000 },
    costUsd: 0.41,
    startedAt: now - 4 * HOUR - 28 * MINUTE - started++ * MINUTE,
    lastActivityAt: now - ago,
    pinned: false,
    paused: false,
    ...part,
    stopMessage: armed ? goal(armed) : null,
  })
  const entry = (id: string, name: string, over: Partial<OutboxEntryView>): OutboxEntryView => ({
    id,
    scope: `pty:${name}`,
    sessionId: `${name}-01jd`,
    round: null,
    text: 'Go on.',
    source: 'stopMessage',
    createdAt: now - 20 * SECOND,
    revision: 1,
    state: 'queued',
    hold: null,
    fail: null,
    typedAt: null,
    submittedAt: null,
    confirmedAt: null,
    ...over,
  })
  const zai = { provider: 'zai', model: 'glm-5' }
  const lifts = now + 108 * MINUTE
  const atLimit = {
    resumeAtReset: true,
    limit: { provider: 'anthropic', since: now - 2 * MINUTE, lifts, resume: true, resumeAt: lifts },
  }
  const alarms = sceneAlarms(now)
  const reached = { code: 'goal-reached', checks: 3, evidence: 'Every test passes' } as const
  const sessions = [
    session({
      name: 'api-gateway',
      client: 'codex',
      folder: 'code/api-gateway',
      ago: 2 * MINUTE,
      model: 'gpt-5-codex',
      shape: 'needs',
      say: {
        code: 'needs-you',
        what: 'permission: docker compose up',
        since: now - 2 * MINUTE,
        asked: {
          question: 'Do you want to proceed?',
          about: 'Bash command\nStart the database for the tests\ndocker compose up',
          choices: [
            { label: 'Yes', key: '1' },
            { label: 'Yes, and don’t ask again for docker commands in this project', key: '2' },
            { label: 'No, and tell Codex what to do differently', key: '3' },
          ],
        },
      },
      goal: { used: 7, max: 20 },
      queue: [
        entry('q-api', 'api-gateway', {
          round: 8,
          text: 'Bring the containers up and run the contract tests.',
          hold: { code: 'dialog-open', what: 'permission: docker compose up' },
          createdAt: now - 2 * MINUTE,
        }),
      ],
    }),
    session({
      name: 'infra-terraform',
      client: 'claude',
      ...atLimit,
      folder: 'ops/terraform',
      ago: 11 * MINUTE,
      shape: 'needs',
      say: { ...asksWhereToKeepState, since: now - 11 * MINUTE },
      goal: { used: 4, max: null, review: true },
    }),
    session({
      name: 'search-indexer',
      client: 'opencode',
      folder: 'code/search-indexer',
      ago: 26 * MINUTE,
      model: 'zai/glm-5',
      shape: 'failed',
      say: { code: 'failed', reason: { code: 'terminal-gone', why: 'pane %12 was closed' } },
      goal: {
        text: 'Rebuild the index for the two failed shards and run the smoke test.',
        used: 6,
        max: 25,
        status: {
          kind: 'failed',
          reason: { code: 'terminal-gone', why: 'pane %12 was closed' },
          at: now - 26 * MINUTE,
        },
      },
      terminalId: null,
    }),
    session({
      name: 'billing-service',
      client: 'claude',
      folder: 'code/billing',
      ago: 0,
      route: zai,
      shape: 'working',
      say: { code: 'working', turn: 42, since: now - 38 * SECOND },
      turns: 42,
      usage: { input: 1_690_000, cachedInput: 1_540_000, output: 110_000, reasoning: 22_000 },
      costUsd: 1.32,
      goal: {
        text: 'All tests green and the PR description written',
        used: 12,
        max: 30,
        review: true,
        status: { kind: 'injecting', entryId: 'q-bill' },
        minutes: 74,
        facts: billingFacts(now),
      },
      queue: [
        entry('q-bill', 'billing-service', {
          round: 13,
          text: 'Tests pass. Now write the PR description in PR.md and open it for review.',
          hold: { code: 'response-running' },
        }),
      ],
    }),
    session({
      name: 'docs-site',
      client: 'claude',
      folder: 'code/docs',
      ago: 0,
      routing: { allow: null, prefer: 'anthropic.claude-sonnet', disabled: ['openrouter'] },
      drives: sceneDrives(now),
      shape: 'working',
      say: { code: 'reviewing', round: 3, since: now - 6 * SECOND },
      turns: 18,
      goal: {
        used: 2,
        max: null,
        review: true,
        status: { kind: 'reviewing', since: now - 6 * SECOND, round: 3 },
        facts: sceneFacts(now, {
          rounds: [
            { n: 1, progress: true },
            { n: 2, progress: true },
          ],
          spent: { tokens: 640_000, costUsd: 0.4 },
          checks: { folder: '/home/me/code/docs', checks: [], problem: null },
        }),
      },
    }),
    session({
      name: 'pricing-scraper',
      client: 'qwen',
      folder: 'lab/pricing',
      ago: 20 * SECOND,
      model: 'qwen3-coder',
      shape: 'held',
      say: { code: 'held', reason: { code: 'agent-busy' } },
      goal: { used: 5, max: 10 },
      queue: [entry('q-price', 'pricing-scraper', { round: 6, hold: { code: 'agent-busy' } })],
    }),
    session({
      name: 'mobile-app',
      client: 'opencode',
      folder: 'code/mobile',
      ago: 3 * SECOND,
      model: 'zai/glm-5',
      shape: 'held',
      say: { code: 'awaiting-receipt' },
      turns: 77,
      goal: { used: 9, max: 40 },
      queue: [
        entry('q-mob', 'mobile-app', {
          round: 9,
          state: 'submitted',
          typedAt: now - 4 * SECOND,
          submittedAt: now - 3 * SECOND,
          text: 'Fix the failing snapshot and run the suite again.',
        }),
      ],
    }),
    session({ name: 'landing-page', client: 'codex', folder: 'code/landing', ago: 34 * MINUTE, model: 'gpt-5-codex' }),
    session({
      name: 'data-migration',
      client: 'claude',
      ...atLimit,
      folder: 'code/data-migration',
      ago: 61 * MINUTE,
      shape: 'paused',
      paused: true,
      say: { code: 'paused', reason: { code: 'by-user' }, waiting: 2 },
      goal: {
        text: 'Migrate the three remaining tables and verify the row counts',
        used: 14,
        max: 50,
        status: { kind: 'paused', reason: { code: 'by-user' }, at: now - HOUR },
      },
      queue: [
        entry('q-data1', 'data-migration', {
          round: 15,
          text: 'Start with the orders table.',
          hold: { code: 'paused', by: 'session' },
          createdAt: now - HOUR,
        }),
        entry('q-data2', 'data-migration', {
          source: 'user',
          text: 'Keep the old table until Monday.',
          hold: { code: 'behind', entryId: 'q-data1' },
          createdAt: now - 50 * MINUTE,
        }),
      ],
    }),
    session({
      name: '周报整理',
      client: 'qwen',
      folder: 'notes/weekly',
      ago: 95 * MINUTE,
      model: 'qwen3-coder',
      goal: { text: '整理本周的周报', used: 1, max: 3 },
      say: { code: 'armed' },
    }),
    session({
      name: 'auth-rework',
      client: 'claude',
      folder: 'code/auth',
      ago: 65 * MINUTE,
      shape: 'done',
      say: { code: 'done', reason: reached },
      goal: {
        text: 'Sessions are signed with the new key',
        used: 17,
        max: 30,
        review: true,
        status: { kind: 'done', reason: reached, at: now - 65 * MINUTE },
        facts: reachedFacts(now, 17),
      },
    }),
    session({
      name: 'changelog',
      client: 'codex',
      folder: 'code/changelog',
      ago: 2 * HOUR,
      model: 'gpt-5-codex',
      shape: 'done',
      say: { code: 'done', reason: { code: 'rounds-used', used: 10, max: 10 } },
      goal: {
        used: 10,
        max: 10,
        status: { kind: 'done', reason: { code: 'rounds-used', used: 10, max: 10 }, at: now - 2 * HOUR },
      },
    }),
    session({
      name: 'e2e-flakes',
      client: 'opencode',
      folder: 'code/e2e',
      ago: 3 * HOUR,
      model: 'zai/glm-5',
      shape: 'done',
      say: { code: 'done', reason: { code: 'no-open-work' } },
      goal: { used: 8, max: null, status: { kind: 'done', reason: { code: 'no-open-work' }, at: now - 3 * HOUR } },
    }),
  ]
  const terminals = sessions
    .filter((s) => s.terminalId !== null)
    .map((s): TerminalView => {
      const pane = s.client === 'codex'
      return {
        id: s.name,
        scope: s.scope ?? 'pty:x',
        kind: pane ? 'tmux' : 'pty',
        home: pane ? 'pane' : s.client === 'qwen' ? 'wrapped' : 'hosted',
        client: s.client,
        name: s.name === 'billing-service' ? 'pty:3' : s.name,
        cwd: s.cwd,
        command: s.client,
        alive: true,
        openedAt: s.startedAt,
        sessionId: s.id,
        hold: s.queue[0]?.hold ?? null,
        exitCode: null,
        pane: pane ? { socket: '/tmp/tmux-1000/default', paneId: '%4' } : null,
        cols: 120,
        rows: 40,
      }
    })
  for (const { sessionId, taskId, dueAt, task } of alarms.alarms) {
    const at = sessions.find(({ id }) => id === sessionId)
    if (at) at.nextAlarm ??= { taskId, dueAt, task, waiting: 1 }
  }
  const [first] = alarms.alarms
  return {
    sessions,
    terminals,
    alarms,
    agents: [
      { client: 'claude', path: '/home/me/.local/bin/claude', version: '2.1.332', standing: { kind: 'verified' } },
      {
        client: 'codex',
        path: '/usr/local/bin/codex',
        version: '0.172.0',
        standing: { kind: 'newer', than: '0.171.0' },
      },
      { client: 'opencode', path: '/usr/local/bin/opencode', version: '1.18.33', standing: { kind: 'verified' } },
      { client: 'qwen', path: '/usr/local/bin/qwen', version: '0.24.4', standing: { kind: 'verified' } },
    ],
    adoptable: sceneAdoptable,
    status: {
      version: '0.1.0',
      pid: 4711,
      host: '127.0.0.1',
      port: 5520,
      startedAt: now - 5 * HOUR,
      home: '/home/me/.onward',
      paused: false,
      simulator: false,
      configPath: '/home/me/.onward/config.json',
      configProblem: null,
      providers: [
        { id: 'zai', type: 'openai-chat', baseUrl: 'https://api.z.ai/v1', models: 2, keys: 2 },
        { id: 'anthropic', type: 'anthropic', baseUrl: 'https://api.anthropic.com', models: 3, keys: 1 },
        { id: 'openai', type: 'openai-responses', baseUrl: 'https://api.openai.com/v1', models: 1, keys: 1 },
        {
          id: 'qwen',
          type: 'openai-chat',
          baseUrl: 'https://dashscope.aliyuncs.com/compatible-mode/v1',
          models: 1,
          keys: 1,
        },
        { id: 'openrouter', type: 'openai-chat', baseUrl: 'https://openrouter.ai/api/v1', models: 1, keys: 2 },
        { id: 'ollama', type: 'openai-chat', baseUrl: 'http://127.0.0.1:11434/v1', models: 1, keys: 0 },
        { id: 'simulator', type: 'simulator', baseUrl: null, models: 1, keys: 0 },
      ],
      counts: { sessions: 13, activity: 4, needsYou: 2, terminals: terminals.length },
      today: { turns: 487, tokens: 9_800_000, costUsd: 11.2 },
      language: 'en',
      limits: [{ provider: 'anthropic', since: now - 2 * MINUTE, lifts: now + 108 * MINUTE, resuming: 2 }],
      alarms: {
        waiting: alarms.waiting,
        missed: alarms.missedTotal,
        next: first
          ? { sessionId: first.sessionId, sessionName: first.sessionName, dueAt: first.dueAt, task: first.task }
          : null,
      },
      timeSync: { status: 'synced', offsetMs: 12, at: now - 21 * MINUTE, lastError: null },
      zone: alarms.zone,
      clock: { enabled: true, timeTag: true, holdMaxMs: MINUTE },
      servertools: sceneServertools,
      budgets: sceneBudgets,
      review: sceneReviewer,
      notifications: { 'held-long': false },
      quietHours: sceneQuietHours,
      outside: sceneOutside(now),
    },
  }
}
