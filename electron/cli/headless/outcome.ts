import type { DoneReason, FailReason, HoldReason, MarkerHeldWhy, PauseReason } from '../../../shared/events.ts'
import type { CheckView } from '../../../shared/review.ts'
import type { FailedTurn, SessionView } from '../../../shared/state.ts'
import { exitCodes, type ExitName } from '../exit.ts'
import { statusOf } from '../launch/ending.ts'
import type { Ending } from '../launch/types.ts'

/** Why a run without a terminal is over, as data. */
export type Outcome =
  /** goal reached, rounds used, or no open work */
  | { code: 'done'; reason: DoneReason; review: boolean }
  /** nothing is set there that goes on */
  | { code: 'nothing-more' }
  /** something is set, and the agent came to no end that it goes on after */
  | { code: 'agent-ended' }
  /** none of the agent's calls came to Onward */
  | { code: 'no-calls' }
  | { code: 'paused'; reason: PauseReason }
  | { code: 'held'; reason: HoldReason }
  | { code: 'marker-held'; why: MarkerHeldWhy }
  | { code: 'marker-refused'; message: string }
  | ({ code: 'turn-failed' } & Pick<FailedTurn, 'provider' | 'status' | 'message'>)
  | { code: 'limited'; provider: string; lifts: number | null }
  /** the text was handed over, and the run for it ended without a request that carried it */
  | { code: 'not-received' }
  | { code: 'failed'; reason: FailReason }
  /** a signal told this command to end */
  | { code: 'told'; signal: NodeJS.Signals }
  /** the engine is gone and does not come back */
  | { code: 'engine-lost' }

export interface RunState {
  session: SessionView
  /** the agent had a turn: `session` is more than its terminal */
  called: boolean
  /** requests of its last run, and what follows them, are over */
  requestsOver: boolean
  /** the engine has nothing under way for this terminal */
  atRest: boolean
}

/** Holds that do not end by themselves here. All others end with the run, the clock or the engine's next look. */
const lasting: ReadonlySet<HoldReason['code']> = new Set(['paused', 'other-conversation', 'store-failed'])

/**
 * Decides between two runs of the agent if its job is over. Null: more comes by itself, or may. Only what the engine
 * says counts: a goal that is set and nobody at work on it is no success.
 */
export function outcomeOf({ session, called, requestsOver, atRest }: RunState): Outcome | null {
  const { stopMessage, queue, say, heldMarkers, nextAlarm } = session
  const status = stopMessage?.status
  if (status?.kind === 'failed') return { code: 'failed', reason: status.reason }
  const paused = status?.kind === 'paused' ? status.reason : say.code === 'paused' ? say.reason : null
  if (paused)
    return paused.code === 'budget' && paused.goesOnAt !== undefined ? null : { code: 'paused', reason: paused }
  if (requestsOver && queue.some(({ state }) => state === 'submitted')) return { code: 'not-received' }
  const held = queue.find(({ state }) => state === 'queued')?.hold
  if (held && lasting.has(held.code)) return { code: 'held', reason: held }
  if (!atRest || queue.length > 0 || status?.kind === 'reviewing' || status?.kind === 'injecting') return null
  if (say.code === 'retrying' || say.code === 'background-work' || say.code === 'reviewing') return null
  if (say.code === 'turn-failed') {
    const { provider, status: answered, message } = say
    return say.goesOn ? null : { code: 'turn-failed', provider, status: answered, message }
  }
  if (say.code === 'limited')
    return say.resumeAt === null ? { code: 'limited', provider: say.provider, lifts: say.lifts } : null
  if (say.code === 'held') return null
  if (say.code === 'needs-you') return { code: 'held', reason: { code: 'dialog-open', what: say.what } }
  if (stopMessage && status?.kind === 'done') return { code: 'done', reason: status.reason, review: stopMessage.review }
  if (session.leftGoal || (say.code === 'idle' && say.but === 'armed-elsewhere'))
    return { code: 'held', reason: { code: 'other-conversation' } }
  if (!called) return { code: 'no-calls' }
  const marker = heldMarkers?.at(-1)
  if (!stopMessage && marker) return { code: 'marker-held', why: marker.why }
  if (status?.kind === 'armed') return { code: 'agent-ended' }
  return nextAlarm && !nextAlarm.repeat ? null : { code: 'nothing-more' }
}

/** A bound was reached, or nothing more comes: whether the declared checks pass is looked at once more then. */
export const looksAtChecks = (outcome: Outcome): boolean =>
  outcome.code === 'nothing-more' ||
  (outcome.code === 'done' && outcome.reason.code !== 'goal-reached') ||
  (outcome.code === 'paused' && outcome.reason.code === 'budget')

export const fails = ({ last }: Pick<CheckView, 'last'>): boolean => last !== null && last.outcome !== 'passed'

/** Returns the code this command ends with. An agent's own failure passes through where nothing says more. */
export function exitCodeOf(outcome: Outcome, last: Ending | null, checks: readonly Pick<CheckView, 'last'>[]): number {
  if (outcome.code === 'told') return statusOf({ exitCode: null, signal: outcome.signal })
  const name = named(outcome)
  const own = last === null ? 0 : statusOf(last)
  if (name === 'own' && own !== 0) return own
  if (looksAtChecks(outcome) && checks.some(fails)) return exitCodes.checkFails.code
  if (name === 'own') return exitCodes[outcome.code === 'nothing-more' ? 'ok' : 'failed'].code
  return exitCodes[name].code
}

/** `own`: the agent's exit code says how it went */
function named(outcome: Exclude<Outcome, { code: 'told' }>): ExitName | 'own' {
  switch (outcome.code) {
    case 'done':
      // so many messages were asked for, and no goal
      return outcome.reason.code === 'rounds-used' && outcome.review ? 'bound' : 'ok'
    case 'nothing-more':
    case 'agent-ended':
    case 'no-calls':
      return 'own'
    case 'turn-failed':
      return outcome.status === 401 || outcome.status === 403 ? 'needsPerson' : 'own'
    case 'limited':
      return 'bound'
    case 'paused':
      if (outcome.reason.code === 'budget') return 'bound'
      return ['review-failed', 'not-received', 'not-submitted'].includes(outcome.reason.code) ? 'fault' : 'needsPerson'
    case 'held':
      return outcome.reason.code === 'store-failed' ? 'fault' : 'needsPerson'
    case 'marker-held':
    case 'marker-refused':
      return 'needsPerson'
    case 'not-received':
    case 'failed':
    case 'engine-lost':
      return 'fault'
  }
}
