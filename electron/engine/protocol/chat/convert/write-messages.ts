import { dataUrl } from '../../canonical/codec.ts'
import type {
  CanonicalRequest,
  Message,
  RefusalPart,
  TextPart,
  ToolCallPart,
  ToolResultPart,
  AudioPart,
  ContentPart,
  FilePart,
  ImagePart,
  Source,
} from '../../canonical/request.ts'
import { placedInChat } from '../../canonical/thinking/phases.ts'
import { resultsAtCalls } from '../../canonical/tools/results-at-calls.ts'
import type { JsonObject } from '../../values.ts'
import { callIdFor, isMistralModel, isOpenaiModel, knowsCacheMarks } from '../../canonical/models.ts'
import { extraOfSeal, giveBack } from './thinking.ts'

type Assistant = Extract<Message, { role: 'assistant' }>
type User = Extract<Message, { role: 'user' }>

export function writeMessages(
  { system, messages }: CanonicalRequest,
  pen: Pen,
  thinkingOff: boolean,
): readonly JsonObject[] {
  const out: Written[] = []
  if (system.length > 0) out.push(writeSystem(system, pen))
  for (const message of resultsAtCalls(isOpenaiModel(pen.model) ? messages : withoutLateSystem(messages, pen), () => {
    pen.dropped.add('tool_call_id')
  })) {
    switch (message.role) {
      case 'system':
        out.push(writeSystem(message.parts, pen))
        break
      case 'user':
        writeUser(message, pen, out)
        break
      case 'assistant': {
        const written = writeAssistant(message, pen)
        if (written) out.push(written)
        break
      }
    }
  }
  // Answers of other models have no thinking that is of use here, and a client may have dropped this one's own.
  const placed = placedInChat(out, pen.model, thinkingOff)
  if (placed !== out) pen.dropped.add('thinking')
  return placed
}

/**
 * System texts in the middle as words of the user, in the tags that Claude Code has for them: templates of Qwen and
 * others refuse any but the first (vLLM, llama.cpp, Ollama: https://github.com/ollama/ollama/issues/17774).
 */
function withoutLateSystem(messages: readonly Message[], { dropped }: Pen): readonly Message[] {
  if (!messages.some(({ role }) => role === 'system')) return messages
  dropped.add('messages[].role')
  const out: Message[] = []
  let wasSystem = false
  for (const message of messages) {
    const isSystem = message.role === 'system'
    const last = out.at(-1)
    if (message.role === 'assistant') out.push(message)
    else {
      const parts = message.role === 'user' ? message.parts : message.parts.map(reminder)
      // Some templates refuse two messages of the user in a row as well.
      if (last?.role === 'user' && (isSystem || wasSystem))
        out[out.length - 1] = { role: 'user', parts: [...last.parts, ...parts] }
      else out.push({ role: 'user', parts })
    }
    wasSystem = isSystem
  }
  return out
}

const reminder = (part: TextPart): TextPart => ({
  ...part,
  text: `<system-reminder>\n${part.text}\n</system-reminder>`,
})

/** `system`, not `developer`: OpenAI takes either, compatible servers know only the older. */
const writeSystem = (parts: readonly TextPart[], pen: Pen): Written => ({
  role: 'system',
  content: contentOf(parts.map((part) => writeText(part, pen))),
})

/**
 * Results must follow their calls at once; what they can't carry and what the user says come after them, as one
 * message.
 */
function writeUser({ parts }: User, pen: Pen, out: Written[]): void {
  const attached: Written[] = []
  const said: Written[] = []
  let hasResult = false
  for (const part of parts) {
    if (part.type === 'tool-result') {
      hasResult = true
      out.push(writeResult(part, pen, attached))
      continue
    }
    const written = writePart(part, pen)
    if (written) said.push(written)
  }
  const content = attached.length > 0 ? attached.concat(said) : said
  if (content.length > 0 || !hasResult) out.push({ role: 'user', content: contentOf(content) })
}

function writeResult(result: ToolResultPart, pen: Pen, attached: Written[]): Written {
  if (result.isError) pen.dropped.add('tool_result.is_error')
  const id = callIdFor(pen.model, result.callId)
  const texts: Written[] = []
  const others: Written[] = []
  for (const part of result.parts) {
    const written = writePart(part, pen)
    if (written) (written['type'] === 'text' ? texts : others).push(written)
  }
  const last = texts.at(-1)
  if (result.cache) {
    if (last) mark(last, pen)
    else pen.dropped.add('cache_control')
  }
  if (others.length > 0) {
    if (texts.length === 0) texts.push({ type: 'text', text: 'The result follows in the next user message.' })
    attached.push({ type: 'text', text: `Result of the tool call ${id}:` }, ...others)
  }
  return { role: 'tool', tool_call_id: id, content: contentOf(texts) }
}

/** null when nothing of the message can be said: servers refuse an assistant message without content or calls. */
function writeAssistant({ parts }: Assistant, pen: Pen): Written | null {
  const message: Written = { role: 'assistant', content: null }
  const content: Written[] = []
  const refusals: RefusalPart[] = []
  const calls: Written[] = []
  for (const part of parts) {
    switch (part.type) {
      case 'text':
        content.push(writeText(part, pen))
        break
      case 'refusal':
        refusals.push(part)
        break
      case 'tool-call':
        calls.push(writeCall(part, pen))
        break
      case 'thinking':
        if (part.seal?.of === 'chat' && part.seal.data === 'content')
          content.push({ type: 'thinking', thinking: [{ type: 'text', text: part.text }] })
        else if (isMistralModel(pen.model) || !giveBack(part, message)) pen.dropped.add('thinking')
        break
      case 'image':
        pen.dropped.add('image of an assistant message')
        break
    }
  }
  if (content.length > 0) message['content'] = contentOf(content)
  if (refusals.length > 0) message['refusal'] = refusals.map((part) => part.text).join('')
  if (calls.length > 0) message['tool_calls'] = calls
  if (content.length + refusals.length + calls.length > 0) return message
  // Thinking alone is still something the provider said.
  if (Object.keys(message).length === 2) return null
  message['content'] = ''
  return message
}

function writeCall(call: ToolCallPart, pen: Pen): Written {
  if (call.cache) pen.dropped.add('cache_control')
  const extra = call.seal && extraOfSeal(call.seal)
  if (call.seal && !extra) pen.dropped.add('thought signature')
  return {
    id: callIdFor(pen.model, call.id),
    ...(call.custom
      ? { type: 'custom', custom: { name: call.name, input: call.arguments } }
      : { type: 'function', function: { name: call.name, arguments: call.arguments || '{}' } }),
    ...(extra ? { extra_content: extra } : {}),
  }
}

/** The context in which a request's parts are written. */
export interface Pen {
  model: string
  dropped: Set<string>
}

type Written = Record<string, unknown>

/** One text as a string, as every server understands it; else the parts. */
function contentOf(parts: readonly Written[]): string | readonly Written[] {
  const [only] = parts
  if (only === undefined) return ''
  return parts.length === 1 &&
    only['type'] === 'text' &&
    typeof only['text'] === 'string' &&
    !('prompt_cache_breakpoint' in only)
    ? only['text']
    : parts
}

/** null where Chat can't carry it: its name is among the dropped then. */
function writePart(part: ContentPart, pen: Pen): Written | null {
  const written = bare(part, pen)
  if (written && part.cache) mark(written, pen)
  return written
}

function writeText(part: TextPart, pen: Pen): Written {
  const written: Written = { type: 'text', text: part.text }
  if (part.cache) mark(written, pen)
  return written
}

function mark(part: Written, pen: Pen): void {
  if (knowsCacheMarks(pen.model)) part['prompt_cache_breakpoint'] = { mode: 'explicit' }
  else pen.dropped.add('cache_control')
}

function bare(part: ContentPart, pen: Pen): Written | null {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'image':
      return writeImage(part, pen)
    case 'file':
      return writeFile(part, pen)
    case 'audio':
      return writeAudio(part, pen)
  }
}

function writeImage({ source, detail }: ImagePart, { dropped }: Pen): Written | null {
  const url = urlOf(source)
  if (url === null) {
    dropped.add('image.file_id')
    return null
  }
  const known = detail === null || details.has(detail)
  if (!known) dropped.add('image_url.detail')
  return { type: 'image_url', image_url: detail !== null && known ? { url, detail } : { url } }
}

const details: ReadonlySet<string> = new Set(['auto', 'low', 'high'])

const urlOf = (source: Source): string | null =>
  source.kind === 'data' ? dataUrl(source.mediaType, source.base64) : source.kind === 'url' ? source.url : null

function writeFile({ source, name }: FilePart, { dropped }: Pen): Written | null {
  const filename = name === null ? {} : { filename: name }
  switch (source.kind) {
    // OpenAI wants a name with data, and goes by its ending.
    case 'data':
      return {
        type: 'file',
        file: { filename: name ?? defaultName(source.mediaType), file_data: dataUrl(source.mediaType, source.base64) },
      }
    case 'text':
      return { type: 'text', text: name === null ? source.text : `${name}:\n\n${source.text}` }
    case 'id':
      // Chat and Responses share one store of files.
      if (source.of === 'chat' || source.of === 'responses')
        return { type: 'file', file: { file_id: source.id, ...filename } }
      dropped.add('file.file_id')
      return null
    case 'url':
      dropped.add('file.url')
      return null
  }
}

const defaultName = (mediaType: string): string => `file.${/^[a-z]+\/([a-z0-9]+)$/.exec(mediaType)?.[1] ?? 'pdf'}`

function writeAudio({ mediaType, base64 }: AudioPart, { dropped }: Pen): Written | null {
  const format = formats[mediaType.toLowerCase()]
  if (!format) {
    dropped.add('input_audio')
    return null
  }
  return { type: 'input_audio', input_audio: { data: base64, format } }
}

const formats: Partial<Record<string, 'wav' | 'mp3'>> = {
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/wave': 'wav',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
}

export type { Written }
