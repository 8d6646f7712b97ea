/**
 * Goal mode in the scene: what the mocks show of billing-service, and states of a goal that a test puts onto any
 * session. For development and tests only.
 */
import type { PauseReason } from '../../../shared/events.ts'
import type { CheckRun, CheckView, FolderChecks, GoalFacts, ReviewView } from '../../../shared/review.ts'
import type { FailedAttempt, FailedTurn, SessionView, StopMessageView } from '../../../shared/state.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND

export const sceneReviewer = { backend: 'model', by: 'review', problem: null } as const
export const sceneBudgets = { rounds: 100, hours: 8, noProgressRounds: 5, tokens: null, costUsd: null }

export const sceneFacts = (now: number, over: Partial<GoalFacts> = {}): GoalFacts => ({
  from: { at: now - 90 * MINUTE, used: 0 },
  spent: { tokens: 0, costUsd: null },
  reviewSpent: { tokens: 0, costUsd: null },
  stuck: 0,
  rounds: [],
  roundsAt: 0,
  latest: null,
  checks: null,
  ...over,
})

const passed = (name: string, argv: readonly string[], at: number, ms: number, say = ''): CheckRun => ({
  name,
  argv,
  outcome: 'passed',
  exitCode: 0,
  at,
  ms,
  say,
})
export const sceneCheck = (name: string, argv: readonly string[], over: Partial<CheckView> = {}): CheckView => ({
  name,
  argv,
  timeoutSeconds: 600,
  from: 'file',
  approval: 'approved',
  approvedAt: 1,
  approvedArgv: null,
  changedFiles: [],
  running: false,
  last: null,
  ...over,
})
export const sceneChecks = (folder: string, ...checks: readonly CheckView[]): FolderChecks => ({
  folder,
  checks,
  problem: null,
})

const lint = ['npm', 'run', 'lint']
const test = ['npm', 'test']

/** The card “Round 12” of the mocks. */
export const sceneReview = (now: number): ReviewView => ({
  round: 12,
  at: now - 39 * SECOND,
  ms: 38 * SECOND,
  by: 'zai/glm-5',
  backend: 'model',
  outcome: { code: 'not-reached' },
  say: 'Two refund tests fail on half cents, and there is no PR description yet.',
  evidence: [
    { claim: 'Ran `npm test`, exit 1', source: 'check:test', result: '' },
    { claim: 'Read `rounding.ts`, lines 40–88', source: 'file:src/invoice/rounding.ts:40-88', result: '' },
    { claim: 'No `PR.md` in `git status`', source: 'git:status', result: '' },
  ],
  blockers: [],
  looks: [
    { tool: 'run_check', what: 'test', ok: true, say: 'exit 1' },
    { tool: 'read_file', what: 'src/invoice/rounding.ts:40-88', ok: true, say: '49 lines' },
    { tool: 'search_text', what: 'refundLine', ok: true, say: '6 places' },
    { tool: 'read_file', what: '.env', ok: false, say: 'it may hold secrets' },
    { tool: 'git_status', what: '', ok: true, say: '2 files changed' },
  ],
  checks: [
    {
      name: 'test',
      argv: test,
      outcome: 'failed',
      exitCode: 1,
      at: now - 45 * SECOND,
      ms: 31_800,
      say: '2 of 214 fail',
    },
  ],
  usage: { input: 21_400, cachedInput: 12_000, output: 900, reasoning: 300 },
  costUsd: 0.02,
})

const stuck = new Set([5, 8])

export function billingFacts(now: number): GoalFacts {
  return sceneFacts(now, {
    from: { at: now - 74 * MINUTE, used: 0 },
    spent: { tokens: 1_240_000, costUsd: 0.97 },
    reviewSpent: { tokens: 262_000, costUsd: 0.21 },
    rounds: Array.from({ length: 12 }, (_, i) => ({ n: i + 1, progress: i === 11 ? null : !stuck.has(i + 1) })),
    roundsAt: 12,
    latest: sceneReview(now),
    checks: sceneChecks(
      '/home/me/code/billing',
      sceneCheck('lint', lint, { last: passed('lint', lint, now - 70 * SECOND, 4_100) }),
      sceneCheck('test', test, {
        last: {
          name: 'test',
          argv: test,
          outcome: 'failed',
          exitCode: 1,
          at: now - 45 * SECOND,
          ms: 31_800,
          say: '2 of 214 fail',
        },
      }),
    ),
  })
}

/** The facts of a goal that was reached an hour ago. */
export function reachedFacts(now: number, round: number): GoalFacts {
  const at = now - 65 * MINUTE
  const runs = [
    passed('lint', lint, at, 3_900),
    passed('test', test, at, 28_400, '412 pass'),
    passed('types', ['npx', 'tsc', '-p', '.'], at, 9_200),
  ]
  return sceneFacts(now, {
    spent: { tokens: 2_900_000, costUsd: 2.4 },
    reviewSpent: { tokens: 310_000, costUsd: 0.3 },
    rounds: Array.from({ length: round }, (_, i) => ({ n: i + 1, progress: true })),
    roundsAt: round,
    latest: {
      ...sceneReview(now),
      round: round + 1,
      at,
      ms: 52_000,
      outcome: { code: 'reached', checks: 3 },
      say: 'Sessions are signed with the new key, and every test passes.',
      evidence: [
        { claim: 'The old key is gone from the code', source: 'search:OLD_KEY', result: 'no place' },
        { claim: 'Every test passes', source: 'check:test', result: '412 pass' },
      ],
      checks: runs,
    },
    checks: sceneChecks('/home/me/code/auth', ...runs.map((run) => sceneCheck(run.name, run.argv, { last: run }))),
  })
}

type Put = Pick<SessionView, 'shape' | 'say' | 'stopMessage'>

const asking = (now: number, reason: PauseReason, over: Partial<StopMessageView>): Put => ({
  shape: 'needs',
  say: { code: 'paused', reason, waiting: 0 },
  stopMessage: {
    text: 'The importer reads all three formats',
    used: 6,
    max: null,
    review: true,
    status: { kind: 'paused', reason, at: now - MINUTE },
    armedAt: now - 90 * MINUTE,
    lastUsedAt: now - 5 * MINUTE,
    goal: sceneFacts(now),
    ...over,
  },
})

/**
 * Every kind of approval beside each other: one runs, one is new, one reads otherwise by now, one is no longer named.
 */
export const askedChecks = (now: number, folder: string): FolderChecks =>
  sceneChecks(
    folder,
    sceneCheck('lint', lint, {
      changedFiles: ['scripts/lint.mjs', 'package.json'],
      last: passed('lint', lint, now - 9 * MINUTE, 4_000),
    }),
    sceneCheck('e2e', ['npx', 'playwright', 'test', '--grep', 'the importer'], {
      approval: 'not-approved',
      approvedAt: null,
    }),
    sceneCheck('test', ['npm', 'test', '--', '--run'], { approval: 'changed', approvedArgv: test }),
    sceneCheck('types', ['npx', 'tsc'], { approval: 'removed' }),
  )

export const waitsForApproval = (now: number, folder: string): Put =>
  asking(
    now,
    { code: 'checks-unapproved', names: ['e2e', 'test'] },
    {
      goal: sceneFacts(now, {
        latest: { ...sceneReview(now), round: 7, outcome: { code: 'checks-unapproved', names: ['e2e', 'test'] } },
        checks: askedChecks(now, folder),
      }),
    },
  )

/** A person began a new conversation in the terminal, in the middle of a goal. */
export const hasLeftGoal = (): Pick<SessionView, 'shape' | 'say' | 'stopMessage' | 'leftGoal'> => {
  const text = 'The importer reads all three formats, and its tests pass'
  return {
    shape: 'needs',
    say: { code: 'left-goal', text },
    stopMessage: null,
    leftGoal: { sessionId: 'importer-01jc', text, used: 6, max: 20 },
  }
}

/** Enter was pressed twice on a followup and did nothing: it stands in the input line. */
export const standsInLine = (now: number, { queue }: SessionView): Pick<SessionView, 'shape' | 'say' | 'queue'> => {
  const hold = { code: 'enter-ignored' } as const
  return {
    shape: 'needs',
    say: { code: 'held', reason: hold },
    queue: queue.map((entry) => ({ ...entry, hold, typedAt: now - 9_000 })),
  }
}

/** The agent gave up on a turn that its provider refused again and again. */
const attempt = (provider: string, model: string, keyAlias: string | null, code: string): FailedAttempt => ({
  provider,
  model,
  keyAlias,
  status: /^\d+$/.test(code) ? Number(code) : null,
  code,
})

/** `goesOn`: by itself when its provider answers */
export const turnFailed = (
  now: number,
  goesOn?: NonNullable<FailedTurn['goesOn']>,
): Pick<SessionView, 'shape' | 'say'> => ({
  shape: goesOn ? 'held' : 'failed',
  say: {
    code: 'turn-failed',
    provider: 'anthropic',
    status: 529,
    message: 'Every provider refused, the last with status 529.',
    since: now - 3 * MINUTE,
    tries: 3,
    tried: [
      attempt('zai', 'glm-5', 'main', 'upstream-unreachable'),
      attempt('anthropic', 'claude-sonnet-4-5', null, '529'),
    ],
    ...(goesOn && { goesOn }),
  },
})

/** `goesOnAt`: a person gave its rounds */
export const isStuck = (now: number, goesOnAt?: number): Put =>
  asking(
    now,
    { code: 'budget', budget: 'no-progress', limit: 5, ...(goesOnAt === undefined ? {} : { goesOnAt }) },
    {
      used: 9,
      max: goesOnAt === undefined ? null : 30,
      goal: sceneFacts(now, {
        stuck: 5,
        rounds: Array.from({ length: 9 }, (_, i) => ({ n: i + 1, progress: i < 4 })),
        checks: sceneChecks('/home/me/code/landing'),
      }),
    },
  )

export const isBlocked = (now: number): Put =>
  asking(
    now,
    {
      code: 'needs-user',
      text: 'The staging database needs a password that is in no file here. Who may give it to the agent?',
    },
    {
      goal: sceneFacts(now, {
        latest: {
          ...sceneReview(now),
          round: 7,
          outcome: { code: 'needs-user', text: 'The staging database needs a password.' },
          blockers: [{ kind: 'needs_user', text: 'The staging database needs a password that is in no file here.' }],
        },
      }),
    },
  )

export const reviewerFails = (now: number): Put =>
  asking(
    now,
    { code: 'review-failed', times: 3, why: 'zai/glm-5 gave no verdict within 300 s.' },
    {
      goal: sceneFacts(now, {
        latest: {
          ...sceneReview(now),
          round: 7,
          evidence: [],
          looks: [],
          outcome: { code: 'failed', why: 'zai/glm-5 gave no verdict within 300 s.', inARow: 3 },
        },
      }),
    },
  )
