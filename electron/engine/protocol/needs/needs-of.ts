import type { EntryProtocol } from '../../../../shared/words.ts'
import { OnwardError } from '../../base/errors.ts'
import { once } from '../../base/work.ts'
import { imageTokens } from '../canonical/estimate-tokens.ts'
import { camelled } from '../gemini/convert/members.ts'
import { either, listed, placeOf } from '../gemini/request-lens.ts'
import { asksWithImage } from '../images/in-protocols.ts'
import { decode, elements, isObject, member } from '../json-bytes/index.ts'
import type { Bound, RequestLens, RequestNeeds } from '../types.ts'
import { asNumber, asObject, asText } from '../values.ts'
import { hasTool, isWebSearch, wordAt } from './parts.ts'

/** Returns what a request needs of its model where protocols say it differently. */
interface Asks {
  webSearch(lens: RequestLens): boolean
  thinking(lens: RequestLens): boolean
  bound?(lens: RequestLens): Bound | null
}

const asks: Readonly<Record<EntryProtocol, Asks>> = {
  chat: {
    /** OpenAI's `web_search_options`, a tool of the vendor (GLM), or OpenRouter's plugin */
    webSearch(lens) {
      const { body, place } = lens
      const options = place('web_search_options')
      if ((options && isObject(body, options)) || hasSearchTool(lens)) return true
      const plugins = place('plugins')
      return (
        plugins !== null && elements(body, plugins).some((plugin) => wordAt(body, member(body, plugin, 'id')) === 'web')
      )
    },
    /** the vendors' ways to say it are those that chat/convert/read-settings reads */
    thinking(lens) {
      if (lens.value('enable_thinking') === true) return true
      const effort = lens.value('reasoning_effort') ?? null
      if (effort !== null) return asksEffort(effort)
      const type = asObject(lens.value('thinking'))?.['type']
      if (typeof type === 'string') return type !== 'disabled'
      const reasoning = asObject(lens.value('reasoning'))
      if (!reasoning || reasoning['enabled'] === false) return false
      return (
        reasoning['enabled'] === true || asksEffort(reasoning['effort']) || (asNumber(reasoning['max_tokens']) ?? 0) > 0
      )
    },
  },
  messages: {
    webSearch: (lens) => hasTool(lens.body, lens.place('tools'), 'web_search', isWebSearch),
    // An effort alone (output_config) is how thorough the answer is to be.
    thinking: (lens) => ['enabled', 'adaptive'].includes(wordAt(lens.body, lens.place('thinking', 'type')) ?? ''),
    // Claude Code 2.1.332: Anthropic keeps what came before, and the request holds the newest message alone.
    bound: (lens) => (wordAt(lens.body, lens.place('thread', 'type')) === 'continue' ? 'thread' : null),
  },
  responses: {
    webSearch: hasSearchTool,
    thinking: (lens) => asksEffort(lens.value('reasoning', 'effort')),
    // Codex asks for a compaction by an item, and sends back what OpenAI sealed of the conversation before it.
    bound: (lens) =>
      lens.body.includes('"compaction', 0, 'latin1') &&
      lens.items().some((item) => compactions.has(wordAt(lens.body, member(lens.body, item, 'type')) ?? ''))
        ? 'compaction'
        : saysOnlyPrompt(lens)
          ? 'prompt'
          : null,
  },
  gemini: {
    webSearch(lens) {
      const tools = placeOf(lens, 'tools')
      return tools !== null && listed(lens.body, tools).some((tool) => either(lens.body, tool, ...searches) !== null)
    },
    /** a budget of 0 switches thinking off, -1 leaves it to the model; Gemini 3 has levels instead (ThinkingConfig) */
    thinking(lens) {
      const { body } = lens
      const config = placeOf(lens, 'generationConfig', 'generation_config')
      const at = config && either(body, config, 'thinkingConfig', 'thinking_config')
      if (!at) return false
      const said = camelled(asObject(decode(body, at)) ?? {})
      const budget = asNumber(said['thinkingBudget'])
      if (budget !== null) return budget !== 0
      const level = asText(said['thinkingLevel'])?.toLowerCase() ?? unspecified
      return level === unspecified ? said['includeThoughts'] === true : level !== 'minimal'
    },
  },
}

/** The needs of a request, each computed on the first call. */
export function needsOf(lens: RequestLens): RequestNeeds {
  const { webSearch, thinking, bound } = asks[lens.protocol]
  return {
    tokens: once(() => estimateTokens(lens.body)),
    image: once(() => unlessBroken(() => asksWithImage(lens), false)),
    webSearch: once(() => unlessBroken(() => webSearch(lens), false)),
    thinking: once(() => unlessBroken(() => thinking(lens), false)),
    otherModels: once(() => unlessBroken(() => otherModels(lens), [])),
    ...(bound ? { bound: once(() => unlessBroken(() => bound(lens), null)) } : {}),
  }
}

/** The lens does not check the escapes of long strings, so one may turn out bad here. The upstream has to refuse it. */
export function unlessBroken<T>(check: () => T, otherwise: T): T {
  try {
    return check()
  } catch (error) {
    if (OnwardError.isInstance(error) && error.code === 'bad-json') return otherwise
    throw error
  }
}

/** True if the model should think. OpenAI's words for effort; the two lowest ask for an answer at once. */
const asksEffort = (effort: unknown): boolean =>
  typeof effort === 'string' && effort !== '' && effort !== 'none' && effort !== 'minimal'

/** OpenRouter puts its name before the type. */
function hasSearchTool({ body, place }: RequestLens): boolean {
  return hasTool(body, place('tools'), 'web_search', (type) => isWebSearch(type.replace(/^openrouter:/, '')))
}

const searches = [
  'googleSearch',
  'google_search',
  'googleSearchRetrieval',
  'google_search_retrieval',
  'enterpriseWebSearch',
  'enterprise_web_search',
] as const

const unspecified = 'thinking_level_unspecified'

const compactions = new Set(['compaction', 'compaction_summary', 'compaction_trigger'])

/** True if the question is only in a prompt that OpenAI stores. */
function saysOnlyPrompt(lens: RequestLens): boolean {
  if (lens.place('prompt') === null || wordAt(lens.body, lens.place('prompt', 'id')) === null) return false
  const input = lens.place('input')
  return (
    input === null ||
    /^(?:null|""|\[\s*\])$/.test(lens.body.toString('latin1', input.start, Math.min(input.end, input.start + 64)))
  )
}

/** The approximate length of a token of English, code or JSON. */
const bytesPerToken = 4
/** A shorter payload costs less counted by its bytes. */
const longPayload = imageTokens * bytesPerToken

/** One sample is read per stride, so a long payload can't lie between two samples. */
const stride = 4_096
const sampleSize = 64
/** The most bytes between a member's name and its payload. */
const nameRoom = 32

/**
 * Estimates the input tokens of a request from its bytes. Images and files in base64 (data URLs, Messages' and Gemini's
 * `data`, Chat's `file_data`) count as an image does: the model does not read their bytes as text.
 */
export function estimateTokens(body: Buffer): number {
  const nextQuote = cursor(body, 0x22)
  const nextBackslash = cursor(body, 0x5c)
  const nextSpace = cursor(body, 0x20)
  const nextParenthesis = cursor(body, 0x29)

  /**
   * Returns the offset after the payload's last byte. The payload may be within a text, and `/` may be written `\/`.
   */
  function payloadEnd(from: number): number {
    const end = Math.min(nextQuote(from), nextSpace(from), nextParenthesis(from))
    let at = nextBackslash(from)
    while (at < end && body[at + 1] === slash) at = nextBackslash(at + 2)
    return Math.min(end, at)
  }

  let payloadBytes = 0
  let payloads = 0
  let i = 0
  while (i + sampleSize <= body.length) {
    if (!isBase64(body, i)) {
      i += stride
      continue
    }
    const start = payloadStart(body, i)
    const end = payloadEnd(i)
    if (end - start > longPayload && isNamed(body, start)) {
      payloads++
      payloadBytes += end - start
    }
    // The next payload may begin right after this one, and no bytes are sampled twice.
    i = Math.max(end, i + stride)
  }
  return Math.ceil((body.length - payloadBytes) / bytesPerToken) + payloads * imageTokens
}

const slash = 0x2f

/** The backslash is that of `\/`. */
const isPayload = (c: number): boolean =>
  (c >= 0x61 && c <= 0x7a) ||
  (c >= 0x41 && c <= 0x5a) ||
  (c >= 0x2f && c <= 0x39) ||
  c === 0x2b ||
  c === 0x2d ||
  c === 0x3d ||
  c === 0x5f ||
  c === 0x5c

function isBase64(body: Buffer, at: number): boolean {
  for (let i = at; i < at + sampleSize; i++) if (!isPayload(body[i] ?? 0)) return false
  return true
}

/** The payload began after the sample before this one. */
function payloadStart(body: Buffer, within: number): number {
  let i = within
  const least = Math.max(0, within - stride - sampleSize)
  while (i > least && isPayload(body[i - 1] ?? 0)) i--
  return i
}

const isNamed = (body: Buffer, start: number): boolean =>
  /(?:;base64,|"(?:data|file_data)"\s*:\s*")$/.test(body.toString('latin1', Math.max(0, start - nameRoom), start))

/** Returns the next place of a byte at or after `from`, which must only grow: all calls together read the body once. */
function cursor(body: Buffer, sign: number): (from: number) => number {
  let at = -1
  return (from) => {
    if (at < from) {
      const found = body.indexOf(sign, from)
      at = found < 0 ? body.length : found
    }
    return at
  }
}

/** Lists of OpenRouter (`models`) and LiteLLM (`fallbacks`), whose members are names or objects with one. */
const lists = ['models', 'fallbacks', 'fallback_models', 'fallback_model', 'fallbackModels'] as const

/** Returns the models that a request names beside its own: to fall back on, or for a tool of the vendor's. */
function otherModels(lens: RequestLens): readonly string[] {
  const listed = lists.flatMap((name) => namesIn(lens.value(name)))
  const tools = lens.place('tools')
  if (!tools) return listed
  const named = elements(lens.body, tools).flatMap((tool) => {
    const at = isObject(lens.body, tool) ? member(lens.body, tool, 'model') : null
    return at ? namesIn(decode(lens.body, at)) : []
  })
  return [...listed, ...named]
}

function namesIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(namesIn)
  if (typeof value !== 'object' || value === null) return []
  return 'model' in value ? namesIn(value.model) : Object.values(value).flatMap(namesIn)
}
