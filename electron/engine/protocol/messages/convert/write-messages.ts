import type {
  CanonicalRequest,
  Message,
  ThinkingPart,
  ToolCallPart,
  ToolResultPart,
  ContentPart,
  FilePart,
  ImagePart,
  Source,
} from '../../canonical/request.ts'
import { placedInMessages } from '../../canonical/thinking/phases.ts'
import { argumentsObject } from '../../canonical/tools/arguments-object.ts'
import type { JsonObject } from '../../values.ts'
import type { ModelTraits } from '../../canonical/models.ts'

interface Entry {
  role: 'user' | 'assistant' | 'system'
  content: JsonObject[]
}

/** Said where the user says nothing: Anthropic demands that the conversation begins with the user. */
const opener = 'Continue.'

/**
 * The conversation as Anthropic takes it: a user's message first, user and assistant in turn, right after an
 * assistant's calls a user's message with all their results in front. A model that takes no system messages after a
 * user's message has their text there, in the tags Claude Code uses for it.
 */
export function writeMessages(
  messages: CanonicalRequest['messages'],
  model: string,
  { systemMessages, signs }: Pick<ModelTraits, 'systemMessages' | 'signs'>,
  dropped: Dropped,
): readonly JsonObject[] {
  const entries: Entry[] = []
  const results = callResults(messages)
  /** results of the last assistant's calls, for the user's message after it */
  let waiting: JsonObject[] = []

  function openUser(): JsonObject[] {
    if (entries.at(-1)?.role === 'assistant') endAssistant()
    if (entries.at(-1)?.role === 'system') return foldSystem()
    const last = entries.at(-1)
    if (last?.role === 'user') return last.content
    const content = waiting
    waiting = []
    entries.push({ role: 'user', content })
    return content
  }

  /**
   * "role 'system' must precede an 'assistant' message or end the array", says Anthropic: as a text, when a user's
   * message follows.
   */
  function foldSystem(): JsonObject[] {
    const system = entries.pop()
    const content = openUser()
    for (const block of system?.content ?? []) content.push(reminder(block))
    dropped.add('messages[].role')
    return content
  }

  function openAssistant(): JsonObject[] {
    const last = entries.at(-1)
    if (last?.role === 'assistant') return last.content
    if (!last) openUser().push(...textBlock(opener))
    const content: JsonObject[] = []
    entries.push({ role: 'assistant', content })
    return content
  }

  /** Anthropic refuses thinking as the last block of a message, and messages without blocks. */
  function endAssistant(): void {
    const content = entries.at(-1)?.content ?? []
    while (isThinking(content.at(-1))) {
      content.pop()
      dropped.add('thinking')
    }
    if (content.length === 0) entries.pop()
  }

  function addUser({ parts }: Extract<Message, { role: 'user' }>): void {
    const blocks: JsonObject[] = []
    let answers = false
    for (const part of parts) {
      if (part.type !== 'tool-result') blocks.push(...writeContent(part, dropped))
      else if (results.placed(part)) answers = true
      else blocks.push(...resultInWords(part, dropped))
    }
    if ((answers && waiting.length > 0) || blocks.length > 0) openUser().push(...blocks)
  }

  function addAssistant(message: Extract<Message, { role: 'assistant' }>): void {
    const { blocks, answers } = writeAssistant(message, results, signs, dropped)
    if (blocks.length > 0) openAssistant().push(...blocks)
    waiting.push(...answers)
  }

  function addSystem({ parts }: Extract<Message, { role: 'system' }>): void {
    const blocks = parts.flatMap((part) => textBlock(part.text, part.cache))
    if (blocks.length === 0) return
    if (waiting.length > 0) openUser()
    const last = entries.at(-1)
    if (systemMessages && last?.role === 'user') entries.push({ role: 'system', content: blocks })
    else if (last?.role === 'system') last.content.push(...blocks)
    else {
      dropped.add('messages[].role')
      openUser().push(...blocks.map(reminder))
    }
  }

  for (const message of messages) {
    switch (message.role) {
      case 'user':
        addUser(message)
        break
      case 'assistant':
        addAssistant(message)
        break
      case 'system':
        addSystem(message)
    }
  }
  if (entries.at(-1)?.role === 'assistant') endAssistant()
  if (waiting.length > 0) openUser()
  // An assistant's message at the end is a beginning to go on from: only where the client meant that.
  if (entries.at(-1)?.role === 'assistant' ? messages.at(-1)?.role !== 'assistant' : entries.length === 0)
    openUser().push(...textBlock(opener))
  const written = entries.map(withoutLooseEnd)
  // Answers of other models have no thinking that is of use here, and a client may have dropped this one's own.
  const placed = placedInMessages(written, model)
  if (placed !== written) dropped.add('thinking')
  return placed
}

/** `answers`: the results of its calls. */
function writeAssistant(
  { parts }: Extract<Message, { role: 'assistant' }>,
  results: CallResults,
  signs: boolean,
  dropped: Dropped,
): { blocks: JsonObject[]; answers: JsonObject[] } {
  const blocks: JsonObject[] = []
  const answers: JsonObject[] = []
  for (const part of parts) {
    switch (part.type) {
      case 'text':
        blocks.push(...textBlock(part.text, part.cache))
        break
      case 'refusal':
        blocks.push(...textBlock(part.text))
        break
      case 'thinking':
        blocks.push(...thinkingBlock(part, signs, dropped))
        break
      case 'image':
        dropped.add('image')
        break
      case 'tool-call': {
        const id = results.idOf(part)
        const call = { type: 'tool_use', id, name: part.name, input: toolInput(part.arguments, dropped) }
        blocks.push(part.cache ? { ...call, cache_control: part.cache } : call)
        answers.push(resultBlock(id, results.take(part), dropped))
      }
    }
  }
  return { blocks, answers }
}

const isThinking = (block: JsonObject | undefined): boolean =>
  block?.['type'] === 'thinking' || block?.['type'] === 'redacted_thinking'

const reminder = (block: JsonObject): JsonObject => ({
  ...block,
  text: `<system-reminder>\n${String(block['text'])}\n</system-reminder>`,
})

/** Only this vendor's own thinking is of use to it, to Claude with its signature. */
function thinkingBlock({ text, seal }: ThinkingPart, signs: boolean, dropped: Dropped): JsonObject[] {
  if (seal?.of === 'messages' && (seal.data !== '' || !(signs || seal.redacted))) {
    return [
      seal.redacted
        ? { type: 'redacted_thinking', data: seal.data }
        : { type: 'thinking', thinking: seal.text ?? text, signature: seal.data },
    ]
  }
  if (seal || text !== '') dropped.add('thinking')
  return []
}

/** The beginning of an answer, where the client gave one, may not end in white space. */
function withoutLooseEnd(entry: Entry, i: number, entries: readonly Entry[]): JsonObject {
  const last = entry.content.at(-1)
  if (entry.role !== 'assistant' || i < entries.length - 1 || typeof last?.['text'] !== 'string')
    return { role: entry.role, content: entry.content }
  return { role: entry.role, content: [...entry.content.slice(0, -1), { ...last, text: last['text'].trimEnd() }] }
}

/**
 * A call of the history as the object Messages wants. Text that is no JSON object (a call cut off in the middle) stands
 * in it whole.
 */
function toolInput(json: string, dropped: Dropped): JsonObject {
  const input = argumentsObject(json)
  if (!input) dropped.add('messages[].arguments')
  return input ?? { arguments: json }
}

/**
 * Finds the result of each call. Ids that come again (some vendors count from zero each turn) are kept apart by their
 * order.
 */
interface CallResults {
  /** the result of the next call with this id; null when there is none */
  take(call: ToolCallPart): ToolResultPart | null
  /** true if a result stands at its call; otherwise it must be said where it is */
  placed(result: ToolResultPart): boolean
  /** a legal id that no other call has: the call's own where that can be */
  idOf(call: ToolCallPart): string
}

function callResults(messages: CanonicalRequest['messages']): CallResults {
  const results = new Map<string, ToolResultPart[]>()
  for (const message of messages) {
    if (message.role !== 'user') continue
    for (const part of message.parts) {
      if (part.type !== 'tool-result') continue
      const known = results.get(part.callId)
      if (known) known.push(part)
      else results.set(part.callId, [part])
    }
  }
  const placed = new Set<ToolResultPart>()
  const ids = new Set<string>()
  return {
    take(call) {
      const result = results.get(call.id)?.shift() ?? null
      if (result) placed.add(result)
      return result
    },
    placed(result) {
      if (placed.has(result)) return true
      // Said on its own now, so no later call may take it.
      results.set(
        result.callId,
        (results.get(result.callId) ?? []).filter((other) => other !== result),
      )
      return false
    },
    idOf(call) {
      const legal = call.id.replace(/[^a-zA-Z0-9_-]/g, '_') || 'toolu'
      let id = legal
      for (let n = 2; ids.has(id); n++) id = `${legal}_${n}`
      ids.add(id)
      return id
    },
  }
}

/** A call without a result makes Anthropic refuse the request, and so does an error without words. */
function resultBlock(id: string, result: ToolResultPart | null, dropped: Dropped): JsonObject {
  const block: Record<string, unknown> = { type: 'tool_result', tool_use_id: id }
  if (!result) return { ...block, content: textBlock('No result of this call is known.'), is_error: true }
  const content = result.parts.flatMap((part) => writeContent(part, dropped))
  if (content.length > 0) block['content'] = content
  else if (result.isError) block['content'] = textBlock('The tool failed without a word.')
  if (result.isError) block['is_error'] = true
  if (result.cache) block['cache_control'] = result.cache
  return block
}

/** A result whose call is not in the conversation may not be sent as one. */
function resultInWords(result: ToolResultPart, dropped: Dropped): JsonObject[] {
  dropped.add('tool_use_id')
  return [
    ...textBlock(`Result of ${result.name === null ? 'a tool call' : `the tool ${result.name}`} made earlier:`),
    ...result.parts.flatMap((part) => writeContent(part, dropped)),
  ]
}

/** Names of what Messages can't say. */
export type Dropped = Set<string>

/** Anthropic refuses text blocks without visible text. */
const hasText = (text: string): boolean => /\S/.test(text)

export const textBlock = (text: string, cache?: JsonObject): JsonObject[] =>
  hasText(text) ? [cache ? { type: 'text', text, cache_control: cache } : { type: 'text', text }] : []

/** A part as a block of a user's message or of a tool's result; none where it can't be said. */
function writeContent(part: ContentPart, dropped: Dropped): JsonObject[] {
  switch (part.type) {
    case 'text':
      return textBlock(part.text, part.cache)
    case 'image':
      if (part.detail !== null && part.detail !== 'auto') dropped.add('image.detail')
      return writeImage(part.source, part.cache, dropped)
    case 'file':
      return writeFile(part, dropped)
    case 'audio':
      dropped.add('audio')
      return []
  }
}

const imageTypes = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])

function writeImage(source: Source, cache: ImagePart['cache'], dropped: Dropped): JsonObject[] {
  const written = writeSource(source, dropped)
  if (!written) return []
  const type = written['media_type'] === 'image/jpg' ? 'image/jpeg' : written['media_type']
  if (typeof type === 'string' && !imageTypes.has(type)) {
    dropped.add(type)
    return []
  }
  return [block('image', type === undefined ? written : { ...written, media_type: type }, cache)]
}

function writeFile({ source, name, cache }: FilePart, dropped: Dropped): JsonObject[] {
  const document = (written: JsonObject | null) =>
    written ? [{ ...block('document', written, cache), ...(name === null || name === '' ? {} : { title: name }) }] : []
  if (source.kind === 'text') return hasText(source.text) ? document(plain(source.text)) : []
  const type = source.kind === 'id' ? null : source.mediaType
  if (type === null || type === 'application/pdf' || source.kind === 'id') return document(writeSource(source, dropped))
  if (type.startsWith('image/')) return writeImage(source, cache, dropped)
  if (source.kind === 'data' && /^(text\/|application\/(json|xml|yaml|javascript|x-))/.test(type)) {
    return document(plain(Buffer.from(source.base64, 'base64').toString('utf8')))
  }
  dropped.add(type)
  return []
}

const plain = (data: string): JsonObject => ({ type: 'text', media_type: 'text/plain', data })
const block = (type: string, source: JsonObject, cache: JsonObject | undefined): JsonObject =>
  cache ? { type, source, cache_control: cache } : { type, source }

function writeSource(source: Source, dropped: Dropped): JsonObject | null {
  switch (source.kind) {
    case 'data':
      return { type: 'base64', media_type: source.mediaType, data: source.base64 }
    case 'url':
      return { type: 'url', url: source.url }
    case 'id':
      if (source.of === 'messages') return { type: 'file', file_id: source.id }
      dropped.add('file_id')
      return null
  }
}
