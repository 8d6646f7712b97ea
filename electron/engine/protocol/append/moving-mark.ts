import { knowsCacheMarks, wantsAnswerBehindTools } from '../chat/convert/models.ts'
import { isObject, elements, isArray, type Edit, type Span } from '../json-bytes/index.ts'
import { listOf, memberEdits, rootOf } from '../json-members.ts'
import { behindLast, asList, asNumber, asObject, type JsonObject } from '../values.ts'
import type { RequestLens } from '../types.ts'

/**
 * True if the provider sets a cache mark by itself on the last item. What it cached then ends with words that no later
 * request has, and is not found again. `model`: the one that answers, where it is known already.
 * - `cache_control` beside the messages: Anthropic's automatic caching; OpenRouter takes it in OpenAI's protocols too
 * (openrouter.ai/docs, AnthropicCacheControlDirective).
 * - LiteLLM's `cache_control_injection_points` (docs.litellm.ai, Auto-inject prompt caching).
 * - OpenAI from gpt-5.6 on: see below.
 */
export function hasMovingMark(lens: RequestLens, model: string = lens.model ?? ''): boolean {
  const automatic = lens.place('cache_control')
  if (automatic && isObject(lens.body, automatic)) return true
  if (asList(lens.value('cache_control_injection_points')).some((point) => isAtTheEnd(asObject(point) ?? {})))
    return true
  return knowsCacheMarks(model) && isLeftToModel(lens)
}

/**
 * True if the model that answers accepts the time tag, whatever name the client uses for it. Checked for each choice: a
 * route may lead to a model whose vendor caches up to the very last words, or that takes no user words after tool
 * results.
 */
export const bearsTimeTag = (lens: RequestLens, upstreamModel: string): boolean =>
  !hasMovingMark(lens, upstreamModel) && !(lens.lastMessage()?.role === 'tool' && wantsAnswerBehindTools(upstreamModel))

function isAtTheEnd(point: JsonObject): boolean {
  if (point['location'] !== 'message') return false
  const index = asNumber(point['index'])
  return index === null ? point['role'] !== 'system' : index < 0
}

/**
 * OpenAI's newer models put a breakpoint on the latest message unless told otherwise, and find what they cached only at
 * that very place (developers.openai.com, Prompt caching). Clients of Anthropic's protocol mark what is to be cached
 * themselves; a response or conversation that is kept begins the next request with all it was sent.
 */
function isLeftToModel(lens: RequestLens): boolean {
  if (lens.protocol === 'messages') return !lens.body.includes('"cache_control"')
  if (lens.value('prompt_cache_options', 'mode') === 'explicit') return false
  return ['previous_response_id', 'conversation'].every((name) => (lens.value(name) ?? null) === null)
}

/**
 * Returns a copy of the client's list of tools, so that the request's bytes can be freed; null if it has none, or an
 * empty one.
 */
export function toolListOf(lens: RequestLens, at: Span | null = lens.place('tools')): Buffer | null {
  const { body } = lens
  if (!at || (lens.toolCount() ?? 0) === 0) return null
  // Gemini takes one entry without its brackets.
  return isObject(body, at) || elements(body, at).length > 0 ? Buffer.from(body.subarray(at.start, at.end)) : null
}

/** Adds this list of tools to a request that has none. */
export const toolListEdits = (lens: RequestLens, tools: Buffer, object: Span = rootOf(lens.body)): Edit[] =>
  memberEdits(lens.body, object, { tools })

/** Adds declarations after the client's own, which are at `at`; without such a list, adds one. */
export function declareBehind(lens: RequestLens, at: Span | null, ours: readonly Buffer[]): Edit[] {
  if (ours.length === 0) return []
  return at && isArray(lens.body, at) ? [behindLast(lens.body, at, ours)] : toolListEdits(lens, listOf(ours))
}

/**
 * The beginning of the line that gives the time at the end of one request and no later one: nothing that is cached may
 * end with it.
 */
export const timeTagStart = '[Time/Date]: '

export const isTimeTag = (text: string): boolean => text.startsWith(timeTagStart)
