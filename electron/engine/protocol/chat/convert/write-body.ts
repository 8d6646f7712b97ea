import type { AnswerEvent, AnswerUsage } from '../../canonical/answer.ts'
import type { BodyWriter, WriteContext } from '../../canonical/codec.ts'
import type { JsonObject } from '../../values.ts'
import { writeAnnotation } from './citations.ts'
import { writeFinish, type ChatFinish } from './finish.ts'
import { textSoFar } from './place-thinking.ts'
import { clientDetail, extraForClient } from './thinking.ts'
import { writeUsage } from '../usage-dialects.ts'

interface Call {
  id: string
  name: string
  custom: boolean
  text: string
  extra: JsonObject | null
}

/** One `chat.completion` object. */
export function writeBody(context: WriteContext): BodyWriter {
  let model = context.model
  const words = { text: '', refusal: '', thinking: '' }
  let hasText = false
  const kinds = new Map<number, 'text' | 'refusal' | 'thinking' | Call>()
  const calls: Call[] = []
  const details: JsonObject[] = []
  const annotations: JsonObject[] = []
  /** where in the content the text blocks begin */
  const begins = new Map<number, number>()
  /** where the current thought begins; null while it has no words */
  let thoughtFrom: number | null = null
  let finish: ChatFinish = 'stop'
  let usage: AnswerUsage | null = null

  function begin({ block, part }: Extract<AnswerEvent, { type: 'begin' }>): void {
    if (part.kind === 'tool-call') {
      const call: Call = { id: part.id, name: part.name, custom: part.custom, text: '', extra: null }
      calls.push(call)
      kinds.set(block, call)
      return
    }
    // convert-answer.ts takes searches out of answers for Chat.
    if (part.kind === 'search') return
    kinds.set(block, part.kind)
    if (part.kind === 'text') {
      hasText = true
      begins.set(block, words.text.length)
    }
    if (part.kind === 'thinking') thoughtFrom = null
  }

  /** Two thoughts share one string; one without words, that is only sealed, needs no gap. */
  function think(text: string): void {
    if (text === '') return
    if (thoughtFrom === null && words.thinking !== '') words.thinking += '\n\n'
    thoughtFrom ??= words.thinking.length
    words.thinking += text
  }

  function seal({ block, seal: given }: Extract<AnswerEvent, { type: 'seal' }>): void {
    const kind = kinds.get(block)
    if (typeof kind === 'object') kind.extra = extraForClient(given)
    const detail =
      kind === 'thinking'
        ? clientDetail(
            given,
            {
              from: thoughtFrom ?? words.thinking.length,
              to: words.thinking.length,
              text: textSoFar(words.text).now(),
              calls: calls.length,
            },
            details.length,
          )
        : null
    if (detail) details.push(detail)
  }

  function end(event: Extract<AnswerEvent, { type: 'finish' }>): void {
    finish = writeFinish(event, { calls: calls.length > 0, refusal: words.refusal !== '' }, context.dropped)
    usage = event.usage ?? usage
  }

  function message(): JsonObject {
    return {
      role: 'assistant',
      content: hasText || (calls.length === 0 && words.refusal === '') ? words.text : null,
      refusal: words.refusal === '' ? null : words.refusal,
      ...(annotations.length > 0 ? { annotations } : {}),
      ...(words.thinking === '' ? {} : { reasoning_content: words.thinking }),
      ...(details.length > 0 ? { reasoning_details: details } : {}),
      ...(calls.length > 0 ? { tool_calls: calls.map(writeCall) } : {}),
    }
  }

  return {
    add(event) {
      switch (event.type) {
        case 'start':
          model = event.model ?? model
          usage = event.usage
          return
        case 'begin':
          return begin(event)
        case 'delta': {
          const kind = kinds.get(event.block)
          if (typeof kind === 'object') kind.text += event.text
          else if (kind === 'thinking') think(event.text)
          else if (kind) words[kind] += event.text
          return
        }
        case 'seal':
          return seal(event)
        case 'citation': {
          const base = begins.get(event.block) ?? 0
          const annotation = writeAnnotation(event.citation, base, words.text.length, context.dropped)
          if (annotation) annotations.push(annotation)
          return
        }
        case 'finish':
          return end(event)
        case 'end':
        case 'error':
          return
      }
    },
    body: () => ({
      id: context.newId('chatcmpl-'),
      object: 'chat.completion',
      created: Math.floor(context.nowMs / 1000),
      model,
      choices: [{ index: 0, message: message(), logprobs: null, finish_reason: finish }],
      ...(usage ? { usage: writeUsage(usage) } : {}),
    }),
  }
}

const writeCall = ({ id, name, custom, text, extra }: Call): JsonObject => ({
  id,
  ...(custom
    ? { type: 'custom', custom: { name, input: text } }
    : { type: 'function', function: { name, arguments: text === '' ? '{}' : text } }),
  ...(extra ? { extra_content: extra } : {}),
})
