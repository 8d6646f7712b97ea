import { OnwardError } from '../../base/errors.ts'
import {
  carriedTexts,
  lossName,
  readCanonical,
  withoutThinking,
  writeCanonical,
  type AdaptedTools,
  type CanonicalRequest,
  type CarriedTexts,
  type WireProtocol,
} from '../../protocol/canonical/index.ts'
import type { WriteTarget } from '../../protocol/canonical/codec.ts'
import { conversionOf } from '../../protocol/conversions.ts'
import { splice, type Edit } from '../../protocol/index.ts'
import type { RequestLens } from '../../protocol/types.ts'
import { parseObject } from '../../protocol/values.ts'
import { putThinkingBack, type KeptOfTurn } from '../thinking/thinking-of-turn.ts'
import { expanded, itemsOf, type Items } from './stored-responses.ts'

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
