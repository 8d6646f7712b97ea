/**
 * Readers for one message of a Chat answer: a chunk, or a whole completion, whose choices have a `message` for their
 * `delta`. All code that understands answers uses them, and each reads only what it is asked for.
 */
import type { Frame } from '../answer/frame.ts'
import type { AnswerUsage } from '../canonical/answer.ts'
import { finishNameOf } from '../finish-names.ts'
import { describe, errorIn, type ProviderError } from '../observe/peek.ts'
import { summedUp, type Counted } from '../usage-sums.ts'
import { asList, asName, asNumber, asObject, asObjects, asText, hasValue, type JsonObject, asCount } from '../values.ts'

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

type Path = readonly string[]

/** The names that one family of vendors has for its counts; of several names the first that is there counts. */
interface UsageDialect {
  input: Path
  output: Path
  cachedInput: readonly Path[]
  cacheWrite: readonly Path[]
  cacheWriteHour?: readonly Path[]
  reasoning: readonly Path[]
  total: Path | null
  /** the cache is counted beside the input, whatever the total says */
  cacheBeside?: true
}

/**
 * Dialects of usage in Chat Completions, recognised by their shape: the first one whose input or output is there. The
 * vendor's name does not matter, since gateways pass on the usage of others.
 */
const dialects: readonly UsageDialect[] = [
  {
    // OpenAI https://platform.openai.com/docs/api-reference/chat/object and nearly all others: Azure, Mistral, Groq,
    // Cerebras, Fireworks, Together, Cohere's compatible endpoint, GLM, MiniMax, vLLM, Ollama and LM Studio
    input: ['prompt_tokens'],
    output: ['completion_tokens'],
    cachedInput: [
      ['prompt_tokens_details', 'cached_tokens'],
      // Mistral, under two names
      ['prompt_token_details', 'cached_tokens'],
      ['num_cached_tokens'],
      // DeepSeek https://api-docs.deepseek.com/guides/kv_cache
      ['prompt_cache_hit_tokens'],
      // Kimi https://platform.moonshot.ai/docs/api/chat, Together
      ['cached_tokens'],
      // LiteLLM https://docs.litellm.ai/docs/completion/prompt_caching, which counts it within the prompt
      ['cache_read_input_tokens'],
    ],
    cacheWrite: [
      // OpenRouter https://openrouter.ai/docs/use-cases/usage-accounting
      ['prompt_tokens_details', 'cache_write_tokens'],
      // Qwen https://www.alibabacloud.com/help/model-studio/context-cache
      ['prompt_tokens_details', 'cache_creation_input_tokens'],
      // LiteLLM
      ['prompt_tokens_details', 'cache_creation_tokens'],
      ['cache_creation_input_tokens'],
    ],
    reasoning: [
      // xAI counts it beside, and so does Google without naming it: `summedUp` finds out
      // https://docs.x.ai/docs/key-information/consumption-and-rate-limits,
      // https://ai.google.dev/gemini-api/docs/openai
      ['completion_tokens_details', 'reasoning_tokens'],
      // Perplexity https://docs.perplexity.ai/getting-started/models/models/sonar-deep-research
      ['reasoning_tokens'],
    ],
    total: ['total_tokens'],
  },
  {
    // Gateways that hand on Anthropic's usage as it is: https://platform.claude.com/docs/en/api/messages (Usage)
    input: ['input_tokens'],
    output: ['output_tokens'],
    cachedInput: [
      ['cache_read_input_tokens'],
      ['input_tokens_details', 'cached_tokens'],
      // DashScope's own names, with the cache within the input
      // https://www.alibabacloud.com/help/model-studio/context-cache
      ['prompt_tokens_details', 'cached_tokens'],
    ],
    cacheWrite: [['cache_creation_input_tokens']],
    cacheWriteHour: [['cache_creation', 'ephemeral_1h_input_tokens']],
    reasoning: [
      ['output_tokens_details', 'thinking_tokens'],
      ['output_tokens_details', 'reasoning_tokens'],
    ],
    total: ['total_tokens'],
  },
  {
    // Bedrock behind a gateway, all counts beside each other:
    // https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_TokenUsage.html
    input: ['inputTokens'],
    output: ['outputTokens'],
    cachedInput: [['cacheReadInputTokens']],
    cacheWrite: [['cacheWriteInputTokens']],
    reasoning: [],
    total: null,
    cacheBeside: true,
  },
  {
    // llama.cpp without usage: https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md (`timings`):
    // `prompt_n` leaves out `cache_n`
    input: ['prompt_n'],
    output: ['predicted_n'],
    cachedInput: [['cache_n']],
    cacheWrite: [],
    reasoning: [],
    total: null,
    cacheBeside: true,
  },
]

/** Members of all dialects that count output. */
export const outputCounts: readonly string[] = [
  ...new Set(dialects.flatMap(({ output, reasoning }) => [output, ...reasoning]).map(([first = '']) => first)),
]

/** How much of a usage's total is output. Some output stands in no total (Perplexity's), some in the total alone. */
export function outputInTotal(usage: JsonObject): number {
  const dialect = dialectOf(usage)
  const output = usageIn(usage)?.output ?? 0
  const total = dialect?.total ? count(usage, dialect.total) : null
  return dialect && total !== null ? Math.max(0, Math.min(output, total - (count(usage, dialect.input) ?? 0))) : output
}

/** Where a chunk or an answer has its usage. */
const places: readonly Path[] = [
  ['usage'],
  // Groq's streams https://console.groq.com/docs/api-reference#chat-create
  ['x_groq', 'usage'],
  // Kimi's streams, in their last choice: https://platform.moonshot.ai/docs/api/chat
  ['choices', '0', 'usage'],
]
const timings: Path = ['timings']

/** Usage of a chunk or a whole answer; null where it holds none. */
export function usageOfChat(value: JsonObject): AnswerUsage | null {
  for (const place of places) {
    const found = usageIn(asObject(at(value, place)))
    if (found) return found
  }
  return null
}

/** Usage of a chunk or a whole answer as its vendor says it, or what was measured instead. */
export const rawUsage = (value: JsonObject): JsonObject | null =>
  [...places, timings].map((place) => asObject(at(value, place))).find((usage) => usageIn(usage) !== null) ?? null

/** The same chunk or answer with other counts, each where it has its own. */
export const withUsage = (value: JsonObject, usage: JsonObject): JsonObject =>
  [...places, timings].reduce<JsonObject>(
    (changed, place) => (usageIn(asObject(at(value, place))) === null ? changed : setAt(changed, place, usage)),
    value,
  )

/** Returns the usage that llama.cpp measured, for answers without usage. */
export const timedUsage = (value: JsonObject): AnswerUsage | null => usageIn(asObject(at(value, timings)))

const dialectOf = (usage: JsonObject): UsageDialect | undefined =>
  dialects.find(({ input, output }) => count(usage, input) !== null || count(usage, output) !== null)

/** A usage object in whatever dialect; null where it counts nothing. */
export function usageIn(usage: JsonObject | null): AnswerUsage | null {
  const dialect = usage && dialectOf(usage)
  if (!dialect) return null
  const first = (paths: readonly Path[]): number => {
    for (const path of paths) {
      const found = count(usage, path)
      if (found !== null) return found
    }
    return 0
  }
  const counted = {
    input: count(usage, dialect.input) ?? 0,
    cachedInput: first(dialect.cachedInput),
    cacheWrite: first(dialect.cacheWrite),
    cacheWriteHour: first(dialect.cacheWriteHour ?? []),
    output: count(usage, dialect.output) ?? 0,
    reasoning: first(dialect.reasoning),
    total: dialect.total && count(usage, dialect.total),
    // Reads are part of the prompt, writes are not (https://github.com/laravel/ai/pull/924).
    writesBeside: count(usage, ['prompt_tokens_details', 'cache_write_tokens']) !== null,
    // https://docs.mistral.ai/capabilities/audio/ (`UsageInfo`)
    hears: (count(usage, ['prompt_audio_seconds']) ?? 0) > 0,
  }
  if (dialect.cacheBeside)
    return summedUp({ ...counted, input: counted.input + counted.cachedInput + counted.cacheWrite })
  return withSearch(usage, counted)
}

/**
 * Perplexity reads the pages it found as input and reasons before it writes: both are billed, and neither is in its
 * prompt, completion or total (https://openrouter.ai/perplexity/sonar-deep-research).
 */
function withSearch(usage: JsonObject, counted: Counted): AnswerUsage {
  const read = count(usage, ['citation_tokens'])
  if (read === null) return summedUp(counted)
  const { input, cachedInput, cacheWrite, output, reasoning } = counted
  return { input: input + read, cachedInput, cacheWrite, output: output + reasoning, reasoning }
}

const count = (usage: JsonObject, path: Path): number | null => asCount(at(usage, path))

function at(value: unknown, path: Path): unknown {
  let found = value
  for (const name of path) found = Array.isArray(found) ? found[Number(name)] : asObject(found)?.[name]
  return found
}

function setAt(value: JsonObject, [name = '', ...rest]: Path, to: JsonObject): JsonObject {
  if (rest.length === 0) return { ...value, [name]: to }
  const inner = value[name]
  if (!Array.isArray(inner)) return { ...value, [name]: setAt(asObject(inner) ?? {}, rest, to) }
  const [index = '', ...below] = rest
  return {
    ...value,
    [name]: inner.map((one, i) => (i === Number(index) ? setAt(asObject(one) ?? {}, below, to) : one)),
  }
}

export function writeUsage({ input, cachedInput, cacheWrite, output, reasoning }: AnswerUsage) {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: {
      cached_tokens: cachedInput,
      ...(cacheWrite > 0 ? { cache_write_tokens: cacheWrite } : {}),
    },
    completion_tokens_details: { reasoning_tokens: reasoning },
  }
}
