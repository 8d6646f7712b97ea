import type { Frame } from '../answer/frame.ts'
import { elements, members, stringOf, type Span } from '../json-bytes/index.ts'
import { readRequest, contentTexts, type ItemView, type LensDialect } from '../lens/lens.ts'
import { needsOf } from '../needs/needs-of.ts'
import { observeResponse, addTool, noteEnd, nothingSeen, type AnswerReader } from '../observe/observer.ts'
import { beginnings, restarted, sameAround, eventType, stringBehind } from '../observe/peek.ts'
import { typedEvent, type TypedEvent } from '../sse/write.ts'
import type { EntryCodec, AnswerInput } from '../types.ts'
import { recordedUsage } from '../usage-sums.ts'
import { asName, asText, type JsonObject } from '../values.ts'
import { messagesError, messagesErrorEvent } from './errors.ts'
import * as facts from './facts.ts'
import { mergeCounts, usageOfMessage } from './facts.ts'

export const messagesCodec: EntryCodec = {
  protocol: 'messages',
  read: (body) => readRequest(body, messagesDialect),
  needs: needsOf,
  observe: (form, status) => observeResponse(messagesReader(), form, status),
  answer: messagesAnswer,
  error: messagesError,
  errorEvent: messagesErrorEvent,
}

/** Messages: `system` beside `messages`; tool results are blocks of user messages. */
export const messagesDialect: LensDialect = {
  protocol: 'messages',
  list: 'messages',
  system: 'system',
  view(body, item) {
    const [roleAt = null, content = null] = members(body, item, ['role', 'content'])
    const role = roles[stringOf(body, roleAt) ?? ''] ?? 'other'
    if (role !== 'user' && role !== 'system') return { role, texts: [] }
    const texts = contentTexts(body, content, ['text'])
    return { role: role === 'user' && texts.length === 0 && hasToolResult(body, content) ? 'tool' : role, texts }
  },
}

const hasToolResult = (body: Buffer, content: Span | null): boolean =>
  content !== null &&
  elements(body, content).some((block) => stringOf(body, members(body, block, ['type'])[0] ?? null) === 'tool_result')

/** `system` in the middle of the conversation is sent by Claude Code 2.1. */
const roles: Partial<Record<string, ItemView['role']>> = { user: 'user', assistant: 'assistant', system: 'system' }

/** Reads Messages: one object, or events up to `message_stop`. */
function messagesReader(): AnswerReader {
  const seen = nothingSeen()
  const begins = beginnings()
  const around = sameAround()
  let hasToolUse = false
  /** more came than the beginning of a block, after which LiteLLM sends the same `message_start` again */
  let said = false
  let reason: string | null = null
  let counts: JsonObject = {}
  let ended = false

  function event(frame: Frame): void {
    const words = around.tokenIn(frame)
    if (words) {
      frame.onlyWords = true
      return seen.tail.addToken(frame.dataSource, words)
    }
    switch (eventType(frame)) {
      case 'content_block_delta': {
        said = true
        const { data, latin1 } = frame
        const text = latin1.includes('"text_delta"') ? stringBehind(latin1, 'text') : null
        if (!text || !data) return
        around.learn(frame, text)
        seen.tail.addToken(data, text)
        return
      }
      case 'message_start': {
        // A new message after the end does not undo it.
        if (seen.complete) return
        const message = facts.start(frame.value())
        if (!begins.again(message, said || !seen.tail.isEmpty())) return readMessage(message)
        ended = true
        seen.error = restarted
        return
      }
      case 'content_block_start':
        return readBlock(facts.block(frame.value()))
      case 'message_delta':
        return readEnd(frame.value())
      case 'message_stop':
        ended = true
        seen.complete = true
        return finished()
      case 'error':
        ended = true
        seen.error = facts.error(frame.value())
    }
  }

  function readMessage(message: JsonObject): void {
    seen.responseId ??= asName(message['id'])
    seen.model ??= asName(message['model'])
    readEnd(message)
    for (const block of facts.blocks(message)) readBlock(block)
  }

  function readEnd(value: JsonObject | null): void {
    reason = facts.finish(value) ?? reason
    counts = mergeCounts(counts, facts.usage(value))
    seen.usage = recordedUsage(usageOfMessage(counts))
  }

  function readBlock(block: JsonObject): void {
    if (facts.isCall(block)) {
      hasToolUse = true
      addTool(seen, asText(block['name']) ?? 'tool_use')
    } else if (block['type'] === 'text') {
      seen.tail.separate()
      seen.tail.addText(facts.text(block))
    }
  }

  const finished = (): void => noteEnd(seen, [reason], { calls: hasToolUse, text: false, usage: false })

  return {
    seen,
    ended: () => ended,
    over: () => seen.complete,
    frame: event,
    body(value) {
      readMessage(value)
      finished()
    },
  }
}

/** A whole Messages answer with one text block, as an object or from `message_start` to `message_stop`. */
function messagesAnswer(input: AnswerInput): { contentType: string; body: Buffer } {
  const message = {
    id: `msg_${input.id}`,
    type: 'message',
    role: 'assistant',
    model: input.model,
    stop_sequence: null,
    usage: noTokens,
  }
  if (!input.stream) {
    const whole = { ...message, content: [{ type: 'text', text: input.text }], stop_reason: 'end_turn' }
    return { contentType: 'application/json', body: Buffer.from(JSON.stringify(whole)) }
  }
  const events: TypedEvent[] = [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    ...textBlockEvents(0, input.text),
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: noTokens },
    { type: 'message_stop' },
  ]
  return { contentType: 'text/event-stream; charset=utf-8', body: Buffer.from(events.map(typedEvent).join('')) }
}

/** A whole text block of a stream. */
export const textBlockEvents = (index: number, text: string): TypedEvent[] => [
  { type: 'content_block_start', index, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index, delta: { type: 'text_delta', text } },
  { type: 'content_block_stop', index },
]

/** No provider was asked, so nothing was used. */
const noTokens = { input_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 0 }
