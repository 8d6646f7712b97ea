import { parseDataUrl } from '../../canonical/codec.ts'
import type {
  ContentPart,
  Message,
  TextPart,
  ToolCallPart,
  ToolResultPart,
  FilePart,
  ImagePart,
  RefusalPart,
  Source,
} from '../../canonical/request.ts'
import { asList, asName, asObject, asText, type JsonObject } from '../../values.ts'
import { readCallEntry } from '../call-finder.ts'
import { calledMembers, callMembers, partMembers, assistantMembers } from './answer-members.ts'
import { badRequest, listAt, noteUnread, noteUnreadOf, objectAt, type Unread } from './members.ts'
import { placeThinking, readCallSeal, readThinking } from './thinking.ts'

type AssistantPart = Extract<Message, { role: 'assistant' }>['parts'][number]
type UserPart = ContentPart | ToolResultPart

const known = {
  system: new Set(['role', 'content']),
  user: new Set(['role', 'content']),
  assistant: new Set<string>(assistantMembers),
  tool: new Set(['role', 'content', 'tool_call_id', 'name']),
}

/** Leading system and developer messages become the system prompt, tool results part of a user message. */
export function readMessages(value: unknown, unread: Unread): { system: TextPart[]; messages: Message[] } {
  if (value === undefined || value === null) throw badRequest('messages', 'is missing')
  const system: TextPart[] = []
  const messages: Message[] = []
  /** the calls made so far, by their ids, and those of them that have no result yet */
  const calls = new Map<string, ToolCallPart>()
  const unanswered = new Set<string>()
  /** a user message that holds nothing but tool results yet: what the user says next belongs to it */
  let results: UserPart[] | null = null

  const list = listAt(value, 'messages')
  for (let i = 0; i < list.length; i++) {
    const path = `messages[${i}]`
    const message = objectAt(list[i], path)
    switch (message['role']) {
      case 'system':
      case 'developer': {
        noteUnread(message, known.system, 'messages[].', unread)
        const parts = textsOf(readContent(message['content'], `${path}.content`, unread), unread)
        if (messages.length === 0) system.push(...parts)
        else messages.push({ role: 'system', parts })
        results = null
        break
      }
      case 'user': {
        noteUnread(message, known.user, 'messages[].', unread)
        const parts = readContent(message['content'], `${path}.content`, unread).map((part) =>
          part.type === 'refusal' ? { ...part, type: 'text' as const } : part,
        )
        if (results) results.push(...parts)
        else messages.push({ role: 'user', parts })
        results = null
        break
      }
      case 'assistant': {
        const parts = readAssistant(message, path, unread)
        for (const part of parts) {
          if (part.type !== 'tool-call') continue
          calls.set(part.id, part)
          unanswered.add(part.id)
        }
        messages.push({ role: 'assistant', parts })
        results = null
        break
      }
      case 'tool':
      case 'function': {
        noteUnread(message, known.tool, 'messages[].', unread)
        const callId = asName(message['tool_call_id']) ?? openCall(asName(message['name']))
        unanswered.delete(callId)
        const call = calls.get(callId)
        const parts = readContent(message['content'], `${path}.content`, unread).map((part) =>
          part.type === 'refusal' ? { ...part, type: 'text' as const } : part,
        )
        if (!results) {
          results = []
          messages.push({ role: 'user', parts: results })
        }
        results.push({
          type: 'tool-result',
          callId,
          name: call?.name ?? asName(message['name']),
          parts,
          isError: false,
          custom: call?.custom ?? false,
        })
        break
      }
      default:
        throw badRequest(`${path}.role`, 'is not a role that Chat Completions knows')
    }
  }
  return { system, messages }

  /** Legacy `function` messages name no call: they answer the oldest call of that function that has no result. */
  function openCall(name: string | null): string {
    for (const id of unanswered) if (name === null || calls.get(id)?.name === name) return id
    return `call_${name ?? 'unknown'}`
  }
}

function readAssistant(message: JsonObject, path: string, unread: Unread): AssistantPart[] {
  noteUnread(message, known.assistant, 'messages[].', unread)
  const parts: AssistantPart[] = []
  for (const part of readAssistantContent(message['content'], path, unread)) parts.push(part)
  const refusal = asName(message['refusal'])
  if (refusal !== null) parts.push({ type: 'refusal', text: refusal })
  const calls = listAt(message['tool_calls'], `${path}.tool_calls`)
  for (let i = 0; i < calls.length; i++)
    parts.push(readCall(objectAt(calls[i], `${path}.tool_calls[${i}]`), `${path}.tool_calls[${i}]`, unread))
  const legacy = asObject(message['function_call'])
  if (legacy)
    parts.push(readCall({ id: `call_${path.slice(9, -1)}`, function: legacy }, `${path}.function_call`, unread))
  return placeThinking(readThinking(message), parts)
}

function readAssistantContent(content: unknown, path: string, unread: Unread): AssistantPart[] {
  const parts: AssistantPart[] = []
  const rest = Array.isArray(content) ? content.filter((part) => !isThinking(part)) : content
  for (const [i, part] of asList(content).entries()) {
    if (!isThinking(part)) continue
    noteThinking(asObject(part) ?? {}, unread)
    // A client may have kept a stream as one part for each piece of it.
    const before = isThinking(asList(content)[i - 1]) ? parts.pop() : undefined
    const text = (before?.type === 'thinking' ? before.text : '') + textOfThinking(part)
    parts.push({ type: 'thinking', text, seal: { of: 'chat', data: 'content' } })
  }
  for (const part of readContent(rest, `${path}.content`, unread)) {
    if (part.type === 'text' || part.type === 'refusal' || part.type === 'image') parts.push(part)
    else unread.add(`messages[].content[].${part.type}`)
  }
  return parts
}

function noteThinking(part: JsonObject, unread: Unread): void {
  noteUnread(part, partMembers, 'messages[].content[].', unread)
  for (const piece of asList(part['thinking']))
    noteUnreadOf(piece, partMembers, 'messages[].content[].thinking[].', unread)
}

const isThinking = (part: unknown): boolean => asObject(part)?.['type'] === 'thinking'

/** Mistral's thinking part: a list of text parts. */
export function textOfThinking(part: unknown): string {
  const thinking = asObject(part)?.['thinking']
  return (
    asText(thinking) ??
    asList(thinking)
      .map((piece) => asText(asObject(piece)?.['text']) ?? '')
      .join('')
  )
}

function readCall(call: JsonObject, path: string, unread: Unread): ToolCallPart {
  noteUnread(call, callMembers, 'messages[].tool_calls[].', unread)
  noteUnreadOf(call['function'], calledMembers, 'messages[].tool_calls[].function.', unread)
  noteUnreadOf(call['custom'], calledMembers, 'messages[].tool_calls[].custom.', unread)
  const { name, text, custom } = readCallEntry(call)
  if (name === null) throw badRequest(path, 'names no tool')
  return {
    type: 'tool-call',
    id: asName(call['id']) ?? `call_${name}`,
    name,
    arguments: text,
    custom,
    seal: readCallSeal(call),
  }
}

const cacheMarks = ['prompt_cache_breakpoint', 'cache_control'] as const
const knownText = new Set<string>(['type', 'text', ...cacheMarks])
const knownImage = new Set<string>(['type', 'image_url', ...cacheMarks])
const knownImageUrl = new Set(['url', 'detail'])
const knownBreakpoint = new Set(['mode'])
const knownSound = new Set(['data', 'format'])
const knownRefusal = new Set(['type', 'refusal'])
const knownAudio = new Set<string>(['type', 'input_audio', ...cacheMarks])
const knownFile = new Set<string>(['type', 'file', ...cacheMarks])
const knownFileMembers = new Set(['file_data', 'file_id', 'filename'])
const where = 'messages[].content[].'

/** `content` as a text or as parts. @throws bad-request for what is neither */
function readContent(content: unknown, path: string, unread: Unread): (ContentPart | RefusalPart)[] {
  if (content === undefined || content === null || content === '') return []
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (!Array.isArray(content)) throw badRequest(path, 'must be a text or a list of parts')
  const parts: (ContentPart | RefusalPart)[] = []
  for (let i = 0; i < content.length; i++) {
    const entry: unknown = content[i]
    const part =
      typeof entry === 'string'
        ? ({ type: 'text', text: entry } as const)
        : readPart(objectAt(entry, `${path}[${i}]`), unread)
    if (part) parts.push(part)
  }
  return parts
}

const textsOf = (parts: readonly { type: string }[], unread: Unread): TextPart[] =>
  parts.filter((part): part is TextPart => {
    if (part.type !== 'text') unread.add(`${where}${part.type}`)
    return part.type === 'text'
  })

function readPart(part: JsonObject, unread: Unread): ContentPart | RefusalPart | null {
  noteUnreadOf(part['prompt_cache_breakpoint'], knownBreakpoint, `${where}prompt_cache_breakpoint.`, unread)
  const text = asText(part['text'])
  switch (part['type']) {
    case 'image_url':
      return readImage(part, unread)
    case 'input_audio':
      return readAudio(part, unread)
    case 'file':
      return readFile(part, unread)
    case 'refusal': {
      const refusal = asText(part['refusal'])
      noteUnread(part, knownRefusal, where, unread)
      if (refusal !== null) return { type: 'refusal', text: refusal }
      break
    }
    default:
      // `input_text`, `output_text` and the like come from clients that mix the APIs up.
      if (text !== null) {
        noteUnread(part, knownText, where, unread)
        return { type: 'text', text, ...cacheOf(part) }
      }
  }
  unread.add(where + (asName(part['type']) ?? 'type'))
  return null
}

/**
 * OpenAI's `prompt_cache_breakpoint` marks the end of a prefix as Anthropic's `cache_control` does; clients of
 * OpenRouter write the latter.
 */
function cacheOf(part: JsonObject): { cache?: JsonObject } {
  const given = asObject(part['cache_control'])
  if (given) return { cache: given }
  return asObject(part['prompt_cache_breakpoint']) ? { cache: { type: 'ephemeral' } } : {}
}

function readImage(part: JsonObject, unread: Unread): ImagePart | null {
  const image = asObject(part['image_url'])
  const url = asName(image ? image['url'] : part['image_url'])
  noteUnread(part, knownImage, where, unread)
  if (image) noteUnread(image, knownImageUrl, `${where}image_url.`, unread)
  if (url === null) {
    unread.add(`${where}image_url`)
    return null
  }
  const data = parseDataUrl(url)
  return {
    type: 'image',
    source: data ? { kind: 'data', ...data } : { kind: 'url', url, mediaType: null },
    detail: asName(image?.['detail']),
    ...cacheOf(part),
  }
}

function readAudio(part: JsonObject, unread: Unread): ContentPart | null {
  const audio = asObject(part['input_audio'])
  const base64 = asName(audio?.['data'])
  noteUnread(part, knownAudio, where, unread)
  if (audio) noteUnread(audio, knownSound, `${where}input_audio.`, unread)
  if (base64 === null) {
    unread.add(`${where}input_audio`)
    return null
  }
  const format = asName(audio?.['format']) ?? 'wav'
  return { type: 'audio', mediaType: format === 'mp3' ? 'audio/mpeg' : `audio/${format}`, base64, ...cacheOf(part) }
}

function readFile(part: JsonObject, unread: Unread): FilePart | null {
  const file = asObject(part['file'])
  const name = asName(file?.['filename'])
  noteUnread(part, knownFile, where, unread)
  if (file) noteUnread(file, knownFileMembers, `${where}file.`, unread)
  const data = asName(file?.['file_data'])
  const id = asName(file?.['file_id'])
  const source: Source | null = data !== null ? sourceOfFile(data) : id !== null ? { kind: 'id', of: 'chat', id } : null
  if (source) return { type: 'file', source, name, ...cacheOf(part) }
  unread.add(`${where}file`)
  return null
}

/** OpenAI's guide sends a data URL; some clients send the bare base64 of a PDF, or a link (OpenRouter). */
function sourceOfFile(data: string): Source {
  const parsed = parseDataUrl(data)
  if (parsed) return { kind: 'data', ...parsed }
  return /^https?:/i.test(data)
    ? { kind: 'url', url: data, mediaType: null }
    : { kind: 'data', mediaType: 'application/pdf', base64: data }
}
