import { OnwardError } from '../../../base/errors.ts'
import { addPiece } from '../../canonical/codec.ts'
import type {
  CanonicalRequest,
  Message,
  TextPart,
  ThinkingPart,
  ToolResultPart,
  ContentPart,
  FilePart,
  Source,
} from '../../canonical/request.ts'
import { isOwnCitation } from '../../canonical/thinking/foreign-seals.ts'
import { sealFromClient } from '../../canonical/thinking/seal.ts'
import { asList, asName, asObject, asText, type JsonObject } from '../../values.ts'
import { noteOthers, type Unread } from '../block-kinds.ts'

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

const textMembers = new Set(['type', 'text', 'cache_control', 'citations'])
const imageMembers = new Set(['type', 'source', 'cache_control'])
const documentMembers = new Set(['type', 'source', 'title', 'cache_control'])
const referenceMembers = new Set(['type', 'tool_name', 'cache_control'])
const searchMembers = new Set(['type', 'title', 'content', 'cache_control'])

/** `cache_control` as it came, to be spread into a part. */
export function marked(block: JsonObject): { cache?: JsonObject } {
  const cache = asObject(block['cache_control'])
  return cache ? { cache } : {}
}

const otherTextNames: ReadonlySet<unknown> = new Set(['input_text', 'output_text', undefined])

/** A block as an object; as a text block also what clients that mix the APIs up write for one, or a bare string. */
function blockOf(value: unknown): JsonObject | null {
  if (typeof value === 'string') return { type: 'text', text: value }
  const block = asObject(value)
  return block && otherTextNames.has(block['type']) && asText(block['text']) !== null
    ? { ...block, type: 'text' }
    : block
}

function readText(block: JsonObject, path: string, unread: Unread): TextPart {
  noteOthers(block, textMembers, path, unread)
  // Sources of what was said before are of no use to another vendor; those that we made are no loss at all.
  if (asList(block['citations']).some((citation) => !isOwnCitation(citation))) unread.add(`${path}.citations`)
  return { type: 'text', text: asText(block['text']) ?? '', ...marked(block) }
}

interface PartSink {
  push(part: ContentPart): unknown
}

/** Reads the blocks of a user's message or a tool's result: text, images, documents, results of a search. */
function readContent(block: JsonObject, path: string, unread: Unread, into: PartSink): void {
  switch (block['type']) {
    case 'text':
      into.push(readText(block, path, unread))
      return
    case 'image': {
      noteOthers(block, imageMembers, path, unread)
      const source = readSource(asObject(block['source']) ?? {}, null)
      noteSource(block, path, unread)
      if (source) into.push({ type: 'image', source, detail: null, ...marked(block) })
      else unread.add(`${path}.source`)
      return
    }
    case 'document':
      return readDocument(block, path, unread, into)
    case 'search_result':
      noteOthers(block, searchMembers, path, unread)
      noteTexts(asList(block['content']), `${path}.content[]`, unread)
      into.push(textFile(textsOf(asList(block['content'])), asName(block['title']), block))
      return
    case 'tool_reference':
      // The tool is declared beside the messages; its name tells the model that the search found it.
      unread.add(`${path}.tool_reference`)
      noteOthers(block, referenceMembers, path, unread)
      into.push({ type: 'text', text: asText(block['tool_name']) ?? '' })
      return
    default:
      unread.add(`${path}.${asName(block['type']) ?? 'type'}`)
  }
}

function readDocument(block: JsonObject, path: string, unread: Unread, into: PartSink): void {
  noteOthers(block, documentMembers, path, unread)
  const source = asObject(block['source']) ?? {}
  const name = asName(block['title'])
  noteSource(block, path, unread)
  if (source['type'] === 'text') {
    into.push(textFile(asText(source['data']) ?? '', name, block))
    return
  }
  if (source['type'] === 'content') {
    const content = source['content']
    noteTexts(asList(content), `${path}.source.content[]`, unread)
    into.push(textFile(asText(content) ?? textsOf(asList(content)), name, block))
    // Its pictures come after it: a canonical document has none inside.
    for (const inner of asList(content))
      if (asObject(inner)?.['type'] === 'image')
        readContent(asObject(inner) ?? {}, `${path}.source.content[]`, unread, into)
    return
  }
  const read = readSource(source, 'application/pdf')
  if (read) into.push({ type: 'file', source: read, name, ...marked(block) })
  else unread.add(`${path}.source`)
}

const sourceMembers = new Set(['type', 'media_type', 'data', 'url', 'file_id', 'content'])

function noteSource(block: JsonObject, path: string, unread: Unread): void {
  const source = asObject(block['source'])
  if (source) noteOthers(source, sourceMembers, `${path}.source`, unread)
}

/** Records unread members of the texts inside a document or a search's result. */
function noteTexts(blocks: readonly unknown[], path: string, unread: Unread): void {
  for (const entry of blocks) {
    const block = asObject(entry)
    if (block?.['type'] === 'text') noteOthers(block, textMembers, path, unread)
  }
}

const textFile = (text: string, name: string | null, block: JsonObject): FilePart => ({
  type: 'file',
  source: { kind: 'text', text, mediaType: 'text/plain' },
  name,
  ...marked(block),
})

const textsOf = (blocks: readonly unknown[]): string =>
  blocks.flatMap((block) => asText(asObject(block)?.['text']) ?? []).join('\n\n')

function readSource(source: JsonObject, urlType: string | null): Source | null {
  const of = (name: string) => asName(source[name])
  const base64 = of('data'),
    url = of('url'),
    id = of('file_id')
  switch (source['type']) {
    case 'base64':
      return base64 === null ? null : { kind: 'data', mediaType: of('media_type') ?? urlType ?? 'image/png', base64 }
    case 'url':
      return url === null ? null : { kind: 'url', url, mediaType: urlType }
    case 'file':
      return id === null ? null : { kind: 'id', of: 'messages', id }
    default:
      return null
  }
}
