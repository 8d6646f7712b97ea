import type { ContentPart, ToolResultPart } from '../../canonical/request.ts'
import { asList, asName, asObject, type JsonObject } from '../../values.ts'
import type { CallIds } from './call-ids.ts'
import { camelled, noteUnread } from './members.ts'
import { readMedia } from './read-media.ts'

const members = new Set(['id', 'name', 'response', 'parts'])
const mediaMembers = new Set(['inlineData', 'fileData'])
const path = 'contents[].parts[].functionResponse.'

export function readResult(result: JsonObject, ids: CallIds, unread: Set<string>): ToolResultPart {
  noteUnread(result, members, path, unread)
  const { id, name } = ids.result(asName(result['id']), asName(result['name']))
  const { text, isError } = outcomeOf(result['response'])
  const parts: ContentPart[] = text === '' ? [] : [{ type: 'text', text }]
  for (const entry of asList(result['parts'])) {
    const part = camelled(asObject(entry) ?? {})
    noteUnread(part, mediaMembers, `${path}parts[].`, unread)
    const media = readMedia(part, `${path}parts[].`, unread)
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
