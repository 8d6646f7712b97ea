import { OnwardError } from '../../base/errors.ts'
import { once } from '../../base/work.ts'
import type { EntryProtocol } from '../../../../shared/words.ts'
import { camelled } from '../gemini/convert/members.ts'
import { either, listed } from '../gemini/request-lens.ts'
import { placeOf } from '../gemini/request-place.ts'
import { asksWithImage } from '../images/in-protocols.ts'
import { decode, elements, isObject, member } from '../json-bytes/index.ts'
import type { Bound, RequestLens, RequestNeeds } from '../types.ts'
import { asNumber, asObject, asText } from '../values.ts'
import { estimateTokens } from './estimate-tokens.ts'
import { hasTool, isWebSearch, wordAt } from './parts.ts'

/** What a request of each protocol needs of its model, beside what all of them say alike. */
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
