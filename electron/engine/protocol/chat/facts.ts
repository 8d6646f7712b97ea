/**
 * Readers for one message of a Chat answer: a chunk, or a whole completion, whose choices have a `message` for their
 * `delta`. All code that understands answers uses them, and each reads only what it is asked for.
 */
import type { Frame } from '../answer/frame.ts'
import { finishNameOf } from '../finish-names.ts'
import { describe, errorIn, type ProviderError } from '../observe/errors.ts'
import { asList, asName, asNumber, asObject, asObjects, asText, hasValue, type JsonObject } from '../values.ts'

/** `[DONE]`, with white space around it or not. */
export const isDone = ({ latin1 }: Frame): boolean => latin1.length < 12 && latin1.trim() === '[DONE]'

export const choices = (value: JsonObject | null): JsonObject[] => asObjects(value?.['choices'])

/** The choice that is the answer, where several were asked for. */
export const isFirst = (choice: JsonObject): boolean => (asNumber(choice['index']) ?? 0) === 0

/** Returns the message of a whole answer's choice; Perplexity has an empty delta beside it. */
export const wholeMessage = (choice: JsonObject | undefined): JsonObject =>
  asObject(choice?.['message']) ?? asObject(choice?.['delta']) ?? {}

/** Returns what a chunk adds to a choice; Perplexity has the whole message so far beside it. */
export const message = (choice: JsonObject | undefined): JsonObject =>
  asObject(choice?.['delta']) ?? asObject(choice?.['message']) ?? {}

/** Members in which thinking comes as text; the names differ by provider, and by what a client makes of them. */
export const thinkingTexts = ['reasoning_content', 'reasoning', 'reasoning_text'] as const
/** Members in which thinking comes in parts that can be verified: OpenRouter's, LiteLLM's. */
export const thinkingLists = ['reasoning_details', 'thinking_blocks'] as const
/** Members of a message in which a model's words come as text. */
export const wordMembers = ['content', 'refusal', ...thinkingTexts] as const

/** Words of a message's `content`: a text or a list of parts (Mistral, Databricks). Thinking and refusal are none. */
export const text = (content: unknown): string =>
  asText(content) ??
  asList(content)
    .map((part) => asText(asObject(part)?.['text']) ?? '')
    .join('')

/** Words of any kind. */
export const hasWords = (value: JsonObject): boolean =>
  wordMembers.some((name) => asName(value[name]) !== null) || text(value['content']) !== ''

/**
 * The entries of `tool_calls` of a message or delta. TGI before 3.0 has one entry there, no list.
 * https://github.com/huggingface/text-generation-inference/blob/v2.4.1/router/src/lib.rs (`ToolCallDelta`)
 */
export function calls(value: JsonObject): JsonObject[] {
  const given = value['tool_calls']
  const single = asObject(given)
  return (single ? [single] : asObjects(given)).filter(isEntry)
}

/** Typed servers fill in members that say nothing with zero values: that is no call, nor a piece of one. */
const isEntry = (entry: JsonObject): boolean =>
  Object.entries(entry).some(([name, member]) => !(name === 'index' || name === 'type') && hasValue(member)) ||
  !plainTypes.has(entry['type'])

const plainTypes = new Set<unknown>([undefined, null, '', 'function', 'custom'])

/**
 * True if a frame's bytes hold an entry of `tool_calls`: a key in its quotes and with its colon can't stand in a text
 * without a backslash.
 */
export const mayHaveCalls = ({ latin1 }: Frame): boolean => /"tool_calls"\s*:\s*(?:\[\s*)?\{/.test(latin1)

/** The one call of a message, as it was before there were tools; null where its values are zero. */
export function legacyCall(value: JsonObject): JsonObject | null {
  const call = asObject(value['function_call'])
  return call && hasValue(call) ? call : null
}

/** The word that a choice ends with; null while it goes on. */
export const finish = (choice: JsonObject): string | null =>
  finishNameOf(choice, 'finish_reason', 'native_finish_reason')

/** Returns the error that a provider reports in a chunk or an answer, or in its first choice. */
export const error = (value: JsonObject, name = ''): ProviderError | null =>
  errorIn(value) ??
  errorIn(choices(value)[0] ?? {}) ??
  (value['choices'] === undefined && name === 'error' ? describe(value) : null)
