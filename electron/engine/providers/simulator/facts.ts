/** A request as the simulator understands it, whatever its protocol. */
import { isTimeTag } from '../../protocol/lens/lens.ts'
import type { EntryProtocol } from '../../../../shared/words.ts'

export interface Facts {
  protocol: EntryProtocol
  model: string
  stream: boolean
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
  includeUsage: boolean
  inputTokens: number
}

type Item = { who: 'user'; text: string } | { who: 'assistant' } | { who: 'tool'; text: string }

/** Four bytes a token: a fair guess for English and code, and deterministic. */
export const tokensOf = (bytes: number): number => Math.max(1, Math.ceil(bytes / 4))

/** `beside`: what the protocol puts outside the body */
export function readFacts(
  protocol: EntryProtocol,
  body: unknown,
  bytes: number,
  beside?: { model: string; stream: boolean },
): Facts {
  const root = record(body)
  const items = withoutTime(itemsOf[protocol](root))
  const before = protocol === 'responses' ? turnsBefore(root['previous_response_id']) : { turn: 0, round: 0 }
  const lastUser = items.findLastIndex((item) => item.who === 'user')
  const lastAssistant = items.findLastIndex((item) => item.who === 'assistant')
  const user = items[lastUser]
  return {
    protocol,
    model: beside?.model ?? (typeof root['model'] === 'string' ? root['model'] : 'simulator'),
    stream: beside?.stream ?? root['stream'] === true,
    userText: user?.who === 'user' ? user.text : '',
    turn: before.turn + assistantTurns(items),
    round: assistantTurns(items.slice(lastUser + 1)) + (lastUser < 0 ? before.round : 0),
    toolResults: items.slice(lastAssistant + 1).flatMap((item) => (item.who === 'tool' ? [item.text] : [])),
    freeform: new Set(
      list(root['tools'])
        .map(record)
        .filter((tool) => tool['type'] === 'custom')
        .flatMap((tool) => (typeof tool['name'] === 'string' ? [tool['name']] : [])),
    ),
    schema: wantedSchema(root),
    includeUsage: record(root['stream_options'])['include_usage'] === true,
    inputTokens: tokensOf(bytes),
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

/** A run of assistant items is one turn: Responses lists reasoning, text and calls each as an item. */
function assistantTurns(items: readonly Item[]): number {
  return items.filter((item, i) => item.who === 'assistant' && items[i - 1]?.who !== 'assistant').length
}

function messageItems(root: Record<string, unknown>): Item[] {
  return list(root['messages']).flatMap((entry): Item[] => {
    const message = record(entry)
    if (message['role'] === 'assistant') return [{ who: 'assistant' }]
    if (message['role'] === 'tool' || message['role'] === 'function')
      return [{ who: 'tool', text: textOf(message['content']) }]
    if (message['role'] !== 'user') return []
    // Messages carries tool results inside a user message; the text beside them is the client's, not a person's.
    const results = list(message['content'])
      .map(record)
      .filter((part) => part['type'] === 'tool_result')
    if (results.length > 0) return results.map((part) => ({ who: 'tool', text: textOf(part['content']) }))
    return [{ who: 'user', text: textOf(message['content']) }]
  })
}

function responsesItems(root: Record<string, unknown>): Item[] {
  if (typeof root['input'] === 'string') return [{ who: 'user', text: root['input'] }]
  return list(root['input']).flatMap((entry): Item[] => {
    const item = record(entry)
    const type = typeof item['type'] === 'string' ? item['type'] : 'message'
    if (type.endsWith('_output')) return [{ who: 'tool', text: textOf(item['output']) }]
    if (type === 'reasoning' || type.endsWith('_call')) return [{ who: 'assistant' }]
    if (type !== 'message') return []
    if (item['role'] === 'assistant') return [{ who: 'assistant' }]
    return item['role'] === 'user' ? [{ who: 'user', text: textOf(item['content']) }] : []
  })
}

/** generateContent: a content's parts, results of tools among them. */
function geminiItems(root: Record<string, unknown>): Item[] {
  return list(root['contents']).flatMap((entry): Item[] => {
    const content = record(entry)
    if (content['role'] === 'model') return [{ who: 'assistant' }]
    const results = list(content['parts'])
      .map((part) => record(part)['functionResponse'])
      .filter((result) => result !== undefined)
    if (results.length > 0)
      return results.map((result) => ({ who: 'tool', text: resultText(record(result)['response']) }))
    return [{ who: 'user', text: textOf(content['parts']) }]
  })
}

function resultText(response: unknown): string {
  const { output, result } = record(response)
  const text = output ?? result
  return typeof text === 'string' ? text : JSON.stringify(response ?? null)
}

const itemsOf: Readonly<Record<EntryProtocol, (root: Record<string, unknown>) => Item[]>> = {
  chat: messageItems,
  messages: messageItems,
  responses: responsesItems,
  gemini: geminiItems,
}

const idForm = /^resp_sim_(\d+)_(\d+)_/
export const responseId = (facts: Facts, fingerprint: string): string =>
  `resp_sim_${facts.turn + 1}_${facts.round + 1}_${fingerprint}`

/** The simulator stores nothing: the id of its own last response says how far a conversation had come. */
function turnsBefore(id: unknown): { turn: number; round: number } {
  const [, turn = '0', round = '0'] = (typeof id === 'string' ? idForm.exec(id) : null) ?? []
  return { turn: Number(turn), round: Number(round) }
}

function wantedSchema(root: Record<string, unknown>): unknown {
  const chat = record(root['response_format'])
  if (chat['type'] === 'json_schema') return record(chat['json_schema'])['schema'] ?? {}
  if (chat['type'] === 'json_object') return {}
  for (const format of [
    record(record(root['text'])['format']),
    record(record(root['output_config'])['format']),
    record(root['output_format']),
  ]) {
    if (format['type'] === 'json_schema') return format['schema'] ?? {}
    if (format['type'] === 'json_object') return {}
  }
  const config = record(root['generationConfig'])
  if (config['responseMimeType'] === 'application/json')
    return config['responseJsonSchema'] ?? config['responseSchema'] ?? {}
  return null
}

export function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return list(content)
    .map(record)
    .flatMap((part) => (typeof part['text'] === 'string' ? [part['text']] : []))
    .join('\n')
}

export const record = (value: unknown): Record<string, unknown> =>
  // Checked to be an object; its members stay unknown.
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
