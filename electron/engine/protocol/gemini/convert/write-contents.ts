import type {
  Message,
  ToolResultPart,
  Seal,
  ThinkingPart,
  ToolCallPart,
  AudioPart,
  FilePart,
  ImagePart,
  Source,
} from '../../canonical/request.ts'
import { noSignature } from '../../canonical/thinking/phases.ts'
import { argumentsObject } from '../../canonical/tools/arguments-object.ts'
import { resultsAtCalls } from '../../canonical/tools/results-at-calls.ts'
import type { Draft } from './members.ts'
import { thinksInLevels, takesMediaInResults } from '../../canonical/models.ts'
import { isSealOfText, signatureOf } from './seals.ts'

interface Content {
  role: 'user' | 'model'
  parts: Draft[]
}

/**
 * Merges neighbours of one role into one content: Google wants the results of all parallel calls in the content right
 * after the one with the calls.
 */
export function writeContents(said: readonly Message[], model: string, dropped: Set<string>): Content[] {
  const messages = resultsAtCalls(said, () => {
    dropped.add('functionResponse.id')
  })
  const contents: Content[] = []
  const names = new Map<string, string>()
  // Only demanded after the person's last words, but written everywhere: what was sent must read the same in later
  // requests.
  const signs = thinksInLevels(model)
  const step = stepWriter(names, dropped)
  for (const message of messages) {
    if (message.role === 'assistant') {
      const content = contentFor(contents, 'model', () => step.begin())
      step.write(message.parts, content.parts, signs)
    } else writeUser(message, contentFor(contents, 'user'), model, names, dropped)
  }
  return contents.filter(({ parts }) => parts.length > 0)
}

function contentFor(contents: Content[], role: Content['role'], onNew?: () => void): Content {
  const last = contents.at(-1)
  if (last?.role === role) return last
  // a message without any content leaves no border between its neighbours
  if (last?.parts.length === 0) contents.pop()
  const before = contents.at(-1)
  if (before?.role === role) return before
  onNew?.()
  const content: Content = { role, parts: [] }
  contents.push(content)
  return content
}

function writeUser(
  message: Exclude<Message, { role: 'assistant' }>,
  { parts }: Content,
  model: string,
  names: ReadonlyMap<string, string>,
  dropped: Set<string>,
): void {
  if (message.role === 'system') dropped.add('messages[].role')
  const behind: Draft[] = []
  for (const part of message.parts) {
    if (part.cache) dropped.add('cache_control')
    if (part.type === 'text') {
      if (part.text !== '') parts.push({ text: part.text })
    } else if (part.type === 'tool-result') {
      parts.push(
        writeResult(
          part,
          part.name ?? names.get(part.callId) ?? 'unknown',
          takesMediaInResults(model) ? null : behind,
          dropped,
        ),
      )
    } else {
      const media = writeMedia(part, dropped)
      if (media) parts.push(media)
    }
  }
  parts.push(...behind)
}

/**
 * `behind` takes the images if the model does not know images inside results: they follow the result in the same
 * content.
 */
function writeResult(part: ToolResultPart, name: string, behind: Draft[] | null, dropped: Set<string>): Draft {
  const texts: string[] = []
  const inside: Draft[] = []
  for (const piece of part.parts) {
    if (piece.cache) dropped.add('cache_control')
    if (piece.type === 'text') texts.push(piece.text)
    else {
      const media = writeMedia(piece, dropped)
      if (media) (behind ?? inside).push(media)
    }
  }
  const text = texts.length === 1 ? (texts[0] ?? '') : texts.join('\n')
  const response = { [part.isError ? 'error' : 'output']: text }
  return { functionResponse: { id: part.callId, name, response, ...(inside.length > 0 && { parts: inside }) } }
}

type Parts = Extract<Message, { role: 'assistant' }>['parts']

interface StepWriter {
  /** a new content of the model: a new step */
  begin(): void
  /** `checked`: Gemini demands a signature on the first call of the step */
  write(parts: Parts, into: Draft[], checked: boolean): void
}

/** `names` gets the name of each call: results must repeat it. */
function stepWriter(names: Map<string, string>, dropped: Set<string>): StepWriter {
  let hasCall = false
  /** a signature without text, which another protocol could only put before the call it belongs to */
  let loose: Seal | null = null

  function flush(into: Draft[]): void {
    if (loose) into.push({ text: '', thought: true, thoughtSignature: signatureOf(loose) })
    loose = null
  }

  function thinking({ text, seal }: ThinkingPart, into: Draft[]): void {
    const own = seal?.of === 'gemini' ? seal : null
    if (seal && !own) dropped.add(text === '' ? 'thinking' : 'thinking.signature')
    if (own && text === '') {
      if (!isSealOfText(own)) loose = own
      else signText(into, signatureOf(own))
    } else if (text !== '')
      into.push({ text: own?.text ?? text, thought: true, ...(own && { thoughtSignature: signatureOf(own) }) })
  }

  function call(part: ToolCallPart, into: Draft[], checked: boolean): void {
    const { id, name, seal } = part
    names.set(id, name)
    const own = seal?.of === 'gemini' ? seal : loose
    loose = null
    const signature = own ? signatureOf(own) : checked && !hasCall ? noSignature : null
    if (!own && seal) dropped.add('thinking.signature')
    hasCall = true
    const args = argumentsObject(part.arguments)
    if (!args) dropped.add('messages[].arguments')
    into.push({
      functionCall: { id, name, args: args ?? { arguments: part.arguments } },
      ...(signature !== null && { thoughtSignature: signature }),
    })
  }

  return {
    begin() {
      hasCall = false
      loose = null
    },
    write(parts, into, checked) {
      for (const part of parts) {
        if (part.type !== 'tool-call') flush(into)
        if ('cache' in part && part.cache) dropped.add('cache_control')
        if (part.type === 'tool-call') call(part, into, checked)
        else if (part.type === 'thinking') thinking(part, into)
        else if (part.type === 'image') {
          const media = writeMedia(part, dropped)
          if (media) into.push(media)
        } else if (part.text !== '') into.push({ text: part.text })
      }
      flush(into)
    },
  }
}

/** Signs the text right before it, where the signature came from; without one, adds an empty part, as in a stream. */
function signText(into: Draft[], signature: string): void {
  const last = into.at(-1)
  if (
    last &&
    typeof last['text'] === 'string' &&
    last['text'] !== '' &&
    last['thought'] !== true &&
    last['thoughtSignature'] === undefined
  )
    last['thoughtSignature'] = signature
  else into.push({ text: '', thoughtSignature: signature })
}

/** null if Google can't reach it. Only Vertex AI has `displayName`: the Gemini API refuses it. */
function writeMedia(part: ImagePart | FilePart | AudioPart, dropped: Set<string>): Draft | null {
  if (part.cache) dropped.add('cache_control')
  if (part.type === 'audio') return inline(part.mediaType, part.base64)
  // not every version of the API has per-part resolution
  if (part.type === 'image' && part.detail !== null && part.detail !== 'auto') dropped.add('detail')
  if (part.type === 'file' && part.name !== null) dropped.add('filename')
  const { source } = part
  if (source.kind === 'text') return inline(source.mediaType, Buffer.from(source.text).toString('base64'))
  return writeSource(source, dropped)
}

function writeSource(source: Source, dropped: Set<string>): Draft | null {
  if (source.kind === 'data') return inline(source.mediaType, source.base64)
  if (source.kind === 'url') return file(source.url, source.mediaType ?? typeByName(source.url))
  if (source.of === 'gemini') return file(source.id, source.mediaType ?? null)
  dropped.add('file_id')
  return null
}

const inline = (mimeType: string, data: string): Draft => ({
  inlineData: { mimeType, data },
})

const file = (fileUri: string, mimeType: string | null): Draft => ({
  fileData: { ...(mimeType !== null && { mimeType }), fileUri },
})

const types: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  heic: 'image/heic',
  heif: 'image/heif',
  pdf: 'application/pdf',
}

/** Google wants a media type with an address; other protocols have none. */
const typeByName = (url: string): string | null =>
  types[/\.(\w+)(?:[?#]|$)/.exec(url)?.[1]?.toLowerCase() ?? ''] ?? null
