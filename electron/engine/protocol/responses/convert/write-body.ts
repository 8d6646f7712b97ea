import type { AnswerEvent, AnswerUsage } from '../../canonical/answer.ts'
import type { BodyWriter, WriteContext } from '../../canonical/codec.ts'
import type { CanonicalRequest } from '../../canonical/request.ts'
import type { JsonObject } from '../../values.ts'
import { echoedMembers, echoObject } from '../echo.ts'
import { writeEnd, type End, writeUsage } from './finish.ts'
import { writeAnnotation, answerItem, isSaid, itemObject, sealItem, type AnswerItem } from './item-events.ts'
import { instructionsOf, writeReasoning } from './write-request.ts'
import { writeText, writeToolChoice, writeTools } from './write-tools.ts'

/** Collects the answer into one response object. */
export function writeBody(context: WriteContext): BodyWriter {
  const items = new Map<number, AnswerItem>()
  let head: ResponseHead = responseHead({ type: 'start', model: null, usage: null }, context)
  let usage: Extract<AnswerEvent, { type: 'start' }>['usage'] = null
  let end: Extract<AnswerEvent, { type: 'finish' | 'error' }> | null = null

  function output(): JsonObject[] {
    const said: AnswerItem[] = []
    for (const item of items.values()) {
      if (isSaid(item)) said.push(item)
      else if (item.annotations.length > 0) context.dropped('annotations')
      const seal = sealItem(item, context)
      if (seal) said.push(seal)
    }
    return said.map((item) => itemObject(item, 'completed'))
  }

  function whole(status: string, reason: End['reason'], error: JsonObject | null): JsonObject {
    const body = responseObject(head, status, reason, error, output(), usage)
    context.final?.(body)
    return body
  }

  return {
    add(said) {
      switch (said.type) {
        case 'start': {
          head = responseHead(said, context)
          usage = said.usage
          return
        }
        case 'begin': {
          items.set(said.block, answerItem(said.part, context))
          return
        }
        case 'delta': {
          const item = items.get(said.block)
          if (item) item.text += said.text
          return
        }
        case 'seal': {
          const item = items.get(said.block)
          if (item) item.seal = said.seal
          return
        }
        case 'citation': {
          const item = items.get(said.block)
          const annotation = item && writeAnnotation(said.citation, item.text.length, context.dropped)
          if (item && annotation) item.annotations.push(annotation)
          return
        }
        case 'end':
          return
        case 'finish': {
          usage = said.usage ?? usage
          if (said.stopSequence !== null) context.dropped('stopSequence')
          if (said.reason === 'pause-turn' || said.reason === 'incomplete') context.dropped(said.reason)
          end = said
          return
        }
        case 'error':
          end = said
      }
    },
    body() {
      if (end?.type === 'error') return whole('failed', null, { code: end.code, message: end.message })
      const refusalSaid = [...items.values()].some(({ part }) => part.kind === 'refusal')
      const { status, reason } = end ? writeEnd(end.reason, refusalSaid) : { status: 'incomplete', reason: null }
      return whole(status, reason, null)
    },
  }
}

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
