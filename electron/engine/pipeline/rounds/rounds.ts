import { furtherRounds, type OpenAnswer } from './further-rounds.ts'
import { releaseRequest, asItCame, type RequestDraft, isBroken, type Turn, type TurnEnd } from '../turn.ts'
import { roundReplies, type RoundReplies, visibleSummary } from './round-replies.ts'
import type { RoundsInput } from './rounds-input.ts'
import { isSilentEnd } from './inner-round.ts'
import { endsInResults } from '../../protocol/lens/lens.ts'
import type { SendDeps } from '../send/deps.ts'
import { send } from '../send/send.ts'

/**
 * Sends a turn and whatever has to follow it, so that the client sees one answer made of all rounds: another round with
 * the results of Onward's own tools, a followup for a client that has no terminal to type it into. Nearly always it is
 * one round, whose bytes go by untouched.
 * @throws OnwardError as `send` does for the first round, and where a JSON answer's later round fails
 */
export async function sendInRounds(turn: Turn, deps: SendDeps, input: RoundsInput): Promise<TurnEnd> {
  const open: OpenAnswer = { waiting: null, watch: null }
  const { replies, held, afterResults } = begin(turn, input, open)
  const first = await send(turn, deps, replies)
  releaseRequest(turn)
  // Any further round is made of the draft.
  const draft = held ?? turn.draft
  if (draft.reminder === null && !mayContinue(first, afterResults, replies, input)) {
    replies.joined.finish()
    turn.call.bodyReleased?.()
    return endOfOnly(first, replies, turn, deps)
  }
  const end = await furtherRounds(turn, deps, input, { draft, first, replies, open })
  turn.call.bodyReleased?.()
  return end
}

/**
 * A function of its own: a variable of `sendInRounds` would keep the request's bytes while its answer streams. `held`:
 * the draft where a further round may be made of it.
 */
function begin(
  turn: Turn,
  { toolRounds, next }: RoundsInput,
  open: OpenAnswer,
): { replies: RoundReplies; held: RequestDraft | null; afterResults: boolean } {
  const { draft } = turn
  const { reply: client, entry } = turn.call
  const replies = roundReplies(client, entry, {
    names: toolRounds?.names ?? noNames,
    holdsEnd: next !== null || (toolRounds?.holdsEnd ?? false),
    holdsEmpty: toolRounds?.watchesEnd ?? false,
    keepsRequest: next !== null || draft.reminder !== null || (toolRounds?.asksAgain ?? false),
    keepsAnswer: draft.reminder !== null,
    previousResponseId: entry === 'responses' ? previousOf(turn) : null,
    onFirstByte() {
      open.waiting?.dispose()
      open.waiting = null
    },
    onSaid() {
      // Not before the round has content: one that begins with an error has brought the client no alarm.
      if (!replies.joined.streaming) return
      open.watch?.began()
      open.watch = null
    },
  })
  const afterResults = toolRounds !== null && endsInResults(draft.lens)
  return { replies, held: replies.keepsRequest ? draft : null, afterResults }
}

/** True if anything may follow the first round, or has to be added to it. */
function mayContinue(
  first: TurnEnd,
  afterResults: boolean,
  replies: RoundReplies,
  { toolRounds, next }: RoundsInput,
): boolean {
  if (next !== null || replies.hidden()) return true
  if (toolRounds === null || isBroken(first) || !replies.joined.open()) return false
  const { finish } = first.summary
  return (
    (finish === 'stop' || finish === 'length') &&
    toolRounds.mayReact({
      finish,
      empty: !replies.said() && !isSilentEnd(first, afterResults),
      streaming: replies.joined.streaming,
    })
  )
}

/** The same end as that of `furtherRounds` where nothing followed. */
function endOfOnly(first: TurnEnd, replies: RoundReplies, turn: Turn, deps: SendDeps): TurnEnd {
  return {
    ...first,
    summary: visibleSummary(first, replies.names),
    durationMs: deps.clock.monotonic() - turn.call.receivedAt,
    bytesOut: replies.joined.bytesOut,
  }
}

/** Returns the id of the response that the client goes on from; the provider may know it by another one. */
function previousOf({ call, draft }: Turn): string | null {
  if (typeof draft.lens.value('previous_response_id') !== 'string') return null
  const sent = asItCame(draft, call.body).value('previous_response_id')
  return typeof sent === 'string' ? sent : null
}

const noNames: ReadonlySet<string> = new Set()
