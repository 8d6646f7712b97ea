import type { AnswerEvent, AnswerUsage, BlockKind, AnswerFinish } from '../../canonical/answer.ts'
import type { StreamWriter, WriteContext, BodyWriter } from '../../canonical/codec.ts'
import type { Seal } from '../../canonical/request.ts'
import { finishWords } from '../../finish-names.ts'
import type { JsonObject } from '../../values.ts'
import { chatErrorEvent } from '../errors.ts'
import { writeUsage } from '../facts.ts'
import { writeAnnotation } from './citations.ts'
import { textSoFar, clientDetail, extraForClient } from './thinking.ts'

/** `silent`: no text of it was written yet */
type OpenThought = { kind: 'thinking'; from: number; silent: boolean }

type OpenBlock =
  | { kind: 'text' | 'refusal' }
  | OpenThought
  /** `silent`: no arguments of it were written yet */
  | { kind: 'tool-call'; index: number; custom: boolean; silent: boolean }

const member = { text: 'content', refusal: 'refusal' } as const

/** A chunk up to its delta. */
const headOf = (id: string, model: string, nowMs: number): string =>
  `data: {"id":${JSON.stringify(id)},"object":"chat.completion.chunk","created":` +
  `${Math.floor(nowMs / 1000)},"model":${JSON.stringify(model)},"choices":[{"index":0,"delta":`

/** The same head up to its choices, of which there are none. */
const usageChunk = (head: string, usage: AnswerUsage): string =>
  `${head.slice(0, head.indexOf('"choices":[{"index"'))}` +
  `"choices":[],"usage":${JSON.stringify(writeUsage(usage))}}\n\n`

/** A call's entry as it begins, without its last brace. */
function entryOf({ id, name, custom }: Extract<BlockKind, { kind: 'tool-call' }>, index: number): string {
  const named = `"name":${JSON.stringify(name)}`
  const body = custom
    ? `"type":"custom","custom":{${named},"input":""}`
    : `"type":"function","function":{${named},"arguments":""}`
  return `{"index":${index},"id":${JSON.stringify(id)},${body}`
}

/** All thoughts share one string; seals say where theirs stands. */
function thoughtsSoFar() {
  let length = 0
  return {
    length: () => length,
    begin: (): OpenThought => ({ kind: 'thinking', from: length, silent: true }),
    /** @returns what is written of it: one without words, that is only sealed, needs no gap before it */
    add(block: OpenThought, text: string): string {
      const gap = block.silent && length > 0 ? '\n\n' : ''
      if (block.silent) block.from = length + gap.length
      block.silent = false
      length += gap.length + text.length
      return gap + text
    },
  }
}

/** Chunks from the role to `[DONE]`; an error is the last thing said. */
export function writeStream(context: WriteContext): StreamWriter {
  const { includeUsage } = context.request
  const blocks = new Map<number, OpenBlock>()
  let head = ''
  let calls = 0
  let details = 0
  /** length of the content so far, and where in it the text blocks begin */
  const said = textSoFar()
  const begins = new Map<number, number>()
  /** written at once, with the end: SDKs put the members of a delta over those of the one before */
  const annotations: JsonObject[] = []
  let refused = false
  const thoughts = thoughtsSoFar()
  /** a call whose first chunk waits one event for its seal, which readers expect in it */
  let waiting: { block: number; entry: string } | null = null
  let usage: AnswerUsage | null = null
  const tail = `,"finish_reason":null}]${includeUsage ? ',"usage":null' : ''}}\n\n`

  const chunk = (delta: string): string => head + delta + tail
  const toolChunk = (entry: string): string => chunk(`{"tool_calls":[${entry}]}`)

  function flush(): string {
    const entry = waiting?.entry
    waiting = null
    return entry === undefined ? '' : toolChunk(`${entry}}`)
  }

  function start(id: string, model: string): string {
    if (head !== '') return ''
    head = headOf(id, model, context.nowMs)
    return chunk('{"role":"assistant","content":"","refusal":null}')
  }

  function begin(block: number, part: BlockKind): string {
    const before = flush()
    // convert-answer.ts takes searches out of answers for Chat.
    if (part.kind === 'search') return before
    if (part.kind === 'tool-call') {
      waiting = { block, entry: entryOf(part, calls) }
      blocks.set(block, { kind: 'tool-call', index: calls++, custom: part.custom, silent: true })
      return before
    }
    blocks.set(block, part.kind === 'thinking' ? thoughts.begin() : { kind: part.kind })
    if (part.kind === 'refusal') refused = true
    if (part.kind === 'text') begins.set(block, said.length)
    return before
  }

  function delta(block: OpenBlock, text: string): string {
    if (block.kind === 'thinking')
      return text === '' ? '' : chunk(`{"reasoning_content":${JSON.stringify(thoughts.add(block, text))}}`)
    const words = JSON.stringify(text)
    if (block.kind === 'tool-call') {
      block.silent &&= text === ''
      const piece = block.custom ? `"custom":{"input":${words}}` : `"function":{"arguments":${words}}`
      return toolChunk(`{"index":${block.index},${piece}}`)
    }
    if (block.kind === 'text') said.add(text)
    return chunk(`{"${member[block.kind]}":${words}}`)
  }

  function seal(number: number, block: OpenBlock, given: Seal): string {
    if (block.kind === 'tool-call') {
      const extra = `,"extra_content":${JSON.stringify(extraForClient(given))}`
      if (waiting?.block === number) {
        waiting.entry += extra
        return ''
      }
      return flush() + toolChunk(`{"index":${block.index}${extra}}`)
    }
    const detail =
      block.kind === 'thinking'
        ? clientDetail(given, { from: block.from, to: thoughts.length(), text: said.now(), calls }, details)
        : null
    if (!detail) return flush()
    details++
    return `${flush()}${chunk(`{"reasoning_details":[${JSON.stringify(detail)}]}`)}`
  }

  function finish(event: Extract<AnswerEvent, { type: 'finish' }>): string {
    const cited = annotations.length > 0 ? chunk(`{"annotations":${JSON.stringify(annotations)}}`) : ''
    const reason = writeFinish(event, { calls: calls > 0, refusal: refused }, context.dropped)
    const last = `${head}{},"finish_reason":"${reason}"}]${includeUsage ? ',"usage":null' : ''}}\n\n`
    const counts = includeUsage ? (event.usage ?? usage) : null
    return `${cited}${last}${counts ? usageChunk(head, counts) : ''}data: [DONE]\n\n`
  }

  return {
    write(event) {
      if (event.type === 'start') {
        usage = event.usage
        return start(context.newId('chatcmpl-'), event.model ?? context.model)
      }
      if (event.type === 'error') return flush() + chatErrorEvent(event)
      const before = head !== '' ? '' : start(context.newId('chatcmpl-'), context.model)
      if (event.type === 'begin') return before + begin(event.block, event.part)
      if (event.type === 'finish') return before + flush() + finish(event)
      if (event.type === 'citation') {
        const base = begins.get(event.block) ?? 0
        const annotation = writeAnnotation(event.citation, base, said.length, context.dropped)
        if (annotation) annotations.push(annotation)
        return before
      }
      const block = blocks.get(event.block)
      if (!block) return before
      switch (event.type) {
        case 'delta':
          return before + flush() + delta(block, event.text)
        case 'seal':
          return before + seal(event.block, block, event.seal)
        case 'end': {
          blocks.delete(event.block)
          // Clients parse the arguments, and an empty text is no JSON.
          const without = block.kind === 'tool-call' && !block.custom && block.silent
          return before + flush() + (without ? delta(block, '{}') : '')
        }
      }
    },
  }
}

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

type ChatFinish = (typeof finishWords.chat)[AnswerFinish]

function writeFinish(
  { reason, stopSequence }: Extract<AnswerEvent, { type: 'finish' }>,
  said: { calls: boolean; refusal: boolean },
  dropped: (name: string) => void,
): ChatFinish {
  if (stopSequence !== null) dropped('stop_sequence')
  if (reason === 'pause-turn') dropped('pause_turn')
  if (reason === 'incomplete') dropped('finish_reason')
  if ((reason === 'stop' || reason === 'stop-sequence') && said.calls) return 'tool_calls'
  return reason === 'refusal' && said.refusal ? 'stop' : finishWords.chat[reason]
}
