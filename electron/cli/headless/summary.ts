import { z } from 'zod'
import type { RoundView } from '../../../shared/review.ts'
import type { FolderChecks } from '../../../shared/review.ts'
import type { Usage } from '../../../shared/cost/usage.ts'
import { addSpend, noSpend, type Spend } from '../../../shared/cost/cost.ts'
import type { Sentences } from '../../../shared/sentences/index.ts'
import type { SessionView } from '../../../shared/state.ts'
import type { Ending } from '../launch/types.ts'
import { exitCodeOf, type Outcome } from './outcome.ts'

const spend = {
  /** null: not known, as for a model without a price */
  costUsd: z.number().nullable(),
  /** tokens at an unknown price: the cost is at least `costUsd`; absent: none */
  unpricedTokens: z.number().optional(),
  /** what a subscription paid for, by list prices; absent: nothing */
  worthUsd: z.number().optional(),
}
const tokens = { input: z.number(), cachedInput: z.number(), output: z.number(), reasoning: z.number() }

/** The file of `onward run --headless --summary`. Members are added to version 1, and none is taken away. */
export const summaryShape = z.object({
  version: z.literal(1),
  /** the exit code of the command */
  exitCode: z.number().int(),
  /** why it ended: a stable word, and a sentence */
  outcome: z.string(),
  reason: z.string(),
  agent: z.object({
    client: z.string(),
    /** null: no call of it came */
    session: z.string().nullable(),
    folder: z.string(),
    /** of its last run; both null: it never started */
    exitCode: z.number().int().nullable(),
    signal: z.string().nullable(),
  }),
  /** ISO 8601 */
  startedAt: z.string(),
  seconds: z.number(),
  /** null: none was set */
  goal: z
    .object({
      text: z.string(),
      /** false: the text itself was said each time */
      review: z.boolean(),
      reached: z.boolean(),
      used: z.number().int(),
      /** null: no limit */
      max: z.number().int().nullable(),
    })
    .nullable(),
  /** oldest first, the last 40 */
  rounds: z.array(
    z.object({
      round: z.number().int(),
      at: z.string(),
      toolCalls: z.number().int(),
      /** a stable word of what the review came to, and its sentence; null: there was none */
      review: z.string().nullable(),
      found: z.string().nullable(),
      /** null: nothing was said to the agent */
      sent: z.string().nullable(),
    }),
  ),
  checks: z.array(
    z.object({
      name: z.string(),
      argv: z.array(z.string()),
      /** `not-run`: it never ran, or nobody approved it */
      outcome: z.enum(['passed', 'failed', 'timed-out', 'not-started', 'stopped', 'not-run']),
      exitCode: z.number().int().nullable(),
      seconds: z.number(),
      say: z.string(),
    }),
  ),
  /** of the agent, in this run */
  usage: z.object({ ...tokens, ...spend }),
  /** of the reviewer alone, for the rounds above */
  reviewer: z.object({ ...tokens, ...spend }),
})
export type Summary = z.infer<typeof summaryShape>

export interface Facts {
  outcome: Outcome
  client: string
  folder: string
  startedAt: number
  endedAt: number
  last: Ending | null
  /** null: the engine could not be asked any more */
  session: SessionView | null
  /** the agent had a turn */
  called: boolean
  /** the conversation as it was before, where it had begun earlier */
  before: Pick<SessionView, 'usage' | 'costUsd' | 'unpricedTokens' | 'worthUsd'> | null
  rounds: readonly RoundView[]
  checks: FolderChecks['checks']
}

const iso = (at: number): string => new Date(at).toISOString()
const seconds = (ms: number): number => Math.max(0, Math.round(ms) / 1_000)

export function summaryOf(facts: Facts, sentences: Sentences): Summary {
  const { outcome, session, last, rounds, checks, startedAt } = facts
  const stopMessage = session?.stopMessage ?? null
  return {
    version: 1,
    exitCode: exitCodeOf(outcome, last, checks),
    outcome: wordOf(outcome),
    reason: sentenceOf(outcome, sentences),
    agent: {
      client: facts.client,
      session: facts.called ? (session?.id ?? null) : null,
      folder: facts.folder,
      exitCode: last?.exitCode ?? null,
      signal: last?.signal ?? null,
    },
    startedAt: iso(startedAt),
    seconds: seconds(facts.endedAt - startedAt),
    goal: stopMessage && {
      text: stopMessage.text,
      review: stopMessage.review,
      reached: outcome.code === 'done' && outcome.reason.code === 'goal-reached',
      used: stopMessage.used,
      max: stopMessage.max,
    },
    rounds: rounds.toReversed().map(({ n, at, did, review, sent }) => ({
      round: n,
      at: iso(at),
      toolCalls: did.calls,
      review: review?.outcome.code ?? null,
      found: review && sentences.reviewed(review),
      sent,
    })),
    checks: checks.map(({ name, argv, approval, last: run }) => ({
      name,
      argv: [...argv],
      outcome: run?.outcome ?? 'not-run',
      exitCode: run?.exitCode ?? null,
      seconds: seconds(run?.ms ?? 0),
      say: run?.say ?? (approval === 'approved' ? 'It did not run.' : 'Nobody approved it.'),
    })),
    usage: spentIn(session, facts.before),
    reviewer: {
      ...rounds.reduce((sum, { review }) => added(sum, review?.usage ?? none, 1), none),
      ...rounds.reduce<Spend>((sum, { review }) => (review ? addSpend(sum, review) : sum), noSpend),
    },
  }
}

const none = { input: 0, cachedInput: 0, output: 0, reasoning: 0 }
type Tokens = Pick<Usage, keyof typeof none>
const added = (a: Tokens, b: Tokens, sign: 1 | -1): Tokens => ({
  input: a.input + sign * b.input,
  cachedInput: a.cachedInput + sign * b.cachedInput,
  output: a.output + sign * b.output,
  reasoning: a.reasoning + sign * b.reasoning,
})

/** A conversation that had begun before this run has spent something already. */
function spentIn(session: Facts['before'], before: Facts['before']): Tokens & Spend {
  const less = (now: number | undefined, then: number | undefined) => (now ?? 0) - (then ?? 0)
  const unpricedTokens = less(session?.unpricedTokens, before?.unpricedTokens)
  const worthUsd = less(session?.worthUsd, before?.worthUsd)
  const costUsd = session?.costUsd ?? null
  return {
    ...added(session?.usage ?? none, before?.usage ?? none, -1),
    costUsd: costUsd === null ? null : less(costUsd, before?.costUsd ?? 0),
    ...(unpricedTokens > 0 && { unpricedTokens }),
    ...(worthUsd > 0 && { worthUsd }),
  }
}

/** `goal-reached`, `budget`, `agent-ended`: with a reason of its own that one's word. */
function wordOf(outcome: Outcome): string {
  switch (outcome.code) {
    case 'done':
    case 'paused':
    case 'held':
    case 'failed':
      return outcome.reason.code
    default:
      return outcome.code
  }
}

function sentenceOf(outcome: Outcome, { done, pause, hold, fail, markerHeld }: Sentences): string {
  switch (outcome.code) {
    case 'done':
      return done(outcome.reason)
    case 'paused':
      return pause(outcome.reason)
    case 'held':
      return hold(outcome.reason)
    case 'failed':
      return fail(outcome.reason)
    case 'marker-held':
      return `A marker was not followed: ${markerHeld(outcome.why)}. Say the goal with --goal`
    case 'marker-refused':
      return `A marker was not followed: ${outcome.message}`
    case 'turn-failed':
      return `The last turn failed with ${outcome.status}: ${outcome.message}`
    case 'limited':
      return `The limit of ${outcome.provider} is reached`
    case 'not-received':
      return fail({ code: 'not-received' })
    case 'nothing-more':
      return 'The agent has ended, and nothing is set that goes on'
    case 'agent-ended':
      return 'The agent ended before it had finished its turn'
    case 'no-calls':
      return 'The agent ended, and none of its calls came to Onward'
    case 'told':
      return `Ended by ${outcome.signal}`
    case 'engine-lost':
      return 'Onward’s engine is gone'
  }
}
