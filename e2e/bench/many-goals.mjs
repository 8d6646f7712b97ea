// Goals that have been at work for long: scopes with forty rounds behind them, and a folder with many files.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { prose } from './bodies.mjs'

const ROUNDS = 40
const now = Date.now()

export const scopeOf = (i) => `tmux:goal-${i}`
export const sessionOf = (i) => `${String(i).padStart(8, '0')}-7b1e-4c2a-9d3f-000000000000`
const goal = `Make all tests of the payments package pass without changing what they expect. ${prose(400, 3)}`

const words = (most, size, seed) => prose(Math.max(8, Math.round(most * size)), seed)

/** As a reviewer's word is kept. `size`: 1 is the most there may be of everything */
function review(n, size) {
  const some = (most, make) => Array.from({ length: Math.max(1, Math.round(most * size)) }, (_, i) => make(i))
  return {
    round: n,
    at: now,
    ms: 21_000,
    by: 'zai/glm-5',
    backend: 'model',
    outcome: { code: 'not-reached' },
    say: words(300, size, n),
    evidence: some(8, (i) => ({
      claim: words(300, size, i),
      source: `file:src/pay/refund-${i}.ts:40-88`,
      result: words(300, size, i + 1),
    })),
    blockers: some(8, (i) => ({ kind: 'missing_evidence', text: words(300, size, i) })),
    looks: some(30, (i) => ({
      tool: 'read_file',
      what: `src/pay/refund-${i}.ts:1-200`,
      ok: true,
      say: words(160, size, i),
    })),
    checks: some(3, (i) => ({
      name: `check-${i}`,
      argv: ['npm', 'run', `check-${i}`],
      outcome: 'failed',
      exitCode: 1,
      at: now,
      ms: 9_000,
      say: words(160, size, i),
    })),
    usage: { input: 41_000, cachedInput: 30_000, output: 900, reasoning: 300 },
    costUsd: 0.02,
  }
}

const round = (n, size) => ({
  n,
  at: now,
  did: {
    calls: 41,
    tools: Array.from({ length: 8 }, (_, i) => ({ name: `tool_${i}`, count: 9 - i })),
    text: words(600, size, n),
  },
  review: review(n, size),
  sent: words(1_200, size, n),
  progress: true,
})

/** Forty rounds, one after the other: older ones are shortened as new ones open. */
const roundsOf = (course, size) =>
  Array.from({ length: ROUNDS }, (_, n) => round(n + 1, size)).reduce(
    (before, { review: found, sent, progress, ...opened }) =>
      course.changeRound(course.openRound(before, opened), opened.n, { review: found, sent, progress }),
    course.newGoalProgress,
  ).rounds

/** Armed, with forty rounds used. */
function sticky(i, size, rounds) {
  return {
    scope: scopeOf(i),
    stopMessageText: goal,
    stopMessageMaxRepeats: 90,
    stopMessageUsed: ROUNDS,
    stopMessageUpdatedAt: now,
    stopMessageLastUsedAt: now,
    stopMessageStageMode: 'auto',
    stopMessageAiMode: 'on',
    stopMessageAiSeedPrompt: goal,
    stopMessageAiHistory: rounds,
    stopMessageCourse: {
      stuck: 0,
      before: { requestId: 'r-before#39', text: words(4_000, size, i), calls: 'sixteen-characte' },
      reviewSpent: { tokens: 900_000, costUsd: 0.8 },
      failedReviews: 0,
    },
    stopMessageStatus: { kind: 'armed', reason: null, at: null, entryId: null, review: null },
    stopMessageArmId: `arm-${i}`,
    stopMessageArmedAt: now,
    stopMessageSessionId: sessionOf(i),
    stopMessageBudgetFrom: { used: 0, at: now },
    stopMessageCounted: [],
    lastStopMessage: null,
    lastStop: null,
    movedTo: null,
  }
}

/**
 * Fills `root` with the states of so many scopes. `course`: the engine's own, for rounds age by its rule. `size`: of
 * what is said in them, 1 is the most there may be
 */
export function fillGoals(root, course, scopes, size) {
  mkdirSync(root, { recursive: true })
  const rounds = roundsOf(course, size)
  for (let i = 0; i < scopes; i++)
    writeFileSync(join(root, `tmux-goal-${i}.json`), JSON.stringify({ version: 1, state: sticky(i, size, rounds) }), {
      mode: 0o600,
    })
}

/** A project of so many files, in folders of a hundred, with three checks declared. */
export function fillProject(folder, files) {
  for (let i = 0; i < files; i++) {
    const below = join(folder, `package-${Math.floor(i / 1_000)}/part-${Math.floor(i / 100) % 10}`)
    if (i % 100 === 0) mkdirSync(below, { recursive: true })
    writeFileSync(join(below, `file-${i}.ts`), 'export {}\n')
  }
  writeFileSync(join(folder, 'refund.ts'), prose(6_000, 1))
  for (let i = 0; i < 3; i++) writeFileSync(join(folder, `check-${i}.cjs`), 'process.exit(0)\n')
  writeFileSync(
    join(folder, '.onward.json'),
    JSON.stringify({
      checks: [0, 1, 2].map((i) => ({ name: `check-${i}`, run: [process.execPath, `check-${i}.cjs`] })),
    }),
  )
}
