import type { AnswerUsage, BlockKind } from '../../canonical/answer.ts'
import type { ReadContext } from '../../canonical/codec.ts'
import { asList, asName, asNumber, asObject, asText, type JsonObject } from '../../values.ts'
import { readFinish } from './finish.ts'
import { isSaid } from './members.ts'
import { callReader } from './read-calls.ts'
import { textOfThinking } from './read-messages.ts'
import { sealCollector } from './thinking.ts'

/** What an answer says, piece by piece or at once, as canonical events. Says nothing after its finish or error. */
export interface AnswerReader {
  readonly over: boolean
  readonly started: boolean
  start(value: JsonObject): void
  /** members beside the message that the canonical answer has no place for */
  aside(value: JsonObject): void
  message(message: JsonObject, whole: boolean): void
  /** nothing more is said; the finish itself may wait for the usage */
  close(): void
  finish(reason: string | null, stopSequence: string | null, usage: AnswerUsage | null): void
  fail(error: { code: string; message: string }): void
}

const asides = ['logprobs', 'service_tier', 'system_fingerprint', 'moderation'] as const
const unknownInMessage = ['annotations', 'audio', 'images'] as const

export function answerReader(context: ReadContext): AnswerReader {
  const { emit, dropped } = context
  let blocks = 0
  let open: { block: number; kind: 'text' | 'thinking' | 'refusal' } | null = null
  let started = false
  let over = false
  let refused = false
  const nextBlock = () => {
    close()
    return blocks++
  }
  const calls = callReader(context, nextBlock)
  const thinking = sealCollector()

  function begin(kind: 'text' | 'thinking' | 'refusal'): number {
    if (open?.kind === kind) return open.block
    const block = nextBlock()
    open = { block, kind }
    const part: BlockKind = { kind }
    emit({ type: 'begin', block, part })
    return block
  }

  function say(kind: 'text' | 'thinking' | 'refusal', text: string): void {
    if (text !== '') emit({ type: 'delta', block: begin(kind), text })
  }

  function close(): void {
    if (open === null) return
    const { block, kind } = open
    open = null
    const seal = kind === 'thinking' ? thinking.seal() : null
    if (seal) emit({ type: 'seal', block, seal })
    emit({ type: 'end', block })
  }

  function content(value: unknown): void {
    if (typeof value === 'string') return say('text', value)
    for (const entry of asList(value)) {
      const part = asObject(entry)
      const text = asText(part?.['text'])
      if (part?.['type'] === 'thinking') {
        const thought = textOfThinking(part)
        say('thinking', thought)
        thinking.add(thought, 'content')
      } else if (text !== null) say('text', text)
      else if (part) dropped(`content[].${asName(part['type']) ?? 'type'}`)
    }
  }

  function fail({ code, message }: { code: string; message: string }): void {
    if (over) return
    over = true
    emit({ type: 'error', code, message })
  }

  return {
    fail,
    get over() {
      return over
    },
    get started() {
      return started
    },
    start(value) {
      if (started) return
      started = true
      emit({ type: 'start', id: asName(value['id']), model: asName(value['model']), usage: null })
    },
    aside(value) {
      for (const name of asides) if (isSaid(value[name])) dropped(name)
    },
    message(message, whole) {
      const thought = thinking.take(message, whole)
      if (thought !== null) {
        begin('thinking')
        say('thinking', thought)
      }
      content(message['content'])
      const refusal = asName(message['refusal'])
      if (refusal !== null) {
        refused = true
        say('refusal', refusal)
      }
      for (const entry of asList(message['tool_calls'])) {
        const call = asObject(entry)
        if (call) calls.entry(call, whole)
      }
      const legacy = asObject(message['function_call'])
      if (legacy) calls.entry({ index: -1, function: legacy }, false)
      for (const name of unknownInMessage) if (isSaid(message[name])) dropped(name)
    },
    close() {
      close()
      calls.end()
    },
    finish(reason, stopSequence, usage) {
      if (over) return
      const said = { calls: calls.any, refusal: refused }
      // The provider closed its answer properly: without a reason only calls tell why.
      if (reason === null && !calls.any)
        return fail({
          code: 'upstream-broke-off',
          message: 'The provider ended its answer without saying why it stopped.',
        })
      const kind = readFinish(reason ?? 'tool_calls', said)
      if (kind === 'error')
        return fail({ code: 'provider-error', message: `The provider ended its answer with “${reason ?? ''}”.` })
      if (kind === null) dropped('finish_reason')
      over = true
      const ending = kind === 'stop' && stopSequence !== null ? 'stop-sequence' : kind
      emit({ type: 'finish', reason: ending ?? 'length', stopSequence, usage })
    },
  }
}

/** The first choice: others can't be said in other protocols. */
export function firstChoice(value: JsonObject, dropped: (name: string) => void): JsonObject | null {
  let first: JsonObject | null = null
  for (const entry of asList(value['choices'])) {
    const choice = asObject(entry)
    if (!choice) continue
    if ((asNumber(choice['index']) ?? 0) === 0) first ??= choice
    else dropped('choices[1..]')
  }
  return first
}

/** vLLM says which stop sequence it met; a number there is a token's. */
export const stopSequenceOf = (choice: JsonObject): string | null => asName(choice['stop_reason'])
