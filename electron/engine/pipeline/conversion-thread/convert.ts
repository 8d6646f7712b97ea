import { OnwardError } from '../../base/errors.ts'
import type { Random } from '../../base/ids.ts'
import type { AnswerUsage } from '../../protocol/canonical/answer.ts'
import type { WriteContext, WriteTarget } from '../../protocol/canonical/codec.ts'
import {
  asJsonList,
  convertToBody,
  convertToStream,
  restoring,
  type AdaptedTools,
  type AnswerConversion,
  type BodyConverter,
  type CitationsSetting,
  type StreamConverter,
  type WholeAnswer,
  type WireProtocol,
  carriedTexts,
  lossName,
  readCanonical,
  writeCanonical,
  type CanonicalRequest,
  type CarriedTexts,
} from '../../protocol/canonical/index.ts'
import { withoutThinking } from '../../protocol/canonical/thinking/foreign-seals.ts'
import { collectAnswer, type KeptAnswer } from '../../protocol/canonical/kept/match-answers.ts'
import { conversionOf } from '../../protocol/conversions.ts'
import { splice, type Edit } from '../../protocol/json-bytes/index.ts'
import type { RequestLens } from '../../protocol/types.ts'
import { parseObject } from '../../protocol/values.ts'
import { keptResponse, type KeptResponse, expanded, itemsOf, type Items } from '../request/stored-responses.ts'
import { putThinkingBack, type KeptOfTurn } from '../kept-thinking.ts'

/** How to convert an answer for a client of another protocol. Plain data, as it may go to a thread. */
export interface WayBack {
  /** the provider's protocol */
  from: WireProtocol
  to: WireProtocol
  tools: AdaptedTools
  citations: CitationsSetting
  context: Pick<WriteContext, 'model' | 'request' | 'asked' | 'nowMs'>
  /** Gemini: the client's stream is a list */
  isList: boolean
  /** describes the answer's thinking that is kept; null: none is */
  thinking: Pick<KeptAnswer, 'of' | 'by' | 'ordinal' | 'at'> | null
  /** the final response is kept, for a client that names it in its next request */
  keepsResponse: boolean
}

/** Side effects of an answer on its way. */
export interface Effects {
  dropped(name: string): void
  usage(usage: AnswerUsage | null): void
  keepThinking(answer: KeptAnswer): void
  keepResponse(response: KeptResponse): void
}

export interface Converters {
  toStream(): StreamConverter
  toBody(): BodyConverter
}

export function convertersOf(
  { from, to, tools, citations, context, isList, thinking, keepsResponse }: WayBack,
  random: Pick<Random, 'token'>,
  effects: Effects,
): Converters {
  const write: WriteContext = {
    ...context,
    newId: (prefix) => prefix + random.token(18),
    dropped: effects.dropped,
    ...(keepsResponse
      ? {
          final(response) {
            const kept = keptResponse(response)
            if (kept) effects.keepResponse(kept)
          },
        }
      : {}),
  }
  const answer = (): AnswerConversion => {
    const collect = thinking && collectAnswer(thinking, effects.keepThinking)
    return {
      from: conversionOf[from],
      to: conversionOf[to],
      restore: (emit) => restoring(emit, tools, conversionOf[from]),
      citations,
      context: write,
      watch(event) {
        if (event.type === 'finish') effects.usage(event.usage)
        collect?.(event)
      },
    }
  }
  return {
    toStream: () => (isList ? asJsonList(convertToStream(answer())) : convertToStream(answer())),
    toBody: () => convertToBody(answer()),
  }
}

/** The client's form of an answer that came in one body; `stream`: event by event, for a client that wants that. */
export type ConvertedWhole = WholeAnswer | { kind: 'stream'; bytes: Buffer }

export function convertWhole({ toStream, toBody }: Converters, body: Buffer, streaming: boolean): ConvertedWhole {
  if (!streaming) return toBody().whole(body)
  const converter = toStream()
  const bytes = converter.whole(body)
  if (converter.ended === 'error') {
    const answer = toBody().whole(body)
    if (answer.kind === 'failed') return answer
  }
  return { kind: 'stream', bytes }
}

/** An answer that came whole, to be converted in a thread. Plain data. */
export interface AnswerJob {
  back: WayBack
  body: Uint8Array
  streaming: boolean
}

export interface ConvertedAnswer {
  whole: ConvertedWhole
  dropped: readonly string[]
  usage: AnswerUsage | null
  thinking: readonly KeptAnswer[]
  response: KeptResponse | null
}

/** A request to be converted to another protocol. Plain data, as it may go to a thread. */
export interface RequestJob {
  from: WireProtocol
  to: WireProtocol
  path: string
  body: Uint8Array
  changes: readonly Edit[]
  /** a word that none of the client's texts contains */
  word: string
  /** Responses: the conversation before it */
  before: Items | null
  target: WriteTarget
  /** the model can't think */
  noThinking: boolean
}

export interface ReadRequest {
  request: CanonicalRequest
  /** Responses: the conversation, if its answer is to be kept for the next request */
  input: readonly unknown[] | null
  carried: CarriedTexts | null
}

/** A provider's request, and what the conversion of its answer needs of it. Plain data. */
export interface WrittenRequest {
  path: string
  body: Uint8Array | readonly Uint8Array[]
  /** without its messages: an answer may last an hour, and keeps only the parts of the request that it repeats */
  request: CanonicalRequest
  tools: AdaptedTools
  dropped: readonly string[]
  input: Items | null
  thinking: { handedBack: readonly number[]; needed: boolean; ordinal: number } | null
}

/** `lens`: of the job's body. @throws OnwardError `bad-request` (400) */
export function readRequest(job: RequestJob, lens: RequestLens): ReadRequest {
  const { from, to, changes, path, before } = job
  const carried = carriedTexts(lens, { from, to }, changes, job.word)
  const body = parseObject(splice(lens.body, carried ? [...changes, ...carried.edits] : changes))
  if (!body) throw new OnwardError('bad-request', 'The request body must be a JSON object.', { status: 400 })
  if (from !== 'responses') return { request: readCanonical(conversionOf[from], body, path), input: null, carried }
  const whole = expanded(body, before)
  return {
    request: readCanonical(conversionOf[from], whole, path),
    input: whole['store'] === false ? null : itemsOf(whole['input']),
    carried,
  }
}

/** `kept`: null where nothing is kept of the conversation. @throws OnwardError (400) for what can't be said */
export function writeRequest(job: RequestJob, read: ReadRequest, kept: KeptOfTurn | null): WrittenRequest {
  const { from, to, target, noThinking } = job
  const thinking = kept && putThinkingBack(read.request, kept)
  const whole = thinking?.request ?? read.request
  const request = target.thinkingOff ? withoutThinking(whole, to, target.model) : whole
  // A provider refuses what its model can't do, as the config says.
  const cannot = noThinking && request.reasoning !== null
  const written = writeCanonical(cannot ? { ...request, reasoning: null } : request, conversionOf[to], target, from)
  return {
    path: written.path,
    body: read.carried ? read.carried.putBack(written.body) : written.body,
    request: { ...request, messages: [] },
    tools: written.tools,
    dropped: [
      ...new Set([
        ...written.dropped,
        ...(thinking?.lost || target.thinkingOff ? ['thinking'] : []),
        ...(cannot ? [lossName('reasoning', from)] : []),
      ]),
    ],
    input: read.input,
    thinking: thinking && { handedBack: thinking.handedBack, needed: thinking.needed, ordinal: thinking.ordinal },
  }
}
