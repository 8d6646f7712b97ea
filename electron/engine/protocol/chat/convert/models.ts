import { efforts, type Effort, type Reasoning } from '../../canonical/request.ts'

/**
 * Families of models with different APIs, known by their names. OpenAI's own take members that servers with a
 * compatible API often refuse (Groq, Cerebras and Gemini answer 400 to `prompt_cache_key`), and open-weight `gpt-oss`
 * runs on such servers.
 */
const openai = /^(?:openai\/)?(?:gpt-(?!oss)|chatgpt-|codex-|o\d)/i
const cacheMarks = /^(?:openai\/)?gpt-(?:5\.(?:[6-9]|\d\d)|[6-9])/i
const reasoning = /^(?:openai\/)?(?:o\d|gpt-[5-9])/i
const mistral = /(?:^|[/:])(?:open-)?(?:mi[sx]tral|ministral|devstral|codestral|magistral|pixtral)/i

export const isOpenaiModel = (model: string): boolean => openai.test(model)

/**
 * OpenAI's reasoning models refuse `max_tokens`; its others refuse `reasoning_effort`. The `-chat` ones don't reason,
 * whatever their number.
 */
export const isOpenaiReasoningModel = (model: string): boolean => reasoning.test(model) && !model.includes('-chat')

/**
 * Members that a reasoning model of OpenAI refuses in both of its APIs ("Unsupported parameter: 'temperature' is not
 * supported with this model"), by the names of the canonical request. With effort `none`, which newer ones know, they
 * sample.
 */
const samplingMembers = ['temperature', 'topP', 'frequencyPenalty', 'presencePenalty', 'logprobs', 'stop'] as const
export type SamplingMember = (typeof samplingMembers)[number]
export const refusedSampling = (model: string, reasoning: Reasoning | null): readonly SamplingMember[] =>
  isOpenaiReasoningModel(model) && effortFor(model, reasoning?.effort ?? 'medium') !== 'none' ? samplingMembers : []

/** Efforts by family, the least first. Sources: OpenAI's model pages, and those of the vendors named. */
const effortsOf: readonly (readonly [RegExp, readonly Effort[]])[] = [
  [/^(?:openai\/)?o\d/i, ['low', 'medium', 'high']],
  [/^(?:openai\/)?gpt-5-pro/i, ['high']],
  [/^(?:openai\/)?gpt-5(?:-|$)/i, ['minimal', 'low', 'medium', 'high']],
  [/^(?:openai\/)?gpt-5\.1-codex-max/i, ['none', 'low', 'medium', 'high', 'xhigh']],
  [/^(?:openai\/)?gpt-5\.1(?:-|$)/i, ['none', 'low', 'medium', 'high']],
  // later ones know no `minimal`, and none is known to take `max`
  [openai, ['none', 'low', 'medium', 'high', 'xhigh']],
  // https://api-docs.deepseek.com/guides/thinking_mode, https://docs.z.ai/guides/capabilities/thinking
  [/deepseek-(?:v4|chat|reasoner)|glm-5/i, efforts],
  // Others refuse the two highest with 400 (Kimi K2.5: https://github.com/router-for-me/CLIProxyAPI/issues/1307).
  [/^/, ['none', 'minimal', 'low', 'medium', 'high']],
]

/** The nearest effort that a model takes: the next lower one, or its least. */
export function effortFor(model: string, effort: Effort): Effort {
  const known = effortsOf.find(([family]) => family.test(model))?.[1] ?? efforts
  if (known.includes(effort)) return effort
  const wanted = efforts.indexOf(effort)
  return known.findLast((one) => efforts.indexOf(one) < wanted) ?? known[0] ?? effort
}

/**
 * Mistral's models want an answer between a tool's result and the user's next words, wherever they run: "Unexpected
 * role 'user' after role 'tool'" (https://github.com/NousResearch/hermes-agent/issues/20154).
 */
export const wantsAnswerBehindTools = (model: string): boolean => mistral.test(model)

/** `prompt_cache_breakpoint` came with gpt-5.6 (OpenAI's API reference). */
export const knowsCacheMarks = (model: string): boolean => cacheMarks.test(model)
