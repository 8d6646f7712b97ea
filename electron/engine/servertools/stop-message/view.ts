import type { Spent } from '../../../../shared/cost/cost.ts'
import type { FolderChecks, GoalFacts } from '../../../../shared/review.ts'
import type { LastStopMessage, LeftGoal, StopMessageStatusView, StopMessageView } from '../../../../shared/state.ts'
import { waitFor } from './reducer/background.ts'
import { spentOf } from './reducer/budget.ts'
import { armingOf, type Arming, type Proof, type ScopeState } from './reducer/state.ts'

export interface StopMessageViews {
  stopMessage: StopMessageView | null
  lastStopMessage: LastStopMessage | null
  /** the conversation it was set in; null: none, or for whichever the terminal shows */
  sessionId: string | null
  /** other conversations of the terminal in which a person was asked whether it goes on there */
  askedIn: readonly string[]
}

export const noStopMessage: StopMessageViews = {
  stopMessage: null,
  lastStopMessage: null,
  sessionId: null,
  askedIn: [],
}

/** Facts that a view shows besides the state itself. `totals`: the usage of the agent's session */
export interface Beside {
  totals: Spent | null
  checks: FolderChecks | null
  now: number
  backgroundWaitMs: number
}

/** A scope as viewers see it. Done and failed goals are shown with their facts until the next setting or turn. */
export function viewOf(
  scope: ScopeState | null,
  beside: (arming: Arming | null) => Beside = () => ({
    totals: null,
    checks: null,
    now: 0,
    backgroundWaitMs: 0,
  }),
): StopMessageViews {
  if (!scope) return noStopMessage
  const { state, last } = scope
  const shown = armingOf(state) ?? (state.kind === 'none' ? null : last)
  const lastStopMessage: LastStopMessage | null = last && {
    text: last.text,
    used: last.used,
    max: last.max,
    review: last.review,
    clearedAt: last.clearedAt,
    clearedBy: last.clearedBy,
  }
  const about = beside(armingOf(state))
  const status = statusOf(scope, about)
  if (!shown || !status) return { ...noStopMessage, lastStopMessage, sessionId: last?.sessionId ?? null }
  const { text, used, max, review, armedAt, lastUsedAt } = shown
  const arming = armingOf(state)
  const goal = arming
    ? factsOf(arming, about)
    : state.kind === 'done' && state.proof
      ? doneFacts(state.proof, scope.last?.used ?? 0, state.at, about.checks)
      : null
  return {
    stopMessage: { text, used, max, review, status, armedAt, lastUsedAt, ...(goal ? { goal } : {}) },
    lastStopMessage,
    sessionId: shown.sessionId,
    askedIn: arming?.askedIn ?? [],
  }
}

/** The goal that a person is asked about in this conversation of the terminal. */
export function leftGoalIn(
  conversation: string,
  { stopMessage, sessionId, askedIn }: StopMessageViews,
): LeftGoal | null {
  if (!stopMessage || sessionId === null || sessionId === conversation || !askedIn.includes(conversation)) return null
  const { text, used, max } = stopMessage
  return { sessionId, text, used, max }
}

function factsOf(arming: Arming, { totals, checks }: Beside): GoalFacts {
  const { progress, budgetFrom } = arming
  const { agent, review } = spentOf(arming, totals)
  const sent = progress.rounds.filter((round) => round.n <= arming.used)
  return {
    from: { at: budgetFrom.at, used: budgetFrom.used },
    spent: agent,
    reviewSpent: review,
    stuck: progress.stuck,
    rounds: sent.map(({ n, progress }) => ({ n, progress })),
    roundsAt: Math.max(
      arming.armedAt,
      progress.rounds.at(-1)?.review?.at ?? 0,
      progress.rounds.at(-1)?.at ?? 0,
      progress.before?.at ?? 0,
      arming.lastUsedAt ?? 0,
    ),
    latest: progress.rounds.findLast((round) => round.review !== null)?.review ?? null,
    checks,
  }
}

/** The facts of a goal that is done, with the review that found it so. */
const doneFacts = (
  { review, spent, reviewSpent }: Proof,
  used: number,
  at: number,
  checks: FolderChecks | null,
): GoalFacts => ({ from: { at, used }, spent, reviewSpent, stuck: 0, rounds: [], roundsAt: at, latest: review, checks })

function statusOf(
  { state, lastStop, background }: ScopeState,
  { now, backgroundWaitMs }: Beside,
): StopMessageStatusView | null {
  switch (state.kind) {
    case 'none':
      return null
    case 'armed': {
      const waits = lastStop && waitFor(background, lastStop.sessionId, now, backgroundWaitMs)
      return waits ? { kind: 'armed', waits } : { kind: 'armed' }
    }
    case 'reviewing':
      return { kind: 'reviewing', since: state.since, round: state.round }
    case 'injecting':
      return { kind: 'injecting', entryId: state.entryId }
    case 'paused':
      return { kind: 'paused', reason: state.reason, at: state.at }
    case 'done':
      return { kind: 'done', reason: state.reason, at: state.at }
    case 'failed':
      return { kind: 'failed', reason: state.reason, at: state.at }
  }
}
