import { createHash } from 'node:crypto'
import { efforts, type Effort, type Reasoning } from './request.ts'

/**
 * Families of models with different APIs, known by their names. OpenAI's own take members that servers with a
 * compatible API often refuse (Groq, Cerebras and Gemini answer 400 to `prompt_cache_key`), and open-weight `gpt-oss`
 * runs on such servers.
 */
const openai = /^(?:openai\/)?(?:gpt-(?!oss)|chatgpt-|codex-|o\d)/i
const cacheMarks = /^(?:openai\/)?gpt-(?:5\.(?:[6-9]|\d\d)|[6-9])/i
const reasoning = /^(?:openai\/)?(?:o\d|gpt-[5-9])/i
/** xAI's, which reason but for those that say so (https://docs.x.ai/docs/guides/reasoning). */
const grok = /(?:^|\/)grok-/i
const reasoningGrok = /(?:^|\/)grok-(?:3-mini|code|build|[4-9])(?!.*non-reasoning)/i
const steeredGrok = /(?:^|\/)grok-(?:3-mini|4\.[3-9](?!\d)|4\.20-multi-agent|[5-9])/i
/** Those of Mistral that think or not, as they are told (https://docs.mistral.ai/capabilities/reasoning/). */
const steeredMistral = /mistral-(?:small-(?:latest|4|26)|medium-(?:3[.-]5|26))|magistral-small-latest/i
/** Moonshot's of fixed sampling: "invalid temperature: only 1 is allowed for this model". */
const fixedKimi = /(?:^|[/:])(?:kimi-(?:k2[.p][5-9]|k[3-9]|for-coding)|k2p[5-9])/i
const mistral = /(?:^|[/:])(?:open-)?(?:mi[sx]tral|ministral|devstral|codestral|magistral|pixtral)/i

export const isOpenaiModel = (model: string): boolean => openai.test(model)

/**
 * OpenAI's reasoning models refuse `max_tokens`; its others refuse `reasoning_effort`. The `-chat` ones don't reason,
 * whatever their number.
 */
export const isOpenaiReasoningModel = (model: string): boolean => reasoning.test(model) && !model.includes('-chat')

/**
 * Members that a reasoning model refuses in both of OpenAI's APIs ("Unsupported parameter: 'temperature' is not
 * supported with this model"), by the names of the canonical request. With effort `none`, which OpenAI's newer ones
 * know, they sample.
 */
const samplingMembers = ['temperature', 'topP', 'frequencyPenalty', 'presencePenalty', 'logprobs', 'stop'] as const
export type SamplingMember = (typeof samplingMembers)[number]
export function refusedSampling(model: string, reasoning: Reasoning | null): readonly SamplingMember[] {
  if (isOpenaiReasoningModel(model))
    return effortFor(model, reasoning?.effort ?? 'medium') === 'none' ? [] : samplingMembers
  if (reasoningGrok.test(model)) return ['frequencyPenalty', 'presencePenalty', 'stop']
  if (fixedKimi.test(model)) return ['temperature', 'topP', 'frequencyPenalty', 'presencePenalty', 'logprobs']
  // "logprobs is not supported" (https://api-docs.deepseek.com/guides/reasoning_model)
  return /deepseek-reasoner/i.test(model) ? ['logprobs'] : []
}

/** False for models that refuse to be told how much to reason, whether they do or not. */
export function takesEffort(model: string): boolean {
  if (isOpenaiModel(model)) return isOpenaiReasoningModel(model)
  if (grok.test(model)) return steeredGrok.test(model)
  return !mistral.test(model) || steeredMistral.test(model)
}

/** Efforts by family, the least first. Sources: OpenAI's model pages, and those of the vendors named. */
const effortsOf: readonly (readonly [RegExp, readonly Effort[]])[] = [
  [/^(?:openai\/)?o\d/i, ['low', 'medium', 'high']],
  [/^(?:openai\/)?gpt-5-pro/i, ['high']],
  [/^(?:openai\/)?gpt-5(?:-|$)/i, ['minimal', 'low', 'medium', 'high']],
  [/^(?:openai\/)?gpt-5\.1-codex-max/i, ['none', 'low', 'medium', 'high', 'xhigh']],
  [/^(?:openai\/)?gpt-5\.1(?:-|$)/i, ['none', 'low', 'medium', 'high']],
  // later ones know no `minimal`, and none is known to take `max`
  [openai, ['none', 'low', 'medium', 'high', 'xhigh']],
  [steeredMistral, ['none', 'high']],
  [/grok-3-mini/i, ['low', 'high']],
  [steeredGrok, ['low', 'medium', 'high', 'xhigh']],
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

/**
 * They check each member and refuse what they don't know: "Extra inputs are not permitted", for `reasoning_content`.
 */
export const isMistralModel = (model: string): boolean => mistral.test(model)

/**
 * Returns a call's id as its model takes it, the same one every time: Mistral's are nine letters and digits ("Tool call
 * id was … but must be a-z, A-Z, 0-9, with a length of 9", mistral-common), OpenAI's forty characters at most.
 */
export function callIdFor(model: string, id: string): string {
  const digits = () => createHash('sha256').update(id).digest('hex')
  if (mistral.test(model)) return /^[a-zA-Z0-9]{9}$/.test(id) ? id : digits().slice(0, 9)
  return isOpenaiModel(model) && id.length > 40 ? `call_${digits().slice(0, 35)}` : id
}

/** `prompt_cache_breakpoint` came with gpt-5.6 (OpenAI's API reference). */
export const knowsCacheMarks = (model: string): boolean => cacheMarks.test(model)

/**
 * The traits of Claude models, by version. Sources: Anthropic's model pages (adaptive thinking, effort, sampling,
 * system messages in the middle of a conversation). Other names are other vendors' endpoints that speak Messages.
 */
export interface ModelTraits {
  /**
   * `budget`: `enabled` with tokens only; `either`; `adaptive` only, steered by effort; `both`: enabled, and effort
   * beside it
   */
  thinking: 'none' | 'budget' | 'either' | 'adaptive' | 'both'
  /** the effort it takes for one that is asked: `max` came with 4.6, `xhigh` with 4.7 */
  effort(asked: Effort): Effort
  /** whether temperature and top_p are taken together, one of them, or none */
  sampling: 'both' | 'one' | 'none'
  /** takes messages of role `system` after a user's message */
  systemMessages: boolean
  /** refuses thinking without a signature of its own */
  signs: boolean
}

const name = /claude-(?:(opus|sonnet|haiku|fable|mythos)-)?(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)/
const other = { thinking: 'both', sampling: 'both', systemMessages: false, signs: false } as const

export function traitsOf(model: string): ModelTraits {
  const found = name.exec(model)
  if (!found) return { ...other, effort: (asked) => effortFor(model, asked) }
  const [, family, major = '0', minor = '0'] = found
  const version = Number(major) * 100 + Number(minor)
  return {
    thinking: version < 307 ? 'none' : version < 406 ? 'budget' : version < 407 ? 'either' : 'adaptive',
    effort: (asked) => (asked === 'xhigh' && version < 407 ? 'high' : asked),
    sampling: version < 401 ? 'both' : version < 407 ? 'one' : 'none',
    // Only the vendor's own endpoint has such names; sonnet and haiku are not known to take them.
    systemMessages: version >= 408 && family !== 'sonnet' && family !== 'haiku' && model.startsWith('claude-'),
    signs: true,
  }
}

/** The differences between generations of Gemini models. A name without a generation counts as a current model. */
const generation = (model: string): number => Number(/gemini-(\d+(?:\.\d+)?)/.exec(model)?.[1] ?? Infinity)

/** True from 2.5 on. */
export const thinks = (model: string): boolean => generation(model) >= 2.5
/** From 3 on, models have thinking levels and check signatures; 2.5 has budgets. */
export const thinksInLevels = (model: string): boolean => generation(model) >= 3
/** "Multimodal function responses" of the function calling guide: 3 and newer. */
export const takesMediaInResults = thinksInLevels

/**
 * The range of thinkingBudget for models of 2.5 (https://ai.google.dev/gemini-api/docs/thinking). Only Pro can't be
 * switched off.
 */
export function budgetRange(model: string): { least: number; most: number; canBeOff: boolean } {
  if (/2\.5-pro/.test(model)) return { least: 128, most: 32_768, canBeOff: false }
  return { least: /flash-lite/.test(model) ? 512 : 1, most: 24_576, canBeOff: true }
}
