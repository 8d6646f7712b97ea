import type { Frame } from '../answer/frame.ts'
import type { AnswerUsage } from '../canonical/answer.ts'
import { members, stringOf, type Span } from '../json-bytes/index.ts'
import { readRequest, contentTexts, type ItemView, type LensDialect } from '../lens/lens.ts'
import { needsOf } from '../needs/needs-of.ts'
import { observeResponse, addTool, noteEnd, nothingSeen, type AnswerReader, type Seen } from '../observe/observer.ts'
import { stringBehind, restarted, sameAround } from '../observe/peek.ts'
import { sseEvent } from '../sse/write.ts'
import type { EntryCodec, AnswerInput } from '../types.ts'
import { fullest, recordedUsage } from '../usage-sums.ts'
import { asName, asNumber, asText, type JsonObject } from '../values.ts'
import { isBlank, readCallEntry, thoughtTags, vendorRan } from './call-finder.ts'
import { chatRestarts } from './convert/read-stream.ts'
import { chatError, chatErrorEvent } from './errors.ts'
import * as facts from './facts.ts'
import { timedUsage, usageOfChat } from './facts.ts'

export const chatCodec: EntryCodec = {
  protocol: 'chat',
  read: (body) => readRequest(body, chatDialect),
  needs: needsOf,
  observe: (form, status) => observeResponse(chatReader(), form, status),
  answer: chatAnswer,
  error: chatError,
  errorEvent: chatErrorEvent,
  lastWord: Buffer.from('data: [DONE]\n\n'),
}

/** Chat Completions: `messages` with a role each; content is a string or a list of parts. */
export const chatDialect: LensDialect = {
  protocol: 'chat',
  list: 'messages',
  system: null,
  view(body, item) {
    const [role = null, content = null] = members(body, item, ['role', 'content'])
    const known = roles[stringOf(body, role) ?? ''] ?? 'other'
    return { role: known, texts: known === 'user' || known === 'system' ? contentTexts(body, content, ['text']) : [] }
  },
}

const roles: Partial<Record<string, ItemView['role']>> = {
  user: 'user',
  assistant: 'assistant',
  tool: 'tool',
  function: 'tool',
  system: 'system',
  developer: 'system',
}

/**
 * Matches a chunk that is worth parsing: it says how a choice ends, or has usage, an error, a refusal, words in parts
 * or marked as thoughts, a choice other than the first, or sources, whose words have a `content` of their own (Groq's
 * `executed_tools`, OpenRouter's annotations). Keys are matched in their quotes, which text inside a string can't have
 * without a backslash.
 */
const worthParsing = new RegExp(
  [
    '"(?:finish_reason|usage|error|function_call|refusal)"\\s*:\\s*(?!\\s|null|"")',
    '"(?:content|executed_tools|annotations|web_search)"\\s*:\\s*\\[',
    '"index"\\s*:\\s*[1-9]',
    '"object"\\s*:\\s*"error"',
    // an event named `error` has it at the top
    '"message"\\s*:\\s*"',
    '"status_code"\\s*:\\s*[1-9]',
    '"thought"\\s*:\\s*true',
  ].join('|'),
)

/** Reads Chat Completions: one object, or `chat.completion.chunk`s up to `[DONE]`. */
function chatReader(): AnswerReader {
  const seen = nothingSeen()
  /** finish reason by choice; null while it has none */
  const ends = new Map<number, string | null>()
  let hasTools = false
  let refused = false
  let usage: AnswerUsage | null = null
  let timed: Seen['usage'] = null
  /** words came in this chunk; `counted`: usage came after all words so far */
  let worded = false
  let counted = false
  let first = true
  /** `[DONE]` came */
  let done = false
  const thoughts = thoughtTags()
  const restarts = chatRestarts()
  const around = sameAround()

  function event(frame: Frame): void {
    if (!frame.says) return
    const words = thoughts.open ? null : around.tokenIn(frame)
    if (words) {
      restarts.goesOn()
      frame.onlyWords = true
      return addWords(frame.dataSource, words)
    }
    const { data, latin1: text } = frame
    if (data === null) return
    if (facts.isDone(frame)) {
      done = true
      return finished()
    }
    const isFirst = first
    first = false
    if (
      isFirst ||
      thoughts.open ||
      worthParsing.test(text) ||
      (facts.mayHaveCalls(frame) && (!hasTools || text.includes('"name"'))) ||
      restarts.passes(text)
    ) {
      const chunk = frame.value()
      if (chunk) return read(chunk, frame.name)
    }
    const content = stringBehind(text, 'content')
    if (!content) return
    if (!text.includes('"tool_calls"')) around.learn(frame, content)
    addWords(data, content)
  }

  function addWords(data: Buffer, token: Span): void {
    seen.tail.addToken(data, token)
    if (token.end - token.start > '""'.length) counted = false
  }

  /** `name`: of the event; null: it is a whole body */
  function read(value: JsonObject, name: string | null): void {
    const choices = facts.choices(value)
    // An error after the end does not undo it.
    if (!seen.complete) seen.error ??= facts.error(value, name ?? '')
    seen.responseId ??= asName(value['id'])
    seen.model ??= asName(value['model'])
    const fresh = usageOfChat(value)
    usage = fullest(usage, fresh)
    seen.usage = recordedUsage(usage)
    timed = recordedUsage(timedUsage(value)) ?? timed
    if (name !== null && !seen.complete && restarts.again(value, choices[0])) seen.error ??= restarted
    worded = false
    for (const choice of choices) readChoice(choice, name === null)
    // A whole message has its usage beside its words.
    if (worded && name !== null) counted = false
    else counted ||= fresh !== null
    if (ends.size > 0 && [...ends.values()].every((reason) => reason !== null)) finished()
  }

  function readChoice(choice: JsonObject, isWhole: boolean): void {
    const message = isWhole ? facts.wholeMessage(choice) : facts.message(choice)
    const index = asNumber(choice['index']) ?? 0
    ends.set(index, facts.finish(choice) ?? ends.get(index) ?? null)
    if (index === 0) readWords(message)
    refused ||= asName(message['refusal']) !== null
    const legacy = facts.legacyCall(message)
    const calls = [...facts.calls(message).filter((call) => vendorRan(call) === null), ...(legacy ? [legacy] : [])]
    for (const entry of calls.map(readCallEntry)) {
      if (entry.name !== null) addTool(seen, entry.name)
      hasTools ||= !isBlank(entry)
    }
  }

  function readWords(message: JsonObject): void {
    const content = asText(message['content'])
    const words = content === null ? facts.text(message['content']) : thoughts.split(content, message).text
    if (words === '') return
    worded = true
    seen.tail.addText(words)
  }

  function finished(): void {
    seen.complete = true
    seen.usage ??= timed
    noteEnd(seen, [...ends.values()], { calls: hasTools, text: !seen.tail.isEmpty(), usage: counted, refusal: refused })
  }

  return {
    seen,
    ended: () => seen.complete || seen.error !== null,
    over: () => done,
    frame: event,
    body: (value) => {
      read(value, null)
      finished()
    },
  }
}

/** A whole Chat answer with one text, as an object or as a stream up to `[DONE]`. */
function chatAnswer(input: AnswerInput): { contentType: string; body: Buffer } {
  const head = { id: `chatcmpl-${input.id}`, created: Math.floor(input.nowMs / 1000), model: input.model }
  if (!input.stream) {
    const message = { role: 'assistant', content: input.text, refusal: null }
    const whole = {
      ...head,
      object: 'chat.completion',
      choices: [{ index: 0, message, logprobs: null, finish_reason: 'stop' }],
      usage: noTokens,
    }
    return { contentType: 'application/json', body: Buffer.from(JSON.stringify(whole)) }
  }
  const usage = input.includeUsage ? { usage: null } : {}
  const chunk = (delta: object, finish: string | null) =>
    sseEvent({
      ...head,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      ...usage,
    })
  const events = [
    chunk({ role: 'assistant', content: '', refusal: null }, null),
    chunk({ content: input.text }, null),
    chunk({}, 'stop'),
    ...(input.includeUsage
      ? [sseEvent({ ...head, object: 'chat.completion.chunk', choices: [], usage: noTokens })]
      : []),
    'data: [DONE]\n\n',
  ]
  return { contentType: 'text/event-stream; charset=utf-8', body: Buffer.from(events.join('')) }
}

/** No provider was asked, so nothing was used. */
const noTokens = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }
