import { errorIn } from '../observe/errors.ts'
import { stringBehind } from '../observe/peek.ts'
import { addTool, nothingSeen, type AnswerReader } from '../observe/reader.ts'
import type { SseEvent } from '../sse/split.ts'
import { asList, asName, asNumber, asObject, asText, parseObject, type JsonObject } from '../values.ts'
import { finishOfChoices, usageOfChat } from './finish.ts'

/**
 * What a chunk must hold to be worth parsing: how a choice ends, usage, an error, a choice other than the first. Keys
 * are matched in their quotes, which text inside a string can't have without a backslash.
 */
const worthParsing = /"(?:finish_reason|usage|error|function_call)"\s*:\s*(?!\s|null)|"index"\s*:\s*[1-9]/
const toolCalls = /"tool_calls"\s*:\s*\[\s*\{/

/** Reads Chat Completions: one object, or `chat.completion.chunk`s up to `[DONE]`. */
export function chatReader(): AnswerReader {
  const seen = nothingSeen()
  /** finish reason by choice; null while it has none */
  const choices = new Map<number, string | null>()
  let hasTools = false
  let first = true

  function event({ data, truncated }: SseEvent): void {
    if (isDone(data)) return finished()
    const text = data.toString('latin1')
    const isFirst = first
    first = false
    if (isFirst || worthParsing.test(text) || (toolCalls.test(text) && (!hasTools || text.includes('"name"')))) {
      const chunk = truncated ? null : parseObject(data)
      if (chunk) return read(chunk, 'delta')
    }
    const content = stringBehind(text, 'content')
    if (content) seen.tail.addToken(data, content)
  }

  function read(value: JsonObject, part: 'delta' | 'message'): void {
    seen.error ??= errorIn(value)
    seen.responseId ??= asName(value['id'])
    seen.model ??= asName(value['model'])
    seen.usage = usageOfChat(value['usage']) ?? seen.usage
    for (const entry of asList(value['choices'])) {
      const choice = asObject(entry)
      if (choice) readChoice(choice, asObject(choice[part]) ?? {})
    }
    if (choices.size > 0 && [...choices.values()].every((reason) => reason !== null)) finished()
  }

  function readChoice(choice: JsonObject, message: JsonObject): void {
    const index = asNumber(choice['index']) ?? 0
    choices.set(index, asText(choice['finish_reason']) ?? choices.get(index) ?? null)
    const content = asText(message['content'])
    if (index === 0 && content) seen.tail.addText(content)
    const calls = [
      ...asList(message['tool_calls']).map(
        (call) => asObject(asObject(call)?.['function']) ?? asObject(asObject(call)?.['custom']),
      ),
      asObject(message['function_call']),
    ]
    for (const call of calls) {
      const name = asText(call?.['name'])
      if (name) addTool(seen, name)
    }
    if (asList(message['tool_calls']).length > 0 || asObject(message['function_call'])) hasTools = true
  }

  function finished(): void {
    seen.complete = true
    seen.finish = finishOfChoices([...choices.values()], hasTools)
  }

  return {
    seen,
    get ended() {
      return seen.complete || seen.error !== null
    },
    event,
    body: (value) => {
      read(value, 'message')
      finished()
    },
  }
}

/** `[DONE]`, with white space around it or not. */
export const isDone = (data: Buffer): boolean =>
  data.length < 12 && data[0] !== 0x7b && data.toString('latin1').trim() === '[DONE]'
