import { createHash } from 'node:crypto'
import { dataUrl } from '../../canonical/codec.ts'
import type {
  CanonicalRequest,
  ContentPart,
  Message,
  ThinkingPart,
  ToolCallPart,
  ToolResultPart,
  FilePart,
  Source,
} from '../../canonical/request.ts'
import { asText, type JsonObject } from '../../values.ts'

/** Writes the conversation as input items. */
export function writeInput(messages: CanonicalRequest['messages'], pen: Pen): JsonObject[] {
  const items: JsonObject[] = []
  for (const message of messages) {
    switch (message.role) {
      case 'system':
        addMessage(items, 'developer', message.parts, pen)
        break
      case 'user':
        addUser(items, message.parts, pen)
        break
      case 'assistant':
        for (const part of message.parts) addAnswerPart(items, part, pen)
    }
  }
  return items
}

function addMessage(items: JsonObject[], role: string, parts: readonly ContentPart[], pen: Pen): void {
  const content = writeParts(parts, pen)
  if (content.length > 0) items.push({ type: 'message', role, content })
}

/** Tool results are items of their own, in their places between the messages. */
function addUser(items: JsonObject[], parts: Extract<Message, { role: 'user' }>['parts'], pen: Pen): void {
  let said: ContentPart[] = []
  for (const part of parts) {
    if (part.type !== 'tool-result') said.push(part)
    else {
      addMessage(items, 'user', said, pen)
      said = []
      items.push(writeResult(part, pen))
    }
  }
  addMessage(items, 'user', said, pen)
}

function writeResult(result: ToolResultPart, pen: Pen): JsonObject {
  if (result.cache) pen.dropped('cache_control')
  // There is no member for a failure: the output's text has to name it.
  if (result.isError) pen.dropped('isError')
  const content = writeParts(result.parts, pen)
  const output =
    content.length === 0
      ? result.isError
        ? 'The tool failed without saying why.'
        : ''
      : (plainText(content) ?? content)
  return {
    type: result.custom ? 'custom_tool_call_output' : 'function_call_output',
    call_id: callId(result.callId),
    output,
  }
}

/** Returns the text if it is the only part and has no cache mark. */
const plainText = ([part, ...more]: readonly JsonObject[]): string | null =>
  part && more.length === 0 && part['type'] === 'input_text' && !('prompt_cache_breakpoint' in part)
    ? asText(part['text'])
    : null

function addAnswerPart(
  items: JsonObject[],
  part: Extract<Message, { role: 'assistant' }>['parts'][number],
  pen: Pen,
): void {
  if ('cache' in part && part.cache) pen.dropped('cache_control')
  switch (part.type) {
    case 'text':
      // A plain text is enough for the model's earlier messages; an output message would need the id it had.
      if (part.text !== '')
        items.push({
          type: 'message',
          role: 'assistant',
          content: part.text,
          ...(part.phase === undefined ? {} : { phase: part.phase }),
        })
      return
    case 'refusal':
      items.push({
        type: 'message',
        id: `msg_${items.length}`,
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'refusal', refusal: part.text }],
      })
      return
    case 'thinking':
      return addThinking(items, part, pen)
    case 'tool-call':
      items.push(writeCall(part, pen))
      return
    // An image that the model drew can only be sent by its id.
    case 'image':
      return pen.dropped('messages[].image')
  }
}

/** Reasoning is sent back only if the provider sealed it: otherwise it would refer to an item that is not stored. */
function addThinking(items: JsonObject[], { text, seal }: ThinkingPart, pen: Pen): void {
  if (seal?.of !== 'responses') return pen.dropped('thinking')
  const words = seal.text ?? text
  items.push({
    type: 'reasoning',
    ...(seal.id === undefined ? {} : { id: seal.id }),
    summary: words === '' ? [] : [{ type: 'summary_text', text: words }],
    encrypted_content: seal.data,
  })
}

function writeCall(call: ToolCallPart, pen: Pen): JsonObject {
  if (call.seal) pen.dropped('seal')
  const named = {
    call_id: callId(call.id),
    name: call.name,
    ...(call.namespace === undefined ? {} : { namespace: call.namespace }),
  }
  return call.custom
    ? { type: 'custom_tool_call', ...named, input: call.arguments }
    : { type: 'function_call', ...named, arguments: call.arguments || '{}' }
}

/** OpenAI takes no longer ids ("Expected a string with maximum length 64"); call and result stay together. */
const maxCallId = 64
const callId = (id: string): string =>
  id.length <= maxCallId ? id : `call_${createHash('sha256').update(id).digest('base64url')}`

/** Records by name what can't be expressed. */
export type Note = (name: string) => void

interface Pen {
  dropped: Note
  /** the model knows `prompt_cache_breakpoint` */
  cacheMarks: boolean
}

/** Writes the content of a message or of a tool's output. */
function writeParts(parts: readonly ContentPart[], { dropped, cacheMarks }: Pen): JsonObject[] {
  const written: JsonObject[] = []
  for (const part of parts) {
    const said = writePart(part, dropped)
    if (part.cache && !cacheMarks) dropped('cache_control')
    if (said) written.push(part.cache && cacheMarks ? { ...said, prompt_cache_breakpoint: { mode: 'explicit' } } : said)
  }
  return written
}

function writePart(part: ContentPart, dropped: Note): JsonObject | null {
  switch (part.type) {
    case 'text':
      return { type: 'input_text', text: part.text }
    case 'image': {
      const from = imageFrom(part.source)
      if (!from) dropped('image.file_id')
      return from && { type: 'input_image', detail: part.detail ?? 'auto', ...from }
    }
    case 'file':
      return writeFile(part, dropped)
    // Audio is no part of an input message in the public reference.
    case 'audio': {
      dropped('audio')
      return null
    }
  }
}

/** True for uploads of Chat and Responses, which share them. */
const isKnownHere = (source: Extract<Source, { kind: 'id' }>): boolean =>
  source.of === 'responses' || source.of === 'chat'

function imageFrom(source: Source): JsonObject | null {
  switch (source.kind) {
    case 'data':
      return { image_url: dataUrl(source.mediaType, source.base64) }
    case 'url':
      return { image_url: source.url }
    case 'id':
      return isKnownHere(source) ? { file_id: source.id } : null
  }
}

function writeFile({ source, name }: FilePart, dropped: Note): JsonObject | null {
  switch (source.kind) {
    case 'text': {
      if (name !== null) dropped('file.name')
      return { type: 'input_text', text: source.text }
    }
    // Data without a name is refused.
    case 'data':
      return {
        type: 'input_file',
        filename: name ?? `file.${source.mediaType.split('/').at(-1) ?? 'bin'}`,
        file_data: dataUrl(source.mediaType, source.base64),
      }
    case 'url':
      return { type: 'input_file', ...(name === null ? {} : { filename: name }), file_url: source.url }
    case 'id': {
      if (isKnownHere(source)) return { type: 'input_file', file_id: source.id }
      dropped('file.file_id')
      return null
    }
  }
}
