import type { Usage } from '../../../shared/events.ts'
import { messageOf, OnwardError } from '../base/errors.ts'
import { appendExchange } from '../protocol/append-exchange.ts'
import { splice } from '../protocol/index.ts'
import type { ResponseSummary } from '../protocol/types.ts'
import type { RouteChoice } from '../router/types.ts'
import { releaseRequest } from './release-request.ts'
import { roundReplies, type RoundReplies } from './round-replies.ts'
import { send, type SendDeps } from './send.ts'
import type { ReenterFact, Turn, TurnEnd } from './turn.ts'
import type { Reply } from './types.ts'

/**
 * Decides after each round that came to an end what the user says next; null: nothing, this was all. Asked once per
 * round, whatever its finish, and counts a round before it gives its text (spec 00, ruling 8).
 */
export type NextFollowup = (summary: ResponseSummary, clientLeft: boolean) => Promise<{ text: string } | null>

/**
 * Sends a turn and, at each plain stop, the followup `next` gives: the client, which has no terminal to type it into,
 * sees one answer made of all rounds (spec 03, reenter mode). A later round that fails costs the client nothing: its
 * answer ends as the round before did, and `reenter.failure` of the result says why.
 * @throws OnwardError as `send` does for the first round
 */
export async function sendWithReenter(turn: Turn, deps: SendDeps, next: NextFollowup): Promise<TurnEnd> {
  const client = turn.call.reply
  const replies = roundReplies(client, turn.call.entry)
  const severalChoices = Number(turn.lens.value('n') ?? turn.lens.value('generationConfig', 'candidateCount') ?? 1) > 1
  const growingList = turn.lens.streamForm === 'json-array'
  let request = splice(turn.lens.body, turn.edits)
  const first = await send({ ...turn, call: { ...turn.call, reply: replies.reply } }, deps)
  releaseRequest(turn)

  const usages = [first.summary.usage]
  let rounds = 1
  let last = first
  let failure: ReenterFact['failure'] = null
  const fail = (round: number, error: unknown): void => { failure = { round, ...described(error) } }
  const seen = (): ResponseSummary => ({ ...last.summary, usage: sumOf(usages) })

  for (;;) {
    try {
      if (severalChoices && isPlainStop(last)) throw new OnwardError('several-choices', 'A request for several choices has no one answer to go on from.')
      if (growingList && isPlainStop(last)) throw new OnwardError('no-joined-list', 'Followups within one answer need a stream of events (alt=sse) or an answer in one piece; this client asked for a JSON list.')
      const followup = await next(last.summary, client.left)
      if (!followup || client.left || !isPlainStop(last)) break
      request = goOn(turn, request, replies, followup.text)
    } catch (error) {
      fail(rounds, error)
      break
    }
    replies.next()
    const inner = await sendInner(turn, request, replies.reply, deps, last.choice)
    if (inner.end) usages.push(inner.end.summary.usage)
    if (inner.end && isWhole(inner.end) && replies.fits) {
      rounds++
      last = inner.end
      continue
    }
    replies.drop()
    // Leaving is the client's own wish, not a failure.
    if (client.left && inner.end) last = inner.end
    else fail(rounds + 1, inner.error ?? inner.end?.summary.error ?? null)
    break
  }

  const clientLeft = client.left
  replies.finish()
  return {
    ...first,
    summary: seen(),
    durationMs: deps.clock.monotonic() - turn.call.receivedAt,
    bytesOut: replies.bytesOut,
    clientLeft,
    reenter: { rounds, failure },
  }
}

const isWhole = ({ status, summary }: TurnEnd): boolean => status < 400 && summary.complete && summary.error === null
const isPlainStop = (end: TurnEnd): boolean => isWhole(end) && end.summary.finish === 'stop'

/** The request of the next round: the last one with its answer and the followup behind it. */
function goOn(turn: Turn, request: Buffer, replies: RoundReplies, text: string): Buffer {
  const answer = replies.answer()
  if (!answer) throw new OnwardError('answer-too-large', 'The answer is too large to be sent back to the provider with a followup.')
  return appendExchange(turn.codec.read(request, turn.call.path), answer, text)
}

/** One inner request, to the provider, model and key of the first. */
async function sendInner(turn: Turn, body: Buffer, reply: Reply, deps: SendDeps, choice: RouteChoice | null): Promise<{ end: TurnEnd | null; error: unknown }> {
  try {
    if (!choice) throw new OnwardError('no-route', 'It is not known where the first round went.')
    const headers = Object.fromEntries(Object.entries(turn.call.headers).filter(([name]) => !namesOneRequest.has(name)))
    const inner: Turn = { ...turn, reentered: true, lens: turn.codec.read(body, turn.call.path), edits: [], call: { ...turn.call, body, headers, reply, receivedAt: deps.clock.monotonic() } }
    return { end: await send(inner, { ...deps, choose: only(choice), hasRoute: (_ask, tried) => tried.length === 0 }), error: null }
  } catch (error) {
    return { end: null, error }
  }
}

/** A provider answers a request under a known key with the answer it gave before. */
const namesOneRequest = new Set(['idempotency-key', 'x-idempotency-key'])

const only = (choice: RouteChoice): SendDeps['choose'] => (_ask, tried) => {
  if (tried.length > 0) throw new OnwardError('no-route', 'A followup stays with the provider and key of its first round.')
  return choice
}

function described(error: unknown): { code: string; message: string } {
  if (error === null) return { code: 'upstream-broke-off', message: 'The provider ended its answer in the middle.' }
  if (OnwardError.isInstance(error)) return { code: error.code, message: error.message }
  if (typeof error === 'object' && 'code' in error && 'message' in error) return { code: String(error.code), message: String(error.message) }
  return { code: 'internal', message: messageOf(error) }
}

/** What all rounds used together; null when no provider said. */
function sumOf(usages: readonly (Usage | null)[]): Usage | null {
  return usages.reduce((sum, usage) => (sum && usage
    ? { input: sum.input + usage.input, cachedInput: sum.cachedInput + usage.cachedInput, output: sum.output + usage.output, reasoning: sum.reasoning + usage.reasoning }
    : sum ?? usage), null)
}
