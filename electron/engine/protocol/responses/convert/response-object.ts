import type { AnswerEvent, AnswerUsage } from '../../canonical/answer.ts'
import type { WriteContext } from '../../canonical/codec.ts'
import type { JsonObject } from '../../values.ts'
import type { CanonicalRequest } from '../../canonical/request.ts'
import { echoedMembers, echoObject } from '../echo.ts'
import { writeUsage, type End } from './finish.ts'
import { instructionsOf, writeReasoning } from './write-request.ts'
import { writeText, writeToolChoice, writeTools } from './write-tools.ts'

/** A response's own facts, and the members it repeats from the request. */
export interface ResponseHead {
  id: string
  model: string
  createdAt: number
  echo: JsonObject
}

export function responseHead(start: Extract<AnswerEvent, { type: 'start' }>, context: WriteContext): ResponseHead {
  return {
    id: context.newId('resp_'),
    model: start.model ?? context.model,
    createdAt: Math.floor(context.nowMs / 1000),
    echo: echoObject(context.asked ?? membersOf(context.request)),
  }
}

const noted = (): void => undefined // the request's own reader and writer have recorded it

/** Returns the members a client would have sent, for a request that is known in canonical form only. */
function membersOf(request: CanonicalRequest): JsonObject {
  const members: JsonObject = {
    instructions: instructionsOf(request),
    max_output_tokens: request.maxTokens,
    metadata: request.metadata,
    parallel_tool_calls: request.parallelTools,
    prompt_cache_key: request.cacheKey,
    reasoning: request.reasoning && writeReasoning(request.reasoning, noted),
    service_tier: request.serviceTier,
    store: request.store,
    temperature: request.temperature,
    text: writeText(request, noted),
    tool_choice: request.toolChoice && writeToolChoice(request.toolChoice, request.tools),
    tools: writeTools(request.tools, request.model, noted),
    top_logprobs: request.logprobs,
    top_p: request.topP,
    user: request.user,
  }
  return echoedMembers((name) => members[name])
}

/** Writes everything before `output`, which is the first member of varying length. */
export const opening = (
  { id, model, createdAt }: ResponseHead,
  status: string,
  reason: End['reason'],
  error: JsonObject | null,
): JsonObject => ({
  id,
  object: 'response',
  created_at: createdAt,
  status,
  error,
  incomplete_details: reason === null ? null : { reason },
  model,
})

export const responseObject = (
  head: ResponseHead,
  status: string,
  reason: End['reason'],
  error: JsonObject | null,
  output: readonly JsonObject[],
  usage: AnswerUsage | null,
): JsonObject => ({ ...opening(head, status, reason, error), output, usage: usageObject(usage), ...head.echo })

export const usageObject = (usage: AnswerUsage | null): JsonObject | null => usage && writeUsage(usage)
