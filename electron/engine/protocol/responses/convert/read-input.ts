import { OnwardError } from '../../../base/errors.ts'
import { addPiece } from '../../canonical/codec.ts'
import type {
  ContentPart,
  Message,
  TextPart,
  ToolCallPart,
  ToolResultPart,
  Seal,
  ThinkingPart,
} from '../../canonical/request.ts'
import { sealFromClient } from '../../canonical/thinking/seal.ts'
import { noteUnread, isSaid, type Unread, noteUnreadOf } from '../../chat/convert/members.ts'
import { asList, asName, asObject, asText, type JsonObject } from '../../values.ts'
import { contentPart, contentParts } from './read-parts.ts'
import { readTools, toolSearch } from './read-tools.ts'

type AssistantPart = Extract<Message, { role: 'assistant' }>['parts'][number]

interface Conversation {
  system: TextPart[]
  messages: Message[]
  /** tools that are declared in the middle of the input */
  tools: unknown[]
}

/** The message that grows with each item of its kind; null after an item of another kind. */
interface Reading extends Conversation {
  assistant: AssistantPart[] | null
  results: ToolResultPart[] | null
  /** names of the calls so far, by their ids */
  names: Map<string, string>
  unread: Unread
}

/**
 * Joins neighbouring items of a model turn into one assistant message, and neighbouring tool outputs into one user
 * message.
 */
export function readInput(input: unknown, system: TextPart[], unread: Unread): Conversation {
  const reading: Reading = { system, messages: [], tools: [], assistant: null, results: null, names: new Map(), unread }
  if (typeof input === 'string') reading.messages.push({ role: 'user', parts: [{ type: 'text', text: input }] })
  else if (input !== null && input !== undefined && !Array.isArray(input))
    throw badInput('input', 'must be a text or a list of items')
  else for (const [i, entry] of asList(input).entries()) readItem(reading, entry, `input[${i}]`)
  return reading
}

export const badInput = (path: string, what: string): OnwardError =>
  new OnwardError('bad-request', `The request's \`${path}\` ${what}.`, { status: 400, details: { path } })

function readItem(reading: Reading, entry: unknown, at: string): void {
  if (typeof entry === 'string') return addMessage(reading, 'user', { content: entry })
  const item = asObject(entry)
  if (!item) throw badInput(at, 'must be an object')
  const type = asText(item['type']) ?? (asName(item['role']) === null ? 'item_reference' : 'message')
  switch (type) {
    case 'message':
      return addMessage(reading, asText(item['role']) ?? 'user', item)
    case 'agent_message':
      return addAgentMessage(reading, item)
    case 'reasoning':
      return addReasoning(reading, item)
    case 'function_call':
    case 'custom_tool_call':
      return addCall(reading, item, type === 'custom_tool_call', at)
    case 'function_call_output':
    case 'custom_tool_call_output':
      return addResult(reading, item, type === 'custom_tool_call_output')
    case 'local_shell_call':
    case 'shell_call':
    case 'apply_patch_call':
      return addOwnCall(reading, item, type)
    case 'local_shell_call_output':
    case 'shell_call_output':
    case 'apply_patch_call_output':
      return addResult(reading, item, false)
    case 'additional_tools':
      noteUnread(item, toolsMembers, 'input[].', reading.unread)
      reading.tools.push(...asList(item['tools']))
      return
    case 'tool_search_call':
      return addSearch(reading, item)
    case 'tool_search_output':
      return addFound(reading, item)
    case 'image_generation_call':
      return addImage(reading, item)
    default:
      return void reading.unread.add(`input[].${type}`)
  }
}

function assistantOf(reading: Reading): AssistantPart[] {
  reading.results = null
  if (!reading.assistant) {
    reading.assistant = []
    reading.messages.push({ role: 'assistant', parts: reading.assistant })
  }
  return reading.assistant
}

const messageMembers = new Set(['type', 'role', 'content', 'status', 'phase'])

function addMessage(reading: Reading, role: string, item: JsonObject): void {
  const { unread } = reading
  noteUnread(item, messageMembers, 'input[].', unread)
  if (role === 'assistant') return addAnswer(reading, item['content'], asName(item['phase']))
  reading.assistant = null
  reading.results = null
  const parts = contentParts(item['content'], 'input[].content', unread)
  if (role !== 'system' && role !== 'developer') {
    if (role !== 'user') unread.add('input[].role')
    reading.messages.push({ role: 'user', parts })
    return
  }
  const texts = parts.filter(isText)
  if (texts.length < parts.length) unread.add('input[].content[] of a developer message')
  if (reading.messages.length === 0) reading.system.push(...texts)
  else if (texts.length > 0) reading.messages.push({ role: 'system', parts: texts })
}

const agentMembers = new Set(['type', 'id', 'author', 'recipient', 'content'])

/**
 * Reads what a Codex agent writes to another agent. Other protocols can only carry it as the user's, so the text names
 * its author. If the model does not encrypt, Codex (0.147) puts plain text into `encrypted_content`
 * (https://github.com/openai/codex/issues/36376); text that OpenAI encrypted can't be read here.
 */
function addAgentMessage(reading: Reading, item: JsonObject): void {
  const { unread } = reading
  noteUnread(item, agentMembers, 'input[].', unread)
  const named = (member: string) => asName(item[member]) ?? 'unnamed'
  let words = `<agent_message>\nFrom agent ${named('author')} to agent ${named('recipient')}, not from the user:\n\n`
  const others: ContentPart[] = []
  const content = item['content']
  for (const entry of typeof content === 'string' ? [{ type: 'input_text', text: content }] : asList(content)) {
    const value = asObject(entry)
    const sealed = value?.['type'] === 'encrypted_content' ? asText(value['encrypted_content']) : null
    if (sealed?.startsWith('gAAAAA')) {
      unread.add('input[].content[].encrypted_content')
      words += '[encrypted for another model: its words can’t be read here]'
    } else {
      const part = sealed === null ? contentPart(value, 'input[].content', unread) : text(sealed)
      if (part?.type === 'text') words += part.text
      else if (part) others.push(part)
    }
  }
  reading.assistant = null
  reading.results = null
  reading.messages.push({ role: 'user', parts: [text(words), ...others] })
}

const text = (value: string): TextPart => ({ type: 'text', text: value })
const isText = (part: ContentPart): part is TextPart => part.type === 'text'

function addAnswer(reading: Reading, content: unknown, phase: string | null): void {
  const phased = phase === null ? {} : { phase }
  if (typeof content === 'string') {
    assistantOf(reading).push({ type: 'text', text: content, ...phased })
    return
  }
  const parts: AssistantPart[] = []
  for (const entry of asList(content)) {
    const value = asObject(entry)
    const part = contentPart(value, 'input[].content', reading.unread)
    if (part?.type === 'text')
      addPiece(parts, value?.['type'] === 'refusal' ? { type: 'refusal', text: part.text } : { ...part, ...phased })
    else if (part?.type === 'image') parts.push(part)
    else if (part) reading.unread.add(`input[].content[].${part.type}`)
  }
  assistantOf(reading).push(...parts)
}

function addReasoning(reading: Reading, item: JsonObject): void {
  const part = readReasoning(item, reading.unread)
  if (reading.assistant && attachSeal(part, reading.assistant)) return
  if (part.text !== '' || part.seal) assistantOf(reading).push(part)
}

const toolsMembers = new Set(['type', 'id', 'role', 'tools'])
const ownCallMembers = new Set(['type', 'id', 'call_id', 'status', 'action', 'operation'])
const imageMembers = new Set(['type', 'id', 'status', 'result'])
const callMembers = new Set(['type', 'call_id', 'name', 'namespace', 'arguments', 'input', 'status'])

function addCall(reading: Reading, item: JsonObject, custom: boolean, at: string): void {
  const name = asName(item['name'])
  const id = asName(item['call_id']) ?? asName(item['id'])
  if (name === null) throw badInput(`${at}.name`, 'is missing')
  if (id === null) throw badInput(`${at}.call_id`, 'is missing')
  noteUnread(item, callMembers, 'input[].', reading.unread)
  const namespace = asName(item['namespace'])
  const said = item[custom ? 'input' : 'arguments']
  pushCall(reading, { id, name, ...(namespace === null ? {} : { namespace }), arguments: jsonText(said), custom })
}

/** Arguments are JSON in a text; some clients send back the object itself. */
const jsonText = (value: unknown): string => asText(value) ?? (isSaid(value) ? JSON.stringify(value) : '')

function pushCall(reading: Reading, call: Omit<ToolCallPart, 'type' | 'seal'>): void {
  reading.names.set(call.id, call.name)
  assistantOf(reading).push({ type: 'tool-call', ...call, seal: null })
}

/** Calls of tools that the vendor defines and the client runs are written as calls like any other. */
function addOwnCall(reading: Reading, item: JsonObject, type: string): void {
  const id = asName(item['call_id']) ?? asName(item['id'])
  if (id === null) return void reading.unread.add(`input[].${type}`)
  noteUnread(item, ownCallMembers, 'input[].', reading.unread)
  pushCall(reading, {
    id,
    name: type.slice(0, -'_call'.length),
    arguments: jsonText(item['action'] ?? item['operation']) || '{}',
    custom: false,
  })
}

const searchCallMembers = new Set(['type', 'id', 'call_id', 'status', 'execution', 'arguments'])

/** A search that the vendor ran has no place. */
function addSearch(reading: Reading, item: JsonObject): void {
  const id = asName(item['call_id'])
  if (id === null || item['execution'] === 'server') return void reading.unread.add('input[].tool_search_call')
  noteUnread(item, searchCallMembers, 'input[].', reading.unread)
  pushCall(reading, { id, name: toolSearch, arguments: jsonText(item['arguments']) || '{}', custom: false })
}

/** Tools that a search found are declared from then on. */
function addFound(reading: Reading, item: JsonObject): void {
  const tools = asList(item['tools'])
  reading.tools.push(...tools)
  const callId = asName(item['call_id'])
  if (callId === null || !reading.names.has(callId)) return void reading.unread.add('input[].tool_search_output')
  const found = readTools(tools, 'input[].tools', reading.unread).flatMap((tool) =>
    tool.type === 'native' ? [] : [tool.namespace === undefined ? tool.name : `${tool.namespace}__${tool.name}`],
  )
  const output = found.length === 0 ? 'No tools were found.' : `These tools are there now: ${found.join(', ')}.`
  addResult(reading, { call_id: callId, output }, false)
}

const outputMembers = new Set(['type', 'call_id', 'output', 'status', 'name'])

function addResult(reading: Reading, item: JsonObject, custom: boolean): void {
  // For `local_shell_call_output` the documentation has only `id`.
  const callId = asName(item['call_id']) ?? asName(item['id'])
  if (callId === null) return void reading.unread.add(`input[].${String(item['type'])}`)
  noteUnread(item, outputMembers, 'input[].', reading.unread)
  reading.assistant = null
  if (!reading.results) {
    reading.results = []
    reading.messages.push({ role: 'user', parts: reading.results })
  }
  const parts = outputParts(item['output'], reading.unread)
  // A script that Codex runs may print something before it ends: that is an output of its own for the same call.
  const before = reading.results.findIndex((result) => result.callId === callId)
  const first = reading.results[before]
  if (first) {
    reading.results[before] = { ...first, parts: [...first.parts, ...parts] }
    return
  }
  const name = reading.names.get(callId) ?? asName(item['name'])
  reading.results.push({ type: 'tool-result', callId, name, parts, isError: false, custom })
}

function outputParts(output: unknown, unread: Unread): ContentPart[] {
  if (output === '' || output === null || output === undefined) return []
  if (typeof output === 'string') return [{ type: 'text', text: output }]
  const isContent = Array.isArray(output) && output.every((entry) => typeof asObject(entry)?.['type'] === 'string')
  return isContent ? contentParts(output, 'input[].output', unread) : [{ type: 'text', text: JSON.stringify(output) }]
}

function addImage(reading: Reading, item: JsonObject): void {
  const base64 = asName(item['result'])
  if (base64 === null) return void reading.unread.add('input[].image_generation_call')
  noteUnread(item, imageMembers, 'input[].', reading.unread)
  assistantOf(reading).push({ type: 'image', source: { kind: 'data', mediaType: 'image/png', base64 }, detail: null })
}

/** Separates the parts of a summary, which is one text in the canonical turn. */
export const summaryGap = '\n\n'

/** Returns all text of a reasoning item: the summary, or the thoughts themselves if a server shows them. */
export const reasoningText = (item: JsonObject, gap = summaryGap): string =>
  textsOf(item['summary'], gap) || textsOf(item['content'], gap)

function textsOf(list: unknown, gap: string): string {
  const texts: string[] = []
  for (const entry of asList(list)) {
    const text = asText(asObject(entry)?.['text'])
    if (text) texts.push(text)
  }
  return texts.length === 1 ? (texts[0] ?? '') : texts.join(gap)
}

const knownThought = new Set(['type', 'text'])
const known = new Set(['type', 'summary', 'content', 'encrypted_content', 'status', 'id'])

/** Reads a reasoning item that a client sends back. */
function readReasoning(item: JsonObject, unread: Unread): ThinkingPart {
  noteUnread(item, known, 'input[].', unread)
  for (const name of ['summary', 'content'])
    for (const entry of asList(item[name])) noteUnreadOf(entry, knownThought, `input[].${name}[].`, unread)
  const text = reasoningText(item)
  const sealed = asName(item['encrypted_content'])
  const id = asName(item['id'])
  if (sealed === null && id !== null) unread.add('input[].id')
  return {
    type: 'thinking',
    text,
    seal: sealed === null ? null : withItem(sealFromClient(sealed, 'responses'), sealed, id, text),
  }
}

/** A provider's own bytes need the id and text of the item they came in. */
const withItem = (seal: Seal, sealed: string, id: string | null, text: string): Seal =>
  seal.data === sealed ? { ...seal, ...(id === null ? {} : { id }), ...(text === '' ? {} : { text }) } : seal

/**
 * Attaches a tool call's own seal, which comes back in a reasoning item without text after the call, under the call's
 * id: calls have no member for it, and every client sends reasoning back. Returns true if it was one.
 */
function attachSeal({ text, seal }: ThinkingPart, turn: Extract<Message, { role: 'assistant' }>['parts']): boolean {
  if (text !== '' || !seal || seal.of === 'responses' || seal.id === undefined) return false
  for (const part of turn) {
    if (part.type !== 'tool-call' || part.id !== seal.id) continue
    part.seal = { ...seal, id: undefined }
    return true
  }
  return false
}
