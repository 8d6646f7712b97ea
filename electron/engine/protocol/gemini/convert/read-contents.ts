import { OnwardError } from '../../../base/errors.ts'
import type { ContentPart, Message, TextPart, ToolResultPart } from '../../canonical/request.ts'
import { asList, asName, asObject, asText, type JsonObject } from '../../values.ts'
import { callIds, type CallIds } from './call-ids.ts'
import { camelled, noteUnread } from './members.ts'
import { readMedia } from './read-media.ts'
import { addModelPart, type AssistantPart } from './read-model-part.ts'

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
