import type { AnswerEvent, AnswerUsage } from '../../canonical/answer.ts'
import type { WriteContext } from '../../canonical/codec.ts'
import type { JsonObject } from '../../values.ts'
import { responseDefaults } from '../answer.ts'
import { writeUsage, type End } from './finish.ts'
import { instructionsOf, writeReasoning } from './write-request.ts'
import { writeText, writeToolChoice, writeTools } from './write-tools.ts'

/** What a response says of itself, and what it repeats of the request. */
export interface ResponseHead {
  id: string
  model: string
  createdAt: number
  echo: JsonObject
}

export function responseHead(start: Extract<AnswerEvent, { type: 'start' }>, context: WriteContext): ResponseHead {
  const id = start.id?.startsWith('resp_') ? start.id : context.newId('resp_')
  return { id, model: start.model ?? context.model, createdAt: Math.floor(context.nowMs / 1000), echo: echoOf(context) }
}

const noted = (): void => undefined // the request's own reader and writer have recorded it

function echoOf({ request }: WriteContext): JsonObject {
  const text = writeText(request, noted)
  return {
    previous_response_id: responseDefaults.previous_response_id,
    truncation: responseDefaults.truncation,
    background: false,
    instructions: instructionsOf(request),
    max_output_tokens: request.maxTokens,
    metadata: request.metadata ?? {},
    parallel_tool_calls: request.parallelTools ?? true,
    prompt_cache_key: request.cacheKey,
    reasoning: {
      ...responseDefaults.reasoning,
      ...(request.reasoning ? writeReasoning(request.reasoning, noted) : {}),
    },
    service_tier: request.serviceTier ?? 'default',
    store: request.store ?? true,
    temperature: request.temperature,
    text: { ...responseDefaults.text, ...text },
    tool_choice: request.toolChoice ? writeToolChoice(request.toolChoice, request.tools) : responseDefaults.tool_choice,
    tools: writeTools(request.tools, noted),
    top_logprobs: request.logprobs ?? 0,
    top_p: request.topP,
    ...(request.user === null ? {} : { user: request.user }),
  }
}

/** Everything before `output`, which is the first thing that differs in length. */
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
