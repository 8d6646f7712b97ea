import { argumentsObject } from '../../canonical/tools/arguments-object.ts'
import type { CanonicalRequest, Message, ThinkingPart } from '../../canonical/request.ts'
import type { JsonObject } from '../../values.ts'
import { placedInMessages } from '../../canonical/thinking/wanted-back.ts'
import type { ModelTraits } from './models.ts'
import { callResults, resultBlock, resultInWords, type CallResults } from './call-results.ts'
import { textBlock, writeContent, type Dropped } from './write-parts.ts'

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
