import { OnwardError } from '../../../base/errors.ts'
import { addPiece } from '../../canonical/codec.ts'
import type { CanonicalRequest, Message, TextPart, ThinkingPart, ToolResultPart } from '../../canonical/request.ts'
import { sealFromClient } from '../../canonical/thinking/seal.ts'
import { asList, asName, asObject, asText, type JsonObject } from '../../values.ts'
import { blockOf, marked, readContent, readText } from './read-parts.ts'
import { noteOthers, type Unread } from './unread.ts'

type UserPart = Extract<Message, { role: 'user' }>['parts'][number]
type AssistantPart = Extract<Message, { role: 'assistant' }>['parts'][number]

const path = 'messages[].content[]'
const messageMembers = new Set(['role', 'content'])
const callMembers = new Set(['type', 'id', 'name', 'input', 'cache_control'])
const resultMembers = new Set(['type', 'tool_use_id', 'content', 'is_error', 'cache_control'])
const thinkingMembers = new Set(['type', 'thinking', 'signature'])
const redactedMembers = new Set(['type', 'data'])

/**
 * Messages of role `system` before the conversation belong to the request's `system` (Claude Code sends them in the
 * middle too).
 */
export function readMessages(list: unknown, unread: Unread): Pick<CanonicalRequest, 'system' | 'messages'> {
  if (!Array.isArray(list))
    throw new OnwardError('bad-request', 'messages: must be a list of messages.', { status: 400 })
  const system: TextPart[] = []
  const messages: Message[] = []
  /** names by the ids of their calls */
  const names = new Map<string, string>()
  for (const [i, value] of list.entries()) {
    const message = asObject(value)
    if (!message)
      throw new OnwardError('bad-request', `messages[${i}]: must be an object with role and content.`, { status: 400 })
    noteOthers(message, messageMembers, 'messages[]', unread)
    const { content } = message
    switch (message['role']) {
      case 'user':
        messages.push({ role: 'user', parts: readUser(content, names, unread) })
        break
      case 'assistant':
        messages.push({ role: 'assistant', parts: readAssistant(content, names, unread) })
        break
      case 'system':
      case 'developer': {
        const parts = readSystem(content, path, unread)
        if (messages.length === 0) system.push(...parts)
        else messages.push({ role: 'system', parts })
        break
      }
      default:
        throw new OnwardError('bad-request', `messages[${i}].role: must be user, assistant or system.`, { status: 400 })
    }
  }
  return { system, messages }
}

export const readSystem = (content: unknown, at: string, unread: Unread): TextPart[] =>
  blocksOf(content).flatMap((block) => {
    if (block['type'] === 'text') return readText(block, at, unread)
    unread.add(`${at}.${asName(block['type']) ?? 'type'}`)
    return []
  })

function blocksOf(content: unknown): JsonObject[] {
  const list = typeof content === 'string' ? [content] : asList(content)
  return list.map(blockOf).filter((block) => block !== null)
}

function readUser(content: unknown, names: ReadonlyMap<string, string>, unread: Unread): UserPart[] {
  const parts: UserPart[] = []
  for (const block of blocksOf(content)) {
    if (block['type'] === 'tool_result') parts.push(readResult(block, names, unread))
    else readContent(block, path, unread, parts)
  }
  return parts
}

function readResult(block: JsonObject, names: ReadonlyMap<string, string>, unread: Unread): ToolResultPart {
  noteOthers(block, resultMembers, path, unread)
  const parts: ToolResultPart['parts'][number][] = []
  for (const inner of blocksOf(block['content'])) readContent(inner, `${path}.content[]`, unread, parts)
  const callId = asText(block['tool_use_id']) ?? ''
  return {
    type: 'tool-result',
    callId,
    name: names.get(callId) ?? null,
    parts,
    isError: block['is_error'] === true,
    custom: false,
    ...marked(block),
  }
}

function readAssistant(content: unknown, names: Map<string, string>, unread: Unread): AssistantPart[] {
  const parts: AssistantPart[] = []
  let carriers = false
  let wasCited = false
  for (const block of blocksOf(content)) {
    switch (block['type']) {
      case 'text': {
        // Anthropic cuts a text where a cited passage begins and ends; other blocks are texts of their own.
        const isCited = asList(block['citations']).length > 0
        if (isCited || wasCited) addPiece(parts, readText(block, path, unread))
        else parts.push(readText(block, path, unread))
        wasCited = isCited
        break
      }
      case 'thinking': {
        noteOthers(block, thinkingMembers, path, unread)
        const part = readThinking(block)
        carriers ||= part.text === '' && part.seal?.id !== undefined
        parts.push(part)
        break
      }
      case 'redacted_thinking':
        noteOthers(block, redactedMembers, path, unread)
        parts.push({
          type: 'thinking',
          text: '',
          seal: { of: 'messages', data: asText(block['data']) ?? '', redacted: true },
        })
        break
      case 'tool_use': {
        noteOthers(block, callMembers, path, unread)
        const id = asText(block['id']) ?? '',
          name = asText(block['name']) ?? ''
        names.set(id, name)
        parts.push({
          type: 'tool-call',
          id,
          name,
          arguments: JSON.stringify(block['input'] ?? {}),
          custom: false,
          seal: null,
          ...marked(block),
        })
        break
      }
      // Images are kept; tools that the vendor ran itself have no place.
      case 'image':
        readContent(block, path, unread, { push: (part) => (part.type === 'image' ? parts.push(part) : parts.length) })
        break
      default:
        unread.add(`${path}.${asName(block['type']) ?? 'type'}`)
    }
  }
  return carriers ? sealsOnCalls(parts) : parts
}

function readThinking(block: JsonObject): ThinkingPart {
  const signature = asName(block['signature'])
  const seal = signature === null ? null : sealFromClient(signature, 'messages')
  // A wrapped empty seal says only that there was none.
  return { type: 'thinking', text: asText(block['thinking']) ?? '', seal: seal?.data === '' ? null : seal }
}

/** Puts a call's seal back on it: the stream writer lays it in an empty thinking block that names the call. */
function sealsOnCalls(parts: readonly AssistantPart[]): AssistantPart[] {
  const carried = new Map<string, ThinkingPart>()
  for (const part of parts)
    if (part.type === 'thinking' && part.text === '' && part.seal?.id !== undefined) carried.set(part.seal.id, part)
  const used = new Set<AssistantPart>()
  const sealed = parts.map((part): AssistantPart => {
    const carrier = part.type === 'tool-call' ? carried.get(part.id) : undefined
    if (part.type !== 'tool-call' || !carrier?.seal) return part
    used.add(carrier)
    const { id: _call, ...seal } = carrier.seal
    return { ...part, seal }
  })
  return sealed.filter((part) => !used.has(part))
}
