import type { NearLimit, PauseReason, ReviveRest } from '../../../../shared/events.ts'
import type { SessionLimit } from '../../../../shared/routing.ts'
import type {
  AskedView,
  FailedTurn,
  LeftGoal,
  OutboxEntryView,
  RecoverView,
  SessionSay,
  StopMessageView,
  TurnFailure,
} from '../../../../shared/state.ts'
import type { SessionShape } from '../../../../shared/words.ts'

/** The facts that decide a session's state on screen. */
export interface ShapeFacts {
  /** a request of the session is under way, or the agent runs its tools between two requests */
  working: { turn: number; since: number } | null
  /** a dialog or question is open in its terminal */
  needsYou: { what: string; asked: AskedView | null; since?: number } | null
  /** `left`: it lives, and has another conversation now; `quit`: its agent has ended, and the terminal goes on */
  terminal: 'alive' | 'left' | 'quit' | 'gone' | 'none'
  stopMessage: StopMessageView | null
  /** a goal of another conversation of its terminal, which a person is asked about here */
  leftGoal: LeftGoal | null
  queue: readonly OutboxEntryView[]
  /** its last turn ended at a provider's limit that still stands */
  limit: SessionLimit | null
  /** what goes on by itself there waits for a reset, and no terminal's queue shows that */
  nearLimit: NearLimit | null
  /** its last main request failed */
  failure: TurnFailure | null
  /** nothing of an answer came since: a request under way is one more try */
  triesInVain: boolean
  /** nothing was heard since then of its agent, which is busy on its screen */
  stalled: { since: number } | null
  /** what its agent set itself has reached this bound, and asks */
  drivesAsk: Omit<Extract<SessionSay, { code: 'drives-ask' }>, 'code'> | null
  /** its agent ended by itself, and a person has to see to it */
  rests: ReviveRest | null
  /** that it goes on by itself after such a failure */
  recovers: RecoverView['waits']
  pausedByUser: boolean
  /** the sentence for an idle session; null: nothing is armed */
  idleBut: 'marker-held' | 'armed-elsewhere' | null
}

/** One shape and one sentence per session: what needs a person comes first (design README). */
export function sessionShape(facts: ShapeFacts): { shape: SessionShape; say: SessionSay } {
  const { stopMessage } = facts
  const waiting = facts.queue.filter((e) => e.state === 'queued')
  const isOver = facts.terminal === 'gone' || facts.terminal === 'quit' || facts.terminal === 'left'
  if (facts.needsYou !== null && facts.terminal === 'alive')
    return {
      shape: 'needs',
      say: {
        code: 'needs-you',
        what: facts.needsYou.what,
        ...(facts.needsYou.asked && { asked: facts.needsYou.asked }),
        ...(facts.needsYou.since !== undefined && { since: facts.needsYou.since }),
      },
    }
  const failed = failedTurn(facts)
  if (stopMessage?.status.kind === 'paused' && asks(stopMessage.status.reason)) {
    const { reason } = stopMessage.status
    return {
      shape: 'needs',
      say: { code: 'paused', reason, waiting: waiting.length, ...(failed && { failure: failed }) },
    }
  }
  if (facts.stalled && !isOver) return { shape: 'needs', say: { code: 'stalled', since: facts.stalled.since } }
  if (facts.drivesAsk && !isOver) return { shape: 'needs', say: { code: 'drives-ask', ...facts.drivesAsk } }
  const retrying = isOver ? null : retryingTurn(facts)
  if (retrying && facts.triesInVain) return retrying
  if (facts.working && !isOver) return { shape: 'working', say: { code: 'working', ...facts.working } }
  if (retrying) return retrying
  if (stopMessage?.status.kind === 'reviewing' && !isOver && !facts.pausedByUser) {
    const { since, round } = stopMessage.status
    return { shape: 'working', say: { code: 'reviewing', round, since } }
  }
  if (stopMessage?.status.kind === 'failed')
    return { shape: 'failed', say: { code: 'failed', reason: stopMessage.status.reason } }
  const goes = stopMessage?.status.kind === 'armed' || stopMessage?.status.kind === 'reviewing'
  if (facts.rests && goes && (facts.terminal === 'gone' || facts.terminal === 'quit'))
    return { shape: 'failed', say: { code: 'gone', rests: facts.rests } }
  if (facts.terminal === 'left') return { shape: 'gone', say: { code: 'left' } }
  if (isOver) return { shape: 'gone', say: { code: 'gone', ...(facts.terminal === 'quit' && { quit: true }) } }
  if (facts.pausedByUser || stopMessage?.status.kind === 'paused') {
    const say = { code: 'paused', reason: { code: 'by-user' }, waiting: waiting.length } as const
    return failed ? { shape: 'failed', say: { ...say, failure: failed } } : { shape: 'paused', say }
  }
  // It stands in the input line, where only a person can send it or take it out.
  const ignored = waiting.find((e) => e.hold?.code === 'enter-ignored')?.hold
  if (ignored) return { shape: 'needs', say: { code: 'held', reason: ignored } }
  // Queued or armed texts go on after this turn and must not hide that it failed. Where a limit stands as well, the
  // turn came after it.
  if (failed)
    return {
      shape: failed.goesOn ? 'held' : 'failed',
      say: { code: 'turn-failed', ...failed, ...(waiting.length > 0 && { waiting: waiting.length }) },
    }
  if (facts.queue.some((e) => e.state === 'typing' || e.state === 'submitted'))
    return { shape: 'held', say: { code: 'awaiting-receipt' } }
  if (facts.leftGoal) return { shape: 'needs', say: { code: 'left-goal', text: facts.leftGoal.text } }
  const first = waiting[0]
  if (first) return { shape: 'held', say: first.hold ? { code: 'held', reason: first.hold } : { code: 'queued' } }
  if (facts.limit) {
    const { provider, since, lifts, resumeAt } = facts.limit
    return { shape: 'held', say: { code: 'limited', provider, since, lifts, resumeAt } }
  }
  if (stopMessage?.status.kind === 'done')
    return { shape: 'done', say: { code: 'done', reason: stopMessage.status.reason } }
  if (stopMessage?.status.kind === 'armed' && stopMessage.status.waits)
    return { shape: 'held', say: { code: 'background-work', ...stopMessage.status.waits } }
  if (stopMessage && facts.nearLimit) return { shape: 'held', say: { code: 'held', reason: facts.nearLimit } }
  if (stopMessage) return { shape: 'idle', say: { code: 'armed' } }
  return { shape: 'idle', say: { code: 'idle', ...(facts.idleBut && { but: facts.idleBut }) } }
}

/**
 * The agent asks again by itself. One failure passes; from the second on a person may want to do something. If a limit
 * stands, that is the reason, and the agent's own tries change nothing.
 */
function retryingTurn({ failure, limit }: ShapeFacts): { shape: SessionShape; say: SessionSay } | null {
  if (!failure?.retries || limit) return null
  const { provider, status, message, tries, since, tried } = failure
  return {
    shape: tries > 1 ? 'needs' : 'held',
    say: { code: 'retrying', provider, status, message, tries, since, tried },
  }
}

/** null: it ended well, or the agent may still ask again by itself */
function failedTurn({
  failure,
  limit,
  recovers,
}: Pick<ShapeFacts, 'failure' | 'limit' | 'recovers'>): FailedTurn | null {
  if (failure === null || failure.retries) return null
  const { provider, status, message, since, tries, tried } = failure
  return {
    provider,
    status,
    message,
    since,
    tries,
    tried,
    ...(limit && { limit: { provider: limit.provider, lifts: limit.lifts } }),
    ...(recovers && { goesOn: recovers }),
  }
}

/** A pause that waits for a person's word is not the same as one a person chose. */
const asks = (reason: PauseReason): boolean => reason.code !== 'by-user'
