/** Goal mode's data as the design's scene has it. */
import type { CheckRun, CheckView, FolderChecks, GoalFacts, ReviewView, RoundView } from '../../../shared/review.ts'
import { sceneTime } from '../../engine/control/testing/fake-control-api.ts'

export const sampleRun = (more: Partial<CheckRun> = {}): CheckRun => ({
  name: 'tests',
  argv: ['npm', 'test'],
  outcome: 'failed',
  exitCode: 1,
  at: sceneTime - 60_000,
  ms: 8_200,
  say: '2 of 214 fail',
  ...more,
})

export const sampleCheck = (more: Partial<CheckView> = {}): CheckView => ({
  name: 'tests',
  argv: ['npm', 'test'],
  timeoutSeconds: 600,
  from: 'file',
  approval: 'approved',
  approvedAt: sceneTime - 3_600_000,
  approvedArgv: null,
  changedFiles: [],
  running: false,
  last: sampleRun(),
  ...more,
})

export const sampleFolder = (
  checks: readonly CheckView[] = [sampleCheck()],
  more: Partial<FolderChecks> = {},
): FolderChecks => ({ folder: '/home/ada/code/billing', checks, problem: null, ...more })

export const sampleReview = (more: Partial<ReviewView> = {}): ReviewView => ({
  round: 12,
  at: sceneTime - 48_000,
  ms: 38_000,
  by: 'zai/glm-5',
  backend: 'model',
  outcome: { code: 'checks-failed', names: ['tests'] },
  say: 'Two refund tests fail on half cents.',
  evidence: [{ claim: 'Refunds round up', source: 'file:rounding.ts:40-88', result: 'Math.round' }],
  blockers: [{ kind: 'run_failed', text: 'tests are red' }],
  looks: [],
  checks: [sampleRun()],
  usage: { input: 11_000, cachedInput: 4_000, output: 900, reasoning: 0 },
  costUsd: 0.02,
  ...more,
})

export const sampleRound = (more: Partial<RoundView> = {}): RoundView => ({
  n: 12,
  at: sceneTime - 86_000,
  did: {
    calls: 3,
    tools: [
      { name: 'Edit', count: 2 },
      { name: 'Read', count: 1 },
    ],
    text: 'All tests are green\nnow.',
  },
  review: sampleReview(),
  sent: 'Two tests in rounding.test.ts still fail.',
  progress: true,
  ...more,
})

export const sampleGoal = (more: Partial<GoalFacts> = {}): GoalFacts => ({
  from: { at: sceneTime - 4_440_000, used: 0 },
  spent: { tokens: 941_000, costUsd: 1.32 },
  reviewSpent: { tokens: 140_000, costUsd: 0.24 },
  stuck: 0,
  rounds: [],
  roundsAt: sceneTime,
  latest: sampleReview(),
  checks: sampleFolder(),
  ...more,
})
