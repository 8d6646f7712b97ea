import { knowsCacheMarks } from '../chat/convert/models.ts'
import { isObject } from '../json-bytes/index.ts'
import type { RequestLens } from '../types.ts'
import { asList, asNumber, asObject, type JsonObject } from '../values.ts'

/**
 * Whether the provider sets a cache mark by itself on whatever stands last. What it cached then ends with words that no
 * later request has, and is not found again.
 * - `cache_control` beside the messages: Anthropic's automatic caching; OpenRouter takes it in OpenAI's protocols too
 *   (openrouter.ai/docs, AnthropicCacheControlDirective).
 * - OpenAI from gpt-5.6 on: a breakpoint on the latest message unless `prompt_cache_options.mode` is `explicit`, found
 *   again at that very place only (developers.openai.com, Prompt caching).
 * - LiteLLM's `cache_control_injection_points` (docs.litellm.ai, Auto-inject prompt caching).
 */
export function hasMovingMark(lens: RequestLens): boolean {
  const automatic = lens.place('cache_control')
  if (automatic && isObject(lens.body, automatic)) return true
  if (asList(lens.value('cache_control_injection_points')).some((point) => isAtTheEnd(asObject(point) ?? {}))) return true
  return marksLatestMessage(lens.model ?? '') && lens.value('prompt_cache_options', 'mode') !== 'explicit' && !isKept(lens)
}

/** Models of OpenAI that do so whoever asks. */
export const marksLatestMessage = (model: string): boolean => knowsCacheMarks(model)

function isAtTheEnd(point: JsonObject): boolean {
  if (point['location'] !== 'message') return false
  const index = asNumber(point['index'])
  return index === null ? point['role'] !== 'system' : index < 0
}

/** The provider keeps what it was sent, and begins the next request with it. */
const isKept = (lens: RequestLens): boolean => ['previous_response_id', 'conversation'].some((name) => (lens.value(name) ?? null) !== null)
