import * as facts from '../facts.ts'
import { type ReadContext, type StreamReader, noteMembers } from '../../canonical/codec.ts'
import { beginnings, restarted, eventType } from '../../observe/peek.ts'
import type { AnswerEvent } from '../../canonical/answer.ts'
import { asName, asNumber, asObject, asObjects, asText, type JsonObject } from '../../values.ts'
import { eventMembers, isRepeating, noteResponse } from './answer-members.ts'
import { brokeOff, readEnd } from './finish.ts'
import { type DeltaKind, type ItemKey, itemReader } from './read-items.ts'
import { isSaid } from '../../chat/convert/members.ts'

const deltas: Partial<Record<string, DeltaKind>> = {
  'response.output_text.delta': 'text',
  'response.refusal.delta': 'refusal',
  'response.reasoning_summary_text.delta': 'summary',
  'response.reasoning_text.delta': 'content',
  // an older name of the same
  'response.reasoning.delta': 'content',
  'response.function_call_arguments.delta': 'call',
  'response.custom_tool_call_input.delta': 'call',
}

/** The events beside deltas that add something. All others only repeat, and are not even parsed. */
const telling = new Set([
  'response.created',
  'response.in_progress',
  'response.queued',
  'response.output_item.added',
  'response.output_item.done',
  'response.content_part.added',
  'response.reasoning_part.added',
  'response.output_text.annotation.added',
  'error',
])

export function readStream(context: ReadContext): StreamReader {
  const items = itemReader(context)
  const turns = itemTurns()
  const begins = beginnings()
  let started = false
  let ended = false
  let sawItem = false

  function start(response: JsonObject | null): void {
    if (started) return
    started = true
    context.emit({ type: 'start', model: asName(response?.['model']), usage: null })
  }

  function finish(event: AnswerEvent): void {
    start(null)
    turns.rest()
    items.endAll()
    ended = true
    context.emit(event)
  }

  function terminal(status: string, value: JsonObject): void {
    const response = facts.response(value)
    start(response)
    turns.rest()
    // Some servers send the items only here.
    if (!sawItem) for (const [i, entry] of asObjects(response['output']).entries()) items.done(i, entry)
    finish(readEnd(status, response, items.said))
  }

  function item(type: string, value: JsonObject): void {
    const raw = facts.item(value)
    if (!raw) return
    start(null)
    sawItem = true
    const key = keyOf(value, raw)
    if (type === 'response.output_item.added') turns.take(key, 'added', () => items.added(key, raw))
    else turns.take(key, 'done', () => items.done(key, raw))
  }

  function delta(kind: DeltaKind, value: JsonObject): void {
    start(null)
    sawItem = true
    if (isSaid(value['logprobs'])) context.dropped('logprobs')
    const index = asNumber(value[kind === 'summary' ? 'summary_index' : 'content_index']) ?? 0
    const key = keyOf(value, null)
    turns.take(key, 'more', () => items.delta(key, kind, index, asText(value['delta']) ?? ''))
  }

  /** Records an unread event: one of an unknown type may have had content. */
  function note(type: string): void {
    if (type !== '' && type !== 'message' && !isRepeating(type)) context.dropped(`event ${type}`)
  }

  return {
    event(frame) {
      if (ended) return
      const type = eventType(frame)
      const kind = deltas[type]
      const again = started && (type === 'response.in_progress' || type === 'response.queued')
      const end = facts.finish(type)
      const isArguments = type === 'response.function_call_arguments.done' && items.argumentsDone !== null
      if (!kind && end === null && !isArguments && (again || !telling.has(type))) return note(type)
      const value = frame.value()
      if (!value)
        return finish({
          type: 'error',
          code: 'upstream-unreadable',
          message: `The provider sent a \`${type}\` event that can't be read.`,
        })
      if (type !== 'error') noteMembers(value, eventMembers, `${type}.`, context.dropped)
      if (kind) return delta(kind, value)
      const key = keyOf(value, null)
      const more = (read: () => void): void => turns.take(key, 'more', read)
      if (isArguments) return more(() => items.argumentsDone?.(key, asText(value['arguments']) ?? ''))
      const response = asObject(value['response'])
      if (response) noteResponse(response, context.dropped)
      if (end !== null) return terminal(end, value)
      switch (type) {
        case 'response.output_item.added':
        case 'response.output_item.done':
          return item(type, value)
        case 'response.content_part.added':
        case 'response.reasoning_part.added':
          return more(() => items.part(key, asNumber(value['content_index']) ?? 0, asObject(value['part']) ?? {}))
        case 'response.output_text.annotation.added':
          return more(() =>
            items.annotation(
              key,
              asNumber(value['content_index']) ?? 0,
              asNumber(value['annotation_index']),
              asObject(value['annotation']) ?? {},
            ),
          )
        case 'error':
          return finish({ type: 'error', ...facts.error(value) })
        case 'response.created':
          if (begins.again(facts.response(value), sawItem)) return finish({ type: 'error', ...restarted })
          return start(asObject(value['response']))
        default:
          return start(asObject(value['response']))
      }
    },
    end() {
      if (!ended) finish(brokeOff)
    },
  }
}

/** Items are identified by their place, or by their name on servers that give no place. */
const keyOf = (value: JsonObject, item: JsonObject | null): ItemKey =>
  asNumber(value['output_index']) ?? asName(value['item_id']) ?? asName(item?.['id']) ?? 0

interface Waiting {
  reads: (() => void)[]
  isDone: boolean
}

/**
 * Brings output items into the order of their indexes, though gateways stream several at once: the current item is read
 * as it comes, and the others wait for its end. Only items that an event begins and whose index is a number have turns;
 * an index without events is not waited for, since some servers leave indexes out.
 */
function itemTurns() {
  const waiting = new Map<number, Waiting>()
  const begun = new Set<number>()
  let current: number | null = null

  function next(): void {
    while (current === null && waiting.size > 0) {
      const key = Math.min(...waiting.keys())
      const { reads, isDone } = waiting.get(key) ?? { reads: [], isDone: true }
      waiting.delete(key)
      current = isDone ? null : key
      for (const read of reads) read()
    }
  }

  return {
    take(key: ItemKey, step: 'added' | 'more' | 'done', read: () => void): void {
      const held = typeof key === 'number' ? waiting.get(key) : undefined
      if (typeof key !== 'number' || (step !== 'added' && !held)) {
        read()
        if (step !== 'done' || key !== current) return
        current = null
        return next()
      }
      if (key === current) return read()
      if (held) {
        held.reads.push(read)
        if (step !== 'more') held.isDone = step === 'done'
      } else waiting.set(key, { reads: [read], isDone: false })
      // Its neighbour may have been overtaken: a begun item has its turn when its next event comes.
      const skips = step === 'added' && key > 0 && !begun.has(key - 1)
      begun.add(key)
      if (!skips) next()
    },
    /** nothing more comes */
    rest(): void {
      current = null
      for (const one of waiting.values()) one.isDone = true
      next()
    },
  }
}
