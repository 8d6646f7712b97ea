/** A request as the simulator understands it, whatever its protocol. */
import { OnwardError } from '../../base/errors.ts'
import type { ConversionCodec } from '../../protocol/canonical/codec.ts'
import type { CanonicalRequest, Message } from '../../protocol/canonical/request.ts'
import { isTimeTag } from '../../protocol/lens/lens.ts'
import type { JsonObject } from '../../protocol/values.ts'

export interface Facts {
  request: CanonicalRequest
  /** the last text of a user; tool results don't count */
  userText: string
  /** assistant turns in the whole history, and since that user text */
  turn: number
  round: number
  /** tool results after the last assistant turn */
  toolResults: readonly string[]
  /** names of freeform tools, whose calls carry text instead of JSON */
  freeform: ReadonlySet<string>
  /** JSON Schema the answer must fit, when the request has one */
  schema: unknown
  inputTokens: number
}

type Item = { who: 'user'; text: string } | { who: 'assistant' } | { who: 'tool'; text: string }

/** Four bytes a token: a fair guess for English and code, and deterministic. */
export const tokensOf = (bytes: number): number => Math.max(1, Math.ceil(bytes / 4))

export function readFacts(codec: ConversionCodec, body: JsonObject, path: string, bytes: number): Facts {
  const request = readAnything(codec, body, path)
  const items = withoutTime(request.messages.flatMap((message) => itemsOf(message, codec)))
  const before = turnsBefore(body['previous_response_id'])
  const lastUser = items.findLastIndex((item) => item.who === 'user')
  const lastAssistant = items.findLastIndex((item) => item.who === 'assistant')
  const user = items[lastUser]
  return {
    request,
    userText: user?.who === 'user' ? user.text : '',
    turn: before.turn + assistantTurns(items),
    round: assistantTurns(items.slice(lastUser + 1)) + (lastUser < 0 ? before.round : 0),
    toolResults: items.slice(lastAssistant + 1).flatMap((item) => (item.who === 'tool' ? [item.text] : [])),
    freeform: new Set(request.tools.flatMap((tool) => (tool.type === 'custom' ? [tool.name] : []))),
    schema: request.format === null ? null : request.format.type === 'schema' ? request.format.schema : {},
    inputTokens: tokensOf(bytes),
  }
}

/** Any request is answered: one that makes no sense counts as one without messages. */
function readAnything(codec: ConversionCodec, body: JsonObject, path: string): CanonicalRequest {
  const least = { model: 'simulator', messages: [], contents: [] }
  try {
    return codec.readRequest({ ...least, ...body }, { path })
  } catch (error) {
    if (!OnwardError.isInstance(error)) throw error
    return codec.readRequest({ ...least, stream: body['stream'] }, { path })
  }
}

/** Onward adds the time after the user's words; it is not part of what the person asks. */
function withoutTime(items: readonly Item[]): Item[] {
  return items.flatMap((item): Item[] => {
    if (item.who !== 'user') return [item]
    const text = item.text
      .split('\n')
      .filter((line) => !isTimeTag(line))
      .join('\n')
    return text === '' && item.text !== '' ? [] : [{ ...item, text }]
  })
}

/** A run of assistant items is one turn. */
function assistantTurns(items: readonly Item[]): number {
  return items.filter((item, i) => item.who === 'assistant' && items[i - 1]?.who !== 'assistant').length
}

function itemsOf(message: Message, { protocol }: ConversionCodec): Item[] {
  if (message.role === 'assistant') return [{ who: 'assistant' }]
  if (message.role === 'system') return []
  const results = message.parts.filter((part) => part.type === 'tool-result')
  const items = results.map(({ parts }): Item => ({ who: 'tool', text: textOf(parts) }))
  const said = message.parts.filter((part) => part.type !== 'tool-result')
  // Chat has a message for each result, so what stands beside them is a person's; elsewhere it is the client's.
  const isSaid = results.length === 0 || (protocol === 'chat' && said.length > 0)
  return isSaid ? [...items, { who: 'user', text: textOf(said) }] : items
}

export const textOf = (parts: readonly { type: string; text?: string }[]): string =>
  parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')

const idForm = /^resp_sim_(\d+)_(\d+)_/
/** The simulator stores nothing: the id of its own last response says how far a conversation had come. */
function turnsBefore(id: unknown): { turn: number; round: number } {
  const [, turn = '0', round = '0'] = (typeof id === 'string' ? idForm.exec(id) : null) ?? []
  return { turn: Number(turn), round: Number(round) }
}

/** Makes the ids of an answer, the same for the same request. */
export function idsOf(facts: Facts, fingerprint: string): (prefix: string) => string {
  let made = 0
  return (prefix) => `${prefix}sim_${facts.turn + 1}_${facts.round + 1}_${fingerprint}_${made++}`
}
