import type { FinishKind } from '../../../shared/events.ts'
import type { AnswerFinish } from './canonical/answer.ts'
import type { WireProtocol } from './canonical/request.ts'
import { asText, type JsonObject } from './values.ts'

/**
 * The meaning of a provider's word for the end of an answer. `error`: the provider failed, and asking again may help.
 */
type FinishMeaning = AnswerFinish | 'error'

/**
 * Every word by which a provider ends an answer, in small letters, for observers and conversion alike: a word means the
 * same on each path, because only a plain stop lets stopMessage type a followup. The words of all protocols stand in
 * one table, because gateways pass on the words of the model's own vendor (`end_turn` and `MAX_TOKENS` in Chat).
 *
 * `incomplete`: the model did not end by its own will, and its answer may lack something (a call that could not be
 * read, for one). Nothing broke, so the client gets what was said and can go on; but it is never a plain stop.
 */
const meanings: Readonly<Record<FinishMeaning, readonly string[]>> = {
  stop: [
    // OpenAI https://platform.openai.com/docs/api-reference/chat/object, Gemini `STOP`
    'stop',
    // Anthropic https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons, Bedrock, xAI
    'end_turn',
    // Together https://docs.together.ai/reference/chat-completions-1, older llama.cpp servers
    'eos',
    // Hugging Face TGI https://huggingface.co/docs/text-generation-inference (FinishReason)
    'eos_token',
    // Cohere https://docs.cohere.com/reference/chat (finish_reason)
    'complete',
    // LM Studio https://lmstudio.ai/docs/typescript (LLMPredictionStopReason)
    'eosfound',
    // Baidu https://cloud.baidu.com/doc/WENXINWORKSHOP/s/clntwmv7t (finish_reason)
    'normal',
  ],
  'stop-sequence': ['stop_sequence', 'stopstringfound'],
  'tool-calls': [
    'tool_calls',
    // before there were tools
    'function_call',
    // Baidu, and servers that name the member
    'function_calls',
    // Anthropic, Bedrock
    'tool_use',
    // Cohere's and LM Studio's own interfaces
    'tool_call',
    'toolcalls',
  ],
  length: [
    'length',
    // Anthropic, Gemini `MAX_TOKENS`, Bedrock, Cohere
    'max_tokens',
    // Responses `incomplete_details.reason`
    'max_output_tokens',
    // Mistral https://docs.mistral.ai/api (finish_reason)
    'model_length',
    // Anthropic, GLM https://docs.z.ai/api-reference/llm/chat-completion
    'model_context_window_exceeded',
    // MiniMax https://platform.minimax.io/docs/api-reference/text-post
    'max_output',
    // Cohere
    'error_limit',
    // LM Studio
    'maxpredictedtokensreached',
    'contextlengthreached',
    // Gemini (FinishReason of @google/genai): the limit of one request; more would need a token of Google's
    'continuation',
  ],
  'content-filter': [
    // OpenAI, Azure https://learn.microsoft.com/azure/ai-foundry/openai/concepts/content-filter
    'content_filter',
    // GLM
    'sensitive',
    // Bedrock https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html (stopReason)
    'guardrail_intervened',
    'content_filtered',
    // Cohere
    'error_toxic',
    // Gemini https://ai.google.dev/api/generate-content#FinishReason, Vertex AI's enum of the same name
    'safety',
    'recitation',
    'blocklist',
    'prohibited_content',
    'spii',
    'language',
    'image_safety',
    'image_prohibited_content',
    'image_recitation',
    'model_armor',
    'jailbreak',
  ],
  refusal: ['refusal'],
  'pause-turn': [
    'pause_turn',
    // BetaStopReason of @anthropic-ai/sdk: the conversation was compacted, and the turn is to go on
    'compaction',
  ],
  incomplete: [
    // Gemini: calls that could not be read or were not to be made, images that did not come, and all others
    'malformed_function_call',
    'unexpected_tool_call',
    'too_many_tool_calls',
    'missing_thought_signature',
    'malformed_response',
    'no_image',
    'image_other',
    'other',
    'finish_reason_unspecified',
    // Bedrock
    'malformed_model_output',
    'malformed_tool_use',
    // Ollama https://github.com/ollama/ollama/blob/main/docs/api.md (done_reason): a model came or went, nothing was
    // said
    'load',
    'unload',
    // Cohere, LM Studio: the caller stopped it
    'user_cancel',
    'userstopped',
  ],
  error: [
    // OpenRouter https://openrouter.ai/docs/api-reference/overview (finish_reason), Mistral, Cohere
    'error',
    // GLM
    'network_error',
    // DeepSeek https://api-docs.deepseek.com/api/create-chat-completion
    'insufficient_system_resource',
    // vLLM https://docs.vllm.ai (FinishReason)
    'abort',
    // LM Studio
    'failed',
    'modelunloaded',
  ],
}

const meaningByName: ReadonlyMap<string, FinishMeaning> = new Map(
  entriesOf(meanings).flatMap(([meaning, names]) => names.map((name) => [name, meaning] as const)),
)

function entriesOf<K extends string, V>(record: Readonly<Record<K, V>>): [K, V][] {
  const entries: [K, V][] = []
  for (const key in record) entries.push([key, record[key]])
  return entries
}

/** All known words with their meanings. */
export const finishNames: readonly (readonly [string, FinishMeaning])[] = [...meaningByName]

/**
 * Returns the word in a member; null where there is none: some gateways write `""` or `"null"` while text still comes.
 */
export function finishName(value: unknown): string | null {
  const name = asText(value)?.trim()
  return name === undefined || name === '' || name === 'null' ? null : name
}

/** Returns the meaning of a word; an unknown word is never a stop. */
export const meaningOf = (name: string): FinishMeaning => knownMeaning(name) ?? 'incomplete'

/**
 * Returns the meaning of a word; null for an unknown one. Case does not count, nor a hyphen for an underscore (gateways
 * built on the AI SDK pass on its `tool-calls`), nor what stands before a colon or a point: Google's OpenAI endpoint
 * writes `function_call_filter: MALFORMED_FUNCTION_CALL` (https://github.com/coder/coder/pull/28470), gateways in
 * Python `FinishReason.STOP`.
 */
export function knownMeaning(name: string): FinishMeaning | null {
  const small = name.trim().toLowerCase().replaceAll('-', '_')
  const last = /[^:.\s]*$/.exec(small)?.[0] ?? small
  return meaningByName.get(small) ?? meaningByName.get(last) ?? null
}

/** The contents of an answer that was closed as its protocol closes answers. */
export interface Said {
  calls: boolean
  text: boolean
  usage: boolean
  /** as a part of its own (Chat, Responses) */
  refusal?: boolean
}

/**
 * Some servers (Snowflake Cortex's Chat) close a whole answer without a finish reason. Its calls give the meaning, or
 * its text with the usage, which a provider only knows at the end; anything else was cut short: null.
 */
const unnamed = ({ calls, text, usage }: Said): FinishMeaning | null =>
  calls ? 'tool-calls' : text && usage ? 'stop' : null

/** A call counts whatever the word is (Claude Code runs one with `end_turn` too), and so does a refusal. */
function inView(meaning: FinishMeaning, { calls, refusal }: Said): FinishMeaning {
  if (calls && (meaning === 'stop' || meaning === 'stop-sequence')) return 'tool-calls'
  return refusal === true && meaning === 'stop' ? 'refusal' : meaning
}

/** Returns how an answer ended, for the turn's record. */
function kindOfEnd(name: string | null, said: Said): FinishKind {
  const meaning = name === null ? (unnamed(said) ?? 'incomplete') : inView(meaningOf(name), said)
  return meaning === 'stop-sequence' ? 'stop' : meaning
}

/**
 * The same for an answer of several choices, `names` by choice. A plain stop is a stop in every choice and no call; an
 * unknown end is never a stop.
 */
export function kindOfEnds(names: readonly (string | null)[], said: Said): FinishKind {
  const kinds = names.map((name) => kindOfEnd(name, said))
  const cut = kinds.find((kind) => kind !== 'stop' && kind !== 'tool-calls')
  return cut ?? (kinds.includes('tool-calls') ? 'tool-calls' : (kinds[0] ?? 'incomplete'))
}

export type AnswerEnd = { kind: 'finish'; reason: AnswerFinish } | { kind: 'failed'; code: string; message: string }

/** Returns how an answer ended, for conversion. */
export function endOf(name: string | null, said: Said): AnswerEnd {
  const meaning = name === null ? unnamed(said) : inView(meaningOf(name), said)
  if (meaning === null) return { kind: 'failed', ...unsaidEnd }
  if (meaning === 'error') return { kind: 'failed', ...failedEnd(name ?? '') }
  return { kind: 'finish', reason: meaning }
}

const unsaidEnd = {
  code: 'upstream-broke-off',
  message: 'The provider ended its answer without saying why it stopped.',
}

/** The error of an answer that ended in a word for a failure. */
export const failedEnd = (name: string): { code: string; message: string } => ({
  code: 'provider-error',
  message: `The provider ended its answer with “${name}”.`,
})

/**
 * Returns the word of a choice or candidate at `member`; `native`: where a gateway puts the model's own beside its own.
 */
export function finishNameOf(value: JsonObject, member: string, native?: string): string | null {
  const name = finishName(value[member])
  const own = native === undefined ? null : finishName(value[native])
  // OpenRouter calls a call that Gemini could not make `stop`: https://github.com/vellum-ai/vellum-assistant/pull/43134
  return name !== null && own !== null && knownMeaning(name) === 'stop' && knownMeaning(own) === 'incomplete'
    ? own
    : name
}

/**
 * How each protocol says the end of an answer, for clients. Written here once; what an answer held can change a word
 * (calls make a stop `tool_calls` and `tool_use`, a refusal that was said as a part needs no filter): see the
 * `writeFinish` of each protocol.
 *
 * A protocol without a word takes the nearest that is no stop. `incomplete` and `pause-turn` become what a limit looks
 * like, because agents go on from a limit by themselves: Claude Code asks again
 * (https://github.com/anthropics/claude-code/issues/24055), the AI SDK and with it OpenCode read `length`, Codex sends
 * the request again (`response.incomplete` in codex-rs/codex-api/src/sse/responses.rs). As a stop it would be the end
 * of the turn, and stopMessage would take it for the model's own will. Gemini has a word of its own for it.
 * `content-filter` and `refusal` share one where there is only one.
 */
export const finishWords = {
  chat: {
    stop: 'stop',
    'stop-sequence': 'stop',
    'tool-calls': 'tool_calls',
    length: 'length',
    'content-filter': 'content_filter',
    refusal: 'content_filter',
    'pause-turn': 'length',
    incomplete: 'length',
  },
  messages: {
    stop: 'end_turn',
    'stop-sequence': 'stop_sequence',
    'tool-calls': 'tool_use',
    length: 'max_tokens',
    'content-filter': 'refusal',
    refusal: 'refusal',
    'pause-turn': 'pause_turn',
    incomplete: 'max_tokens',
  },
  /** `incomplete_details.reason` of an incomplete response; null: it is completed */
  responses: {
    stop: null,
    'stop-sequence': null,
    'tool-calls': null,
    length: 'max_output_tokens',
    'content-filter': 'content_filter',
    refusal: 'content_filter',
    'pause-turn': 'max_output_tokens',
    incomplete: 'max_output_tokens',
  },
  gemini: {
    stop: 'STOP',
    'stop-sequence': 'STOP',
    'tool-calls': 'STOP',
    length: 'MAX_TOKENS',
    'content-filter': 'SAFETY',
    refusal: 'SAFETY',
    'pause-turn': 'OTHER',
    incomplete: 'OTHER',
  },
} as const satisfies Record<WireProtocol, Record<AnswerFinish, string | null>>
