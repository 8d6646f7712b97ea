import type { WireProtocol } from '../../canonical/request.ts'
import type { ClientAnswer } from './client-answer.ts'
import type { Facts } from './facts.ts'

/** An end that is no stop of the model's own will, of which most protocols can only say that more was to come. */
const goesOn = (finish: Facts['finish']): boolean => finish === 'pause-turn' || finish === 'incomplete'

/** How an ending is said in each protocol, by its own documentation. */
const finishAs: Record<WireProtocol, (facts: Facts) => string> = {
  chat: ({ finish, refusal, calls }) => {
    if (finish === 'refusal') return refusal === undefined ? 'content_filter' : 'stop'
    if (finish === 'length' || goesOn(finish)) return 'length'
    if (finish === 'content-filter') return 'content_filter'
    return calls.length > 0 ? 'tool_calls' : 'stop'
  },
  responses: ({ finish, refusal }) => {
    if (finish === 'length' || goesOn(finish)) return 'incomplete: max_output_tokens'
    const filtered = finish === 'content-filter' || (finish === 'refusal' && refusal === undefined)
    return filtered ? 'incomplete: content_filter' : 'completed'
  },
  messages: ({ finish, calls }) => {
    if (finish === 'length' || finish === 'incomplete') return 'max_tokens'
    if (finish === 'content-filter' || finish === 'refusal') return 'refusal'
    if (finish === 'pause-turn') return 'pause_turn'
    if (finish === 'stop-sequence') return 'stop_sequence'
    return calls.length > 0 ? 'tool_use' : 'end_turn'
  },
  gemini: ({ finish }) => {
    if (goesOn(finish)) return 'OTHER'
    if (finish === 'length') return 'MAX_TOKENS'
    return finish === 'content-filter' || finish === 'refusal' ? 'SAFETY' : 'STOP'
  },
}

const usageAs: Record<WireProtocol, (usage: NonNullable<Facts['usage']>) => Record<string, number>> = {
  chat: ({ input, cachedInput, output, reasoning }) => ({
    prompt_tokens: input,
    cached_tokens: cachedInput,
    completion_tokens: output,
    reasoning_tokens: reasoning,
    total_tokens: input + output,
  }),
  responses: ({ input, cachedInput, output, reasoning }) => ({
    input_tokens: input,
    cached_tokens: cachedInput,
    output_tokens: output,
    reasoning_tokens: reasoning,
    total_tokens: input + output,
  }),
  messages: ({ input, cachedInput, cacheWrite, output }) => ({
    input_tokens: input - cachedInput - cacheWrite,
    cache_read_input_tokens: cachedInput,
    cache_creation_input_tokens: cacheWrite,
    output_tokens: output,
  }),
  gemini: ({ input, cachedInput, output, reasoning }) => ({
    promptTokenCount: input,
    cachedContentTokenCount: cachedInput,
    candidatesTokenCount: output - reasoning,
    thoughtsTokenCount: reasoning,
    totalTokenCount: input + output,
  }),
}

/** Messages has to say counts; without any they are 0. */
const noUsage: Partial<Record<WireProtocol, Record<string, number>>> = {
  messages: { input_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0, output_tokens: 0 },
}

export interface Seen {
  words: string
  thinking: string
  calls: { id: string | null; name: string; arguments: unknown }[]
  finish: string
  usage: Record<string, number> | null
  notes: string[]
  searches: string[]
}

/** Freeform tools: a client of these protocols has none, so no provider calls one for it. */
export const canBeAskedBy = ({ calls }: Facts, client: WireProtocol): boolean =>
  client === 'chat' || client === 'responses' || calls.every((call) => typeof call.arguments !== 'string')

const isSearchAlone = ({ searches, text, refusal, thinking, calls }: Facts): boolean =>
  searches.length > 0 && text + (refusal ?? '') + thinking === '' && calls.length === 0

/** What a client of a protocol has of an answer that came whole. */
export const expectedOf = (facts: Facts, client: WireProtocol): Seen => ({
  words: facts.text + (facts.refusal ?? ''),
  thinking: withoutBlanks(facts.thinking),
  calls: facts.calls.map(({ id, name, arguments: given }) => ({ id, name, arguments: given })),
  finish: finishAs[client](facts),
  usage: facts.usage === null ? (noUsage[client] ?? null) : usageAs[client](facts.usage),
  notes: [...facts.unshown, ...(client === 'chat' && isSearchAlone(facts) ? ['web search'] : [])],
  // Chat has no word for them.
  searches: client === 'chat' ? [] : facts.searches,
})

const note = /(?:\n\n)?\[([^[\]\n]+), not shown by this client\](?:\n\n)?/g

/** The same of what its reader found, in the order and with the ids that the facts know. */
export function seenOf(answer: ClientAnswer, facts: Facts): Seen {
  const text = answer.text.replaceAll(note, '')
  return {
    words: text + answer.refusal,
    thinking: withoutBlanks(answer.thinking),
    calls: answer.calls.map((call, i) => ({
      id: facts.calls[i]?.id === null ? null : call.id,
      name: call.name,
      arguments: typeof facts.calls[i]?.arguments === 'string' ? call.arguments : parsed(call.arguments),
    })),
    finish: answer.finish ?? `error: ${answer.error ?? 'none'}`,
    usage: answer.usage,
    searches: answer.searches,
    notes: [...answer.text.matchAll(note)].map(([, label = '']) => label),
  }
}

function parsed(json: string): unknown {
  const value: unknown = JSON.parse(json === '' ? '{}' : json)
  return value
}

/** Thoughts that stand apart in one protocol are one text in another. */
const withoutBlanks = (text: string): string => text.replaceAll(/\s+/g, '')
