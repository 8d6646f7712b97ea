import type { BlockKind, Emit } from '../../canonical/answer.ts'
import { type ReadContext, noteMembers, noteMembersOf } from '../../canonical/codec.ts'
import { cite } from '../../canonical/sources/append-sources.ts'
import { isSaid } from '../../chat/convert/members.ts'
import { asName, asObject, asText, type JsonObject, asList } from '../../values.ts'
import { kindOfItem } from '../item-kinds.ts'
import { itemMembers, partMembers, thoughtMembers } from './answer-members.ts'
import { readAnnotation } from './item-events.ts'
import { reasoningText, summaryGap } from './read-input.ts'
import { readSearchCall } from './web-search.ts'

interface ItemReader {
  readonly said: { call: boolean; refusal: boolean }
  added(key: ItemKey, item: JsonObject): void
  /** a content part begins */
  part(key: ItemKey, index: number, part: JsonObject): void
  delta(key: ItemKey, kind: DeltaKind, index: number, text: string): void
  /** `index` null: the next one of its part */
  annotation(key: ItemKey, content: number, index: number | null, value: JsonObject): void
  done(key: ItemKey, item: JsonObject): void
  /** the arguments of a call are whole; null unless a call's deltas were no beginning of its arguments */
  argumentsDone: ((key: ItemKey, whole: string) => void) | null
  /** the answer ended, and with it all open items */
  endAll(): void
}

/** Turns output items, as they grow, into blocks. */
export function itemReader(context: ReadContext): ItemReader {
  const { dropped, unshown } = context
  const items = new Map<ItemKey, OpenItem>()
  const blocks = itemBlocks(context.emit)
  const messages = messageItems(blocks, context)
  const reasoning = reasoningItems(blocks, context)

  function open(key: ItemKey, type: string): OpenItem {
    const before = items.get(key)
    if (before) blocks.end(before)
    const item = openItem(type)
    items.set(key, item)
    return item
  }

  function beginCall(item: OpenItem, raw: JsonObject): OpenBlock | null {
    const name = asName(raw['name'])
    if (name === null) return null
    const id = asName(raw['call_id']) ?? asName(raw['id']) ?? context.newId('call_')
    const namespace = asName(raw['namespace'])
    return blocks.begin(item, 0, {
      kind: 'tool-call',
      id,
      name,
      ...(namespace === null ? {} : { namespace }),
      custom: item.type === 'custom_tool_call',
    })
  }

  /**
   * Records an item that no block holds: a result or an approval that only Responses has, or a step of the vendor's
   * own.
   */
  function otherItem(item: OpenItem, raw: JsonObject, type: string): void {
    const search = type === 'web_search_call' ? readSearchCall(raw, dropped) : null
    if (search) return void blocks.begin(item, 0, search)
    const what = kindOfItem(raw)
    if (what.kind === 'asks' || what.kind === 'shows') unshown(`output[].${type}`, what.label)
    else if (what.kind === 'ran') unshown(`output[].${type}`, what.label, 'aside')
    else if (type !== 'function_call') dropped(`output[].${type}`)
  }

  function callDone(item: OpenItem, raw: JsonObject): void {
    const block = item.blocks.get(0) ?? beginCall(item, raw)
    const whole = raw[item.type === 'custom_tool_call' ? 'input' : 'arguments']
    if (block) blocks.sayRest(block, asText(whole) ?? (isSaid(whole) ? JSON.stringify(whole) : ''))
    else if (raw['status'] === 'incomplete') dropped('function_call without a name')
    // An error for every client (canonical/tools/half-calls.ts).
    else blocks.begin(item, 0, { kind: 'tool-call', id: '', name: '', custom: false })
  }

  function argumentsDone(key: ItemKey, whole: string): void {
    const open = items.get(key)?.blocks.get(0)
    if (open?.isSealed) blocks.sayRest(open, whole)
  }

  const reader: ItemReader = {
    said: blocks.said,
    argumentsDone: null,
    added(key, raw) {
      noteItem(raw, dropped)
      const item = open(key, asText(raw['type']) ?? '')
      item.phase = asName(raw['phase'])
      if (isCall(raw)) beginCall(item, raw)
    },
    part(key, index, part) {
      const item = items.get(key) ?? open(key, part['type'] === 'reasoning_text' ? 'reasoning' : 'message')
      item.parts.add(index)
    },
    delta(key, kind, index, text) {
      if (text === '') return
      const item = items.get(key) ?? open(key, typeOfDelta[kind])
      switch (kind) {
        case 'summary':
        case 'content':
          return reasoning.delta(item, kind, index, text)
        // Without its item a call has no name yet: the item's end brings both.
        case 'call': {
          const block = item.blocks.get(0)
          if (!block) return
          // GitHub Copilot sends ciphertext, and the arguments themselves at the call's end.
          if (block.sent === 0 && item.type === 'function_call' && !mayBeginArguments.test(text)) {
            block.isSealed = true
            reader.argumentsDone = argumentsDone
          }
          if (!block.isSealed) blocks.say(block, text)
          return
        }
        default:
          blocks.say(messages.pieceOf(item, index, kind), text)
      }
    },
    annotation(key, content, index, value) {
      messages.annotation(items.get(key) ?? open(key, 'message'), content, index, value)
    },
    done(key, raw) {
      noteItem(raw, dropped)
      const type = asText(raw['type']) ?? ''
      let item = items.get(key)
      if (!item || (item.type !== type && item.blocks.size === 0)) item = open(key, type)
      if (type === 'message') messages.done(item, raw)
      else if (type === 'reasoning') reasoning.done(item, raw)
      else if (isCall(raw)) callDone(item, raw)
      else otherItem(item, raw, type)
      blocks.end(item)
      items.delete(key)
    },
    endAll() {
      for (const item of items.values()) blocks.end(item)
      items.clear()
    },
  }
  return reader
}

function noteItem(raw: JsonObject, dropped: ReadContext['dropped']): void {
  const members = itemMembers[asText(raw['type']) ?? '']
  const { caller, ...rest } = raw
  // A direct call by the model is the default, so nothing is lost.
  if (members) noteMembers(asObject(caller)?.['type'] === 'direct' ? rest : raw, members, 'output[].', dropped)
}

const mayBeginArguments = /^\s*(?:\{|$)/

const isCall = (item: JsonObject): boolean => kindOfItem(item).kind === 'call'

/** Reads items of words, which come in parts. */
function messageItems(blocks: ItemBlocks, context: ReadContext) {
  const { dropped, unshown } = context

  function beginWords(item: OpenItem, at: number, kind: 'text' | 'refusal'): OpenBlock {
    const { phase } = item
    if (phase === null || kind === 'text')
      return blocks.begin(item, at, kind === 'text' && phase !== null ? { kind, phase } : { kind })
    dropped('phase')
    return blocks.begin(item, at, { kind })
  }

  /**
   * Returns the block for a piece of a message: an index that no part began with counts pieces (vLLM), and the part
   * before it goes on.
   */
  function pieceOf(item: OpenItem, index: number, kind: 'text' | 'refusal'): OpenBlock {
    const known = item.blocks.get(index)
    if (known) return known
    const last = item.parts.has(index) ? undefined : [...item.blocks.values()].at(-1)
    return last?.kind === kind ? last : beginWords(item, index, kind)
  }

  function annotationsOf(open: OpenBlock | null, list: readonly unknown[]): void {
    for (const [i, entry] of list.entries()) {
      const annotation = asObject(entry)
      const citation = open?.cited.has(i) || !annotation ? null : readAnnotation(annotation, context)
      if (citation) cite([citation], open?.block ?? null, 'annotations', context)
    }
  }

  function otherPart(type: string): void {
    const label = /image|audio|file/.exec(type)?.[0]
    if (label === undefined) dropped(`output[].content[].${type}`)
    else unshown(`output[].content[].${type}`, label)
  }

  return {
    pieceOf,
    annotation(item: OpenItem, content: number, index: number | null, value: JsonObject): void {
      const block = pieceOf(item, content, 'text')
      const citation = readAnnotation(value, context)
      block.cited.add(index ?? block.cited.size)
      if (citation) cite([citation], block.block, 'annotations', context)
    },
    done(item: OpenItem, raw: JsonObject): void {
      const phase = asName(raw['phase'])
      // OpenAI sends the phase as the item begins. After the first text it comes too late.
      if (phase !== null && item.phase === null && item.blocks.size > 0) dropped('phase')
      item.phase ??= phase
      const content = asList(raw['content'])
      // vLLM goes on counting where the item before ended, so its parts are matched by their order.
      const inPlace = content.some((_, at) => item.blocks.has(at))
      const begun = [...item.blocks.values()]
      /** characters in the same block that belong to earlier parts */
      let ahead = 0
      for (const [at, entry] of content.entries()) {
        const part = asObject(entry)
        const kind = part?.['type'] === 'refusal' ? 'refusal' : 'text'
        const whole = asText(part?.[kind])
        if (!part || whole === null) otherPart(asText(part?.['type']) ?? 'type')
        const members = partMembers[asText(part?.['type']) ?? '']
        if (part && members) noteMembers(part, members, 'output[].content[].', dropped)
        if (isSaid(part?.['logprobs'])) dropped('logprobs')
        let known = inPlace ? item.blocks.get(at) : begun[at]
        if (whole && !known && ahead >= whole.length) ahead -= whole.length
        else if (whole) {
          known ??= beginWords(item, at, kind)
          ahead += Math.max(0, known.sent - whole.length)
          blocks.sayRest(known, whole)
        }
        annotationsOf(known ?? null, asList(part?.['annotations']))
      }
    },
  }
}

/** Reads items of thinking: a summary, or the thoughts themselves. */
function reasoningItems(blocks: ItemBlocks, { emit, dropped }: ReadContext) {
  return {
    delta(item: OpenItem, kind: 'summary' | 'content', index: number, text: string): void {
      item.shows ??= kind
      if (item.shows !== kind) return dropped(`reasoning.${kind}`)
      const block = item.blocks.get(0) ?? blocks.begin(item, 0, { kind: 'thinking' })
      const isNext = index > item.summaryIndex && (kind === 'summary' || item.parts.has(index))
      if (isNext && block.sent > 0) blocks.say(block, summaryGap)
      item.summaryIndex = index
      blocks.say(block, text)
    },
    done(item: OpenItem, raw: JsonObject): void {
      for (const name of ['summary', 'content'])
        for (const part of asList(raw[name])) noteMembersOf(part, thoughtMembers, `output[].${name}[].`, dropped)
      const text = reasoningText(raw)
      const data = asName(raw['encrypted_content'])
      if (text === '' && data === null && item.blocks.size === 0) return
      const block = item.blocks.get(0) ?? blocks.begin(item, 0, { kind: 'thinking' })
      if (item.shows === 'content' && isSaid(raw['summary'])) dropped('reasoning.summary')
      else blocks.sayRest(block, item.shows === 'content' && item.parts.size === 0 ? reasoningText(raw, '') : text)
      if (data === null) return
      const id = asName(raw['id'])
      emit({
        type: 'seal',
        block: block.block,
        seal: { of: 'responses', data, ...(id === null ? {} : { id }), ...(text === '' ? {} : { text }) },
      })
    },
  }
}

/** A block that has begun, and how many of its characters were emitted. */
interface OpenBlock {
  block: number
  kind: BlockKind['kind']
  sent: number
  /** for a call: its deltas are no beginning of its arguments, which come whole at its end */
  isSealed: boolean
  /** indexes of its annotations that came in events of their own: the item's end repeats them */
  cited: Set<number>
}

/** An output item that is still growing. Blocks begin with their first text, so that an empty item leaves no trace. */
interface OpenItem {
  type: string
  /** by content index; items other than messages have only one */
  blocks: Map<number, OpenBlock>
  /** a reasoning item shows a summary or its thoughts; the first to come counts */
  shows: 'summary' | 'content' | null
  summaryIndex: number
  /** only for a message */
  phase: string | null
  /** content indexes that an event of their own began */
  parts: Set<number>
}

export type ItemKey = number | string

export type DeltaKind = 'text' | 'refusal' | 'summary' | 'content' | 'call'

/** The type of the item that a delta belongs to, if no event began it. */
const typeOfDelta: Readonly<Record<DeltaKind, string>> = {
  text: 'message',
  refusal: 'message',
  summary: 'reasoning',
  content: 'reasoning',
  call: 'function_call',
}

const openItem = (type: string): OpenItem => ({
  type,
  blocks: new Map(),
  shows: null,
  summaryIndex: 0,
  phase: null,
  parts: new Set(),
})

/** Emits the blocks of items. */
function itemBlocks(emit: Emit) {
  const said = { call: false, refusal: false }
  let blocks = 0

  function say(open: OpenBlock, text: string): void {
    if (text === '') return
    open.sent += text.length
    emit({ type: 'delta', block: open.block, text })
  }

  return {
    said,
    say,
    begin(item: OpenItem, at: number, part: BlockKind): OpenBlock {
      const opened = { block: blocks++, kind: part.kind, sent: 0, isSealed: false, cited: new Set<number>() }
      item.blocks.set(at, opened)
      if (part.kind === 'tool-call') said.call = true
      if (part.kind === 'refusal') said.refusal = true
      emit({ type: 'begin', block: opened.block, part })
      return opened
    },
    /** emits what a finished item has beyond its deltas */
    sayRest(open: OpenBlock, whole: string): void {
      if (whole.length > open.sent) say(open, open.sent === 0 ? whole : whole.slice(open.sent))
    },
    end(item: OpenItem): void {
      for (const open of item.blocks.values()) {
        // The arguments never came: this makes it half a call.
        if (open.isSealed && open.sent === 0) say(open, '{')
        emit({ type: 'end', block: open.block })
      }
      item.blocks.clear()
    },
  }
}

type ItemBlocks = ReturnType<typeof itemBlocks>
