import type { Clock } from '../../base/clock.ts'
import { OnwardError } from '../../base/errors.ts'
import { estimateTokens } from '../../protocol/canonical/estimate-tokens.ts'
import type { WireProtocol } from '../../protocol/canonical/request.ts'
import { conversionOf } from '../../protocol/conversions.ts'
import { parseObject } from '../../protocol/values.ts'
import { bytesFor, emptySummary, type Turn, type TurnEnd, type Reply } from '../turn.ts'

/**
 * Answers a message that held only commands in one line, in the entry protocol, without calling a provider.
 */
export async function answerMyself(turn: Turn, text: string, clock: Clock): Promise<TurnEnd> {
  const { call, codec } = turn
  const { lens } = turn.draft
  const { contentType, body } = codec.answer({
    id: call.requestId,
    model: lens.model ?? 'onward',
    text,
    stream: lens.stream,
    ...(lens.streamForm === undefined ? {} : { streamForm: lens.streamForm }),
    nowMs: clock.now(),
    asked: call.body,
    includeUsage: lens.value('stream_options', 'include_usage') === true,
  })
  call.reply.head(200, {
    'content-type': contentType,
    'content-length': String(body.length),
    'cache-control': 'no-cache',
  })
  call.reply.end(body)
  await closed(call.reply)
  return {
    summary: { ...emptySummary('stop', null), text },
    status: 200,
    route: null,
    choice: null,
    ttfbMs: clock.monotonic() - call.receivedAt,
    durationMs: clock.monotonic() - call.receivedAt,
    bytesOut: body.length,
    clientLeft: call.reply.left,
  }
}

/** Only then is it known if the client stayed for its answer; one that left asks again, and nothing is done twice. */
const closed = (reply: Reply): Promise<void> => new Promise((resolve) => reply.onClose(resolve))

export type CountText = (text: string) => number

/** Loads two megabytes of vocabulary, when a client first asks for a count that no provider can give. */
export async function loadTokenizer(): Promise<CountText> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base')
  // Texts may contain special tokens; they count as plain text.
  return (text) => countTokens(text, { disallowedSpecial: new Set() })
}

/** Answers a request for a count where no provider of its protocol does. @throws OnwardError `bad-request` (400) */
export async function countMyself(turn: Turn, clock: Clock, tokenizer: () => Promise<CountText>): Promise<TurnEnd> {
  const { call, draft } = turn
  const body = parseObject(bytesFor(draft, null))
  if (!body) throw new OnwardError('bad-request', 'The request body must be a JSON object.', { status: 400 })
  const tokens = estimateTokens(conversionOf[call.entry].readRequest(body, { path: call.path }), await tokenizer())
  const answer = Buffer.from(JSON.stringify(inWordsOf(call.entry, tokens)))
  call.reply.head(200, { 'content-type': 'application/json', 'content-length': String(answer.length) })
  call.reply.end(answer)
  const durationMs = clock.monotonic() - call.receivedAt
  return {
    summary: emptySummary('stop', null, { input: tokens, cachedInput: 0, output: 0, reasoning: 0 }),
    status: 200,
    route: null,
    choice: null,
    ttfbMs: durationMs,
    durationMs,
    bytesOut: answer.length,
    clientLeft: call.reply.left,
  }
}

const inWordsOf = (entry: WireProtocol, tokens: number) => {
  if (entry === 'gemini') return { totalTokens: tokens }
  // https://platform.openai.com/docs/api-reference/responses/input-tokens
  return { ...(entry === 'responses' ? { object: 'response.input_tokens' } : {}), input_tokens: tokens }
}
