import type { BlockKind } from '../../canonical/answer.ts'
import type { ReadContext } from '../../canonical/codec.ts'
import { asList, asName, asObject, asText, type JsonObject } from '../../values.ts'
import { reasoningText, summaryGap } from './read-reasoning.ts'
import { says } from './unread.ts'

/** A block that has begun, and how many characters of it were said. */
interface OpenBlock {
  block: number
  sent: number
}

/** An output item while it comes. Blocks begin with their first words, so that what says nothing leaves no trace. */
interface OpenItem {
  type: string
  /** by content index; other items than messages have one */
  blocks: Map<number, OpenBlock>
  /** a reasoning item shows a summary or its thoughts; the first to come counts */
  shows: 'summary' | 'content' | null
  summaryIndex: number
}

export type ItemKey = number | string

export interface ItemReader {
  readonly said: { call: boolean; refusal: boolean }
  added(key: ItemKey, item: JsonObject): void
  delta(key: ItemKey, kind: DeltaKind, index: number, text: string): void
  done(key: ItemKey, item: JsonObject): void
  /** the answer ended: so does what is still open */
  endAll(): void
}

export type DeltaKind = 'text' | 'refusal' | 'summary' | 'content' | 'call'

/** Turns output items, as they grow, into blocks. */
export function itemReader(context: ReadContext): ItemReader {
  const { emit, dropped } = context
  const items = new Map<ItemKey, OpenItem>()
  const said = { call: false, refusal: false }
  let blocks = 0

  function begin(item: OpenItem, at: number, part: BlockKind): OpenBlock {
    const opened = { block: blocks++, sent: 0 }
    item.blocks.set(at, opened)
    if (part.kind === 'tool-call') said.call = true
    if (part.kind === 'refusal') said.refusal = true
    emit({ type: 'begin', block: opened.block, part })
    return opened
  }

  function say(open: OpenBlock, text: string): void {
    if (text === '') return
    open.sent += text.length
    emit({ type: 'delta', block: open.block, text })
  }

  /** What a finished item holds beyond what was streamed of it. */
  function sayRest(open: OpenBlock, whole: string): void {
    if (whole.length > open.sent) say(open, open.sent === 0 ? whole : whole.slice(open.sent))
  }

  function open(key: ItemKey, type: string): OpenItem {
    const before = items.get(key)
    if (before) end(before)
    const item: OpenItem = { type, blocks: new Map(), shows: null, summaryIndex: 0 }
    items.set(key, item)
    return item
  }

  function end(item: OpenItem): void {
    for (const { block } of item.blocks.values()) emit({ type: 'end', block })
    item.blocks.clear()
  }

  function beginCall(item: OpenItem, raw: JsonObject): OpenBlock | null {
    const name = asName(raw['name'])
    if (name === null) return null
    const id = asName(raw['call_id']) ?? asName(raw['id']) ?? context.newId('call_')
    const namespace = asName(raw['namespace'])
    return begin(item, 0, {
      kind: 'tool-call',
      id,
      name,
      ...(namespace === null ? {} : { namespace }),
      custom: item.type === 'custom_tool_call',
    })
  }

  function reasoningDelta(item: OpenItem, kind: 'summary' | 'content', index: number, text: string): void {
    item.shows ??= kind
    if (item.shows !== kind) return dropped(`reasoning.${kind}`)
    const block = item.blocks.get(0) ?? begin(item, 0, { kind: 'thinking' })
    if (index > item.summaryIndex && block.sent > 0) say(block, summaryGap)
    item.summaryIndex = index
    say(block, text)
  }

  function messageDone(item: OpenItem, raw: JsonObject): void {
    for (const [at, entry] of asList(raw['content']).entries()) {
      const part = asObject(entry)
      const kind = part?.['type'] === 'refusal' ? 'refusal' : 'text'
      const whole = asText(part?.[kind])
      if (!part || whole === null) dropped(`output[].content[].${asText(part?.['type']) ?? 'type'}`)
      if (says(part?.['annotations'])) dropped('annotations')
      if (says(part?.['logprobs'])) dropped('logprobs')
      if (whole) sayRest(item.blocks.get(at) ?? begin(item, at, { kind }), whole)
    }
  }

  function reasoningDone(item: OpenItem, raw: JsonObject): void {
    const text = reasoningText(raw)
    const data = asName(raw['encrypted_content'])
    if (text === '' && data === null && item.blocks.size === 0) return
    const block = item.blocks.get(0) ?? begin(item, 0, { kind: 'thinking' })
    if (item.shows !== 'content' || !says(raw['summary'])) sayRest(block, text)
    if (data === null) return
    const id = asName(raw['id'])
    emit({
      type: 'seal',
      block: block.block,
      seal: { of: 'responses', data, ...(id === null ? {} : { id }), ...(text === '' ? {} : { text }) },
    })
  }

  function callDone(item: OpenItem, raw: JsonObject): void {
    const block = item.blocks.get(0) ?? beginCall(item, raw)
    const whole = raw[item.type === 'custom_tool_call' ? 'input' : 'arguments']
    if (block) sayRest(block, asText(whole) ?? (says(whole) ? JSON.stringify(whole) : ''))
    else dropped('function_call without a name')
  }

  return {
    said,
    added(key, raw) {
      const item = open(key, asText(raw['type']) ?? '')
      if (isCall(item.type)) beginCall(item, raw)
    },
    delta(key, kind, index, text) {
      if (text === '') return
      const item = items.get(key) ?? open(key, typeOfDelta[kind])
      switch (kind) {
        case 'summary':
        case 'content':
          return reasoningDelta(item, kind, index, text)
        // Without its item a call has no name yet: the item's end brings both.
        case 'call': {
          const block = item.blocks.get(0)
          return block && say(block, text)
        }
        default:
          say(item.blocks.get(index) ?? begin(item, index, { kind }), text)
      }
    },
    done(key, raw) {
      const type = asText(raw['type']) ?? ''
      let item = items.get(key)
      if (!item || (item.type !== type && item.blocks.size === 0)) item = open(key, type)
      if (type === 'message') messageDone(item, raw)
      else if (type === 'reasoning') reasoningDone(item, raw)
      else if (isCall(type)) callDone(item, raw)
      else dropped(`output[].${type}`)
      end(item)
      items.delete(key)
    },
    endAll() {
      for (const item of items.values()) end(item)
      items.clear()
    },
  }
}

const isCall = (type: string): boolean => type === 'function_call' || type === 'custom_tool_call'
const typeOfDelta: Readonly<Record<DeltaKind, string>> = {
  text: 'message',
  refusal: 'message',
  summary: 'reasoning',
  content: 'reasoning',
  call: 'function_call',
}
