import { errorIn } from '../observe/errors.ts'
import { stringBehind } from '../observe/peek.ts'
import { restarted } from '../observe/restarts.ts'
import { sameAround } from '../observe/same-around.ts'
import type { Span } from '../json-bytes/index.ts'
import { addTool, nothingSeen, type AnswerReader, type Seen } from '../observe/reader.ts'
import type { Frame } from '../answer/frame.ts'
import { failedEnd } from '../finish-names.ts'
import { recordedUsage } from '../usage-sums.ts'
import { asList, asName, asNumber, asObject, asText, type JsonObject } from '../values.ts'
import { readCallEntry } from './call-finder.ts'
import { finishOfChoices, reasonOfChoice } from './finish.ts'
import { timedUsage, usageOfChat } from './usage-dialects.ts'
import { chatRestarts } from './convert/restarts.ts'
import { callEntries, textOfParts } from './message.ts'
import { thoughtTags } from './thought-tags.ts'
import { vendorRan } from './vendor-calls.ts'

/**
 * What a chunk must hold to be worth parsing: how a choice ends, usage, an error, a refusal, words in parts or marked
 * as thoughts, a choice other than the first, or sources, whose words have a `content` of their own (Groq's
 * `executed_tools`, OpenRouter's annotations). Keys are matched in their quotes, which text inside a string can't have
 * without a backslash.
 */
const worthParsing = new RegExp(
  [
    '"(?:finish_reason|usage|error|function_call|refusal)"\\s*:\\s*(?!\\s|null|"")',
    '"(?:content|executed_tools|annotations|web_search)"\\s*:\\s*\\[',
    '"index"\\s*:\\s*[1-9]',
    '"object"\\s*:\\s*"error"',
    '"status_code"\\s*:\\s*[1-9]',
    '"thought"\\s*:\\s*true',
  ].join('|'),
)
const toolCalls = /"tool_calls"\s*:\s*(?:\[\s*)?\{/

/** Reads Chat Completions: one object, or `chat.completion.chunk`s up to `[DONE]`. */
export function chatReader(): AnswerReader {
  const seen = nothingSeen()
  /** finish reason by choice; null while it has none */
  const choices = new Map<number, string | null>()
  let hasTools = false
  let refused = false
  let timed: Seen['usage'] = null
  /** words came in this chunk; usage stands behind all words so far */
  let worded = false
  let counted = false
  let first = true
  const thoughts = thoughtTags()
  const restarts = chatRestarts()
  const around = sameAround()

  function event(frame: Frame): void {
    const { data, latin1: text } = frame
    if (data === null) return
    const words = thoughts.open ? null : around.tokenIn(text)
    if (words) {
      restarts.goesOn()
      return addWords(data, words)
    }
    if (isDone(frame)) return finished()
    const isFirst = first
    first = false
    if (
      isFirst ||
      thoughts.open ||
      worthParsing.test(text) ||
      (toolCalls.test(text) && (!hasTools || text.includes('"name"'))) ||
      restarts.passes(text)
    ) {
      const chunk = frame.value()
      if (chunk) return read(chunk, 'delta')
    }
    const content = stringBehind(text, 'content')
    if (!content) return
    around.learn(text, content)
    addWords(data, content)
  }

  function addWords(data: Buffer, token: Span): void {
    seen.tail.addToken(data, token)
    if (token.end - token.start > '""'.length) counted = false
  }

  function read(value: JsonObject, part: 'delta' | 'message'): void {
    // What comes behind the end does not undo it.
    if (!seen.complete) seen.error ??= errorIn(value)
    seen.responseId ??= asName(value['id'])
    seen.model ??= asName(value['model'])
    const usage = recordedUsage(usageOfChat(value))
    seen.usage = usage ?? seen.usage
    timed = recordedUsage(timedUsage(value)) ?? timed
    if (part === 'delta' && !seen.complete && hasRestarted(value)) seen.error ??= restarted
    worded = false
    for (const entry of asList(value['choices'])) {
      const choice = asObject(entry)
      if (choice) readChoice(choice, asObject(choice[part]) ?? {})
    }
    // A whole message has its usage beside its words.
    if (worded && part === 'delta') counted = false
    else counted ||= usage !== null
    if (choices.size > 0 && [...choices.values()].every((reason) => reason !== null)) finished()
  }

  function hasRestarted(value: JsonObject): boolean {
    const choice = asObject(asList(value['choices'])[0])
    return choice !== null && restarts.again(value, asName(asObject(choice['delta'])?.['role']) !== null)
  }

  function readChoice(choice: JsonObject, message: JsonObject): void {
    const index = asNumber(choice['index']) ?? 0
    choices.set(index, reasonOfChoice(choice) ?? choices.get(index) ?? null)
    if (index === 0) readWords(message)
    refused ||= asName(message['refusal']) !== null
    const calls = callEntries(message).filter((call) => vendorRan(call) === null)
    const names = calls.map((call) => readCallEntry(call).name)
    for (const name of [...names, asName(asObject(message['function_call'])?.['name'])])
      if (name !== null) addTool(seen, name)
    if (calls.length > 0 || asObject(message['function_call'])) hasTools = true
  }

  function readWords(message: JsonObject): void {
    const content = asText(message['content'])
    const words = content === null ? textOfParts(message['content']) : thoughts.split(content, message).text
    if (words === '') return
    worded = true
    seen.tail.addText(words)
  }

  function finished(): void {
    seen.complete = true
    seen.usage ??= timed
    const reasons = [...choices.values()]
    seen.finish = finishOfChoices(reasons, {
      calls: hasTools,
      text: !seen.tail.isEmpty,
      usage: counted,
      refusal: refused,
    })
    if (seen.finish === 'error') seen.error ??= failedEnd(reasons.find((reason) => reason !== null) ?? '')
  }

  return {
    seen,
    get ended() {
      return seen.complete || seen.error !== null
    },
    frame: event,
    body: (value) => {
      read(value, 'message')
      finished()
    },
  }
}

/** `[DONE]`, with white space around it or not. */
export const isDone = ({ latin1 }: Frame): boolean => latin1.length < 12 && latin1.trim() === '[DONE]'
