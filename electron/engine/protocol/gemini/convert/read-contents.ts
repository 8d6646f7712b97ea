import { OnwardError } from '../../../base/errors.ts'
import { addPiece } from '../../canonical/codec.ts'
import type {
  ContentPart,
  Message,
  TextPart,
  ToolResultPart,
  ImagePart,
  Seal,
  ThinkingPart,
} from '../../canonical/request.ts'
import { asList, asName, asObject, asText, type JsonObject } from '../../values.ts'
import { camelled, noteUnread } from './members.ts'
import { readMedia } from './read-media.ts'
import { sealOf, sealOfText } from './seals.ts'

const contentMembers = new Set(['role', 'parts'])
const userMembers = new Set(['text', 'inlineData', 'fileData', 'functionResponse', 'mediaResolution', 'thought'])
const partPath = 'contents[].parts[].'

export function readSystem(value: unknown, unread: Set<string>): TextPart[] {
  const texts: TextPart[] = []
  const content = asObject(value)
  if (content && 'parts' in content) noteUnread(camelled(content), contentMembers, 'systemInstruction.', unread)
  for (const part of partsOf(value)) {
    const text = asText(part['text'])
    if (text !== null) texts.push({ type: 'text', text })
    noteUnread(part, systemMembers, 'systemInstruction.parts[].', unread)
  }
  return texts
}
const systemMembers = new Set(['text'])

/**
 * Joins neighbouring contents of one role into one message if they belong together: a stream's pieces, the results of
 * parallel calls.
 */
export function readContents(
  value: unknown,
  system: TextPart[],
  unread: Set<string>,
): { system: TextPart[]; messages: Message[] } {
  if (typeof value !== 'string' && asObject(value) === null && !Array.isArray(value)) {
    throw new OnwardError('bad-request', '«contents» should be a list of contents with a role and parts.', {
      status: 400,
    })
  }
  const messages: Message[] = []
  const ids = callIds()
  let assistant: AssistantPart[] | null = null
  let results: (ContentPart | ToolResultPart)[] | null = null
  for (const entry of Array.isArray(value) ? value : [value]) {
    const content = camelled(asObject(entry) ?? {})
    noteUnread(content, contentMembers, 'contents[].', unread)
    const role = asText(content['role'])
    if (role === 'model' || role === 'assistant') {
      assistant ??= started(messages)
      for (const part of partsOf(entry)) addModelPart(assistant, part, { ids, unread })
      results = null
      continue
    }
    assistant = null
    const parts = readUser(entry, ids, unread)
    if (parts.length === 0) continue
    const onlyResults = parts.every(({ type }) => type === 'tool-result')
    if (role === 'system' && parts.every((part) => part.type === 'text')) {
      if (messages.length === 0) system.push(...parts)
      else messages.push({ role: 'system', parts })
    } else if (onlyResults && results) results.push(...parts)
    else messages.push({ role: 'user', parts })
    results = onlyResults ? (results ?? parts) : null
  }
  return { system, messages: messages.filter(({ parts }) => parts.length > 0) }
}

function started(messages: Message[]): AssistantPart[] {
  const parts: AssistantPart[] = []
  messages.push({ role: 'assistant', parts })
  return parts
}

function readUser(content: unknown, ids: CallIds, unread: Set<string>): (ContentPart | ToolResultPart)[] {
  const parts: (ContentPart | ToolResultPart)[] = []
  for (const part of partsOf(content)) {
    noteUnread(part, userMembers, partPath, unread)
    const text = asText(part['text'])
    const response = asObject(part['functionResponse'])
    if (text !== null) parts.push({ type: 'text', text })
    else if (response) parts.push(readResult(camelled(response), ids, unread))
    else {
      const media = readMedia(part, partPath, unread)
      if (media) parts.push(media)
    }
  }
  return parts
}

/** Reads a plain text, one content, or (as SDKs allow) a list of parts. */
function partsOf(value: unknown): JsonObject[] {
  if (typeof value === 'string') return [{ text: value }]
  const object = asObject(value)
  const list = Array.isArray(value) ? value : object && 'parts' in object ? object['parts'] : object ? [object] : []
  const parts: JsonObject[] = []
  for (const entry of Array.isArray(list) ? list : [list]) {
    const part = typeof entry === 'string' ? { text: entry } : asObject(entry)
    if (part) parts.push(camelled(part))
  }
  return parts
}

const resultMembers = new Set(['id', 'name', 'response', 'parts'])
const mediaMembers = new Set(['inlineData', 'fileData'])
const resultPath = 'contents[].parts[].functionResponse.'

function readResult(result: JsonObject, ids: CallIds, unread: Set<string>): ToolResultPart {
  noteUnread(result, resultMembers, resultPath, unread)
  const { id, name } = ids.result(asName(result['id']), asName(result['name']))
  const { text, isError } = outcomeOf(result['response'])
  const parts: ContentPart[] = text === '' ? [] : [{ type: 'text', text }]
  for (const entry of asList(result['parts'])) {
    const part = camelled(asObject(entry) ?? {})
    noteUnread(part, mediaMembers, `${resultPath}parts[].`, unread)
    const media = readMedia(part, `${resultPath}parts[].`, unread)
    if (media) parts.push(media)
  }
  return { type: 'tool-result', callId: id, name, parts, isError, custom: false }
}

/**
 * Google reads `output` and `error` by name; without either, the whole response is the output
 * (FunctionResponse.response).
 */
function outcomeOf(value: unknown): { text: string; isError: boolean } {
  const response = asObject(value)
  if (!response) return { text: value === undefined || value === null ? '' : textOf(value), isError: false }
  const names = Object.keys(response)
  const isError = response['error'] !== undefined && response['error'] !== null
  const only = names.length === 1 ? names[0] : undefined
  return {
    text: only === 'output' || (only === 'error' && isError) ? textOf(response[only]) : textOf(response),
    isError,
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

type AssistantPart = Extract<Message, { role: 'assistant' }>['parts'][number]

interface Reading {
  ids: CallIds
  unread: Set<string>
}

const members = new Set([
  'text',
  'thought',
  'thoughtSignature',
  'functionCall',
  'inlineData',
  'fileData',
  'mediaResolution',
])
const callMembers = new Set(['id', 'name', 'args'])

function addModelPart(parts: AssistantPart[], part: JsonObject, { ids, unread }: Reading): void {
  noteUnread(part, members, 'contents[].parts[].', unread)
  const signature = asName(part['thoughtSignature'])
  const seal = signature === null ? null : sealOf(signature)
  const call = asObject(part['functionCall'])
  const text = asText(part['text'])
  if (call) return addCall(parts, camelled(call), seal, ids, unread)
  if (part['thought'] === true) {
    if (text || seal) addThought(parts, text ?? '', seal)
    return
  }
  const image = text === null ? readImage(part, unread) : null
  if (image) parts.push(image)
  else if (text) addPiece(parts, { type: 'text', text })
  if (seal)
    parts.push({
      type: 'thinking',
      text: '',
      seal: seal.of === 'gemini' && seal.id === undefined ? sealOfText(seal.data) : seal,
    })
}

/** The signature of a streamed thought comes with its last piece. */
function addThought(parts: AssistantPart[], text: string, seal: Seal | null): void {
  const last = parts.at(-1)
  const open: ThinkingPart | null =
    last?.type === 'thinking' && !last.seal && !seal?.redacted && !seal?.phase ? last : null
  if (open) parts[parts.length - 1] = { type: 'thinking', text: open.text + text, seal }
  else parts.push({ type: 'thinking', text, seal })
}

function addCall(parts: AssistantPart[], call: JsonObject, seal: Seal | null, ids: CallIds, unread: Set<string>): void {
  noteUnread(call, callMembers, 'contents[].parts[].functionCall.', unread)
  const name = asText(call['name']) ?? ''
  parts.push({
    type: 'tool-call',
    id: ids.call(asName(call['id']), name),
    name,
    arguments: JSON.stringify(call['args'] ?? {}),
    custom: false,
    seal,
  })
}

/** The canonical turn has no place for sounds and documents that a model makes. */
function readImage(part: JsonObject, unread: Set<string>): ImagePart | null {
  const media = readMedia(part, 'contents[].parts[].', unread)
  if (media && media.type !== 'image')
    unread.add(`contents[].parts[].${asObject(part['inlineData']) ? 'inlineData' : 'fileData'}`)
  return media?.type === 'image' ? media : null
}

/**
 * Ids of the calls in a client's history. Gemini's calls may have none: then an id is made from the call's place in the
 * history, which stays the same in every later request of the conversation.
 */
interface CallIds {
  call(id: string | null, name: string): string
  /**
   * finds the call that a result answers: by id, else the oldest open one of that name; without either, the oldest open
   * one
   */
  result(id: string | null, name: string | null): { id: string; name: string | null }
}

function callIds(): CallIds {
  const open: { id: string; name: string }[] = []
  let count = 0
  return {
    call(id, name) {
      count++
      const call = { id: id ?? `call_gemini_${count}`, name }
      open.push(call)
      return call.id
    },
    result(id, name) {
      const byId = id === null ? -1 : open.findIndex((call) => call.id === id)
      const byName = byId >= 0 || name === null ? byId : open.findIndex((call) => call.name === name)
      const [call] = byName >= 0 ? open.splice(byName, 1) : name === null && id === null ? open.splice(0, 1) : []
      if (call) return { id: call.id, name: call.name }
      count++
      return { id: id ?? `call_gemini_${count}`, name }
    },
  }
}
