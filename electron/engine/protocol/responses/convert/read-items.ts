import type { BlockKind } from '../../canonical/answer.ts'
import { cite } from '../../canonical/sources/cite.ts'
import type { ReadContext } from '../../canonical/codec.ts'
import { noteMembers, noteMembersOf } from '../../canonical/note-members.ts'
import { asList, asName, asObject, asText, type JsonObject } from '../../values.ts'
import { itemMembers, partMembers, thoughtMembers } from './answer-members.ts'
import { readAnnotation } from './annotations.ts'
import { kindOfItem } from '../item-kinds.ts'
import { openItem, typeOfDelta, type DeltaKind, type ItemKey, type OpenBlock, type OpenItem } from './open-item.ts'
import { reasoningText, summaryGap } from './read-reasoning.ts'
import { isSaid } from '../../chat/convert/members.ts'
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
  const { emit, dropped, unshown } = context
  const items = new Map<ItemKey, OpenItem>()
  const said = { call: false, refusal: false }
  let blocks = 0

  function begin(item: OpenItem, at: number, part: BlockKind): OpenBlock {
    const opened = { block: blocks++, kind: part.kind, sent: 0, isSealed: false, cited: new Set<number>() }
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

  /** Emits what a finished item has beyond its deltas. */
  function sayRest(open: OpenBlock, whole: string): void {
    if (whole.length > open.sent) say(open, open.sent === 0 ? whole : whole.slice(open.sent))
  }

  function open(key: ItemKey, type: string): OpenItem {
    const before = items.get(key)
    if (before) end(before)
    const item = openItem(type)
    items.set(key, item)
    return item
  }

  function end(item: OpenItem): void {
    for (const open of item.blocks.values()) {
      // The arguments never came: this makes it half a call.
      if (open.isSealed && open.sent === 0) say(open, '{')
      emit({ type: 'end', block: open.block })
    }
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
    const isNext = index > item.summaryIndex && (kind === 'summary' || item.parts.has(index))
    if (isNext && block.sent > 0) say(block, summaryGap)
    item.summaryIndex = index
    say(block, text)
  }

  function beginWords(item: OpenItem, at: number, kind: 'text' | 'refusal'): OpenBlock {
    const { phase } = item
    if (phase === null || kind === 'text')
      return begin(item, at, kind === 'text' && phase !== null ? { kind, phase } : { kind })
    dropped('phase')
    return begin(item, at, { kind })
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

  function messageDone(item: OpenItem, raw: JsonObject): void {
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
        sayRest(known, whole)
      }
      annotationsOf(known ?? null, asList(part?.['annotations']))
    }
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

  /**
   * Records an item that no block holds: a result or an approval that only Responses has, or a step of the vendor's
   * own.
   */
  function otherItem(item: OpenItem, raw: JsonObject, type: string): void {
    const search = type === 'web_search_call' ? readSearchCall(raw, dropped) : null
    if (search) return void begin(item, 0, search)
    const what = kindOfItem(raw)
    if (what.kind === 'asks' || what.kind === 'shows') unshown(`output[].${type}`, what.label)
    else if (what.kind === 'ran') unshown(`output[].${type}`, what.label, 'aside')
    else if (type !== 'function_call') dropped(`output[].${type}`)
  }

  function note(raw: JsonObject): void {
    const members = itemMembers[asText(raw['type']) ?? '']
    const { caller, ...rest } = raw
    // A direct call by the model is the default, so nothing is lost.
    if (members) noteMembers(asObject(caller)?.['type'] === 'direct' ? rest : raw, members, 'output[].', dropped)
  }

  function reasoningDone(item: OpenItem, raw: JsonObject): void {
    for (const name of ['summary', 'content'])
      for (const part of asList(raw[name])) noteMembersOf(part, thoughtMembers, `output[].${name}[].`, dropped)
    const text = reasoningText(raw)
    const data = asName(raw['encrypted_content'])
    if (text === '' && data === null && item.blocks.size === 0) return
    const block = item.blocks.get(0) ?? begin(item, 0, { kind: 'thinking' })
    if (item.shows === 'content' && isSaid(raw['summary'])) dropped('reasoning.summary')
    else sayRest(block, item.shows === 'content' && item.parts.size === 0 ? reasoningText(raw, '') : text)
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
    if (block) sayRest(block, asText(whole) ?? (isSaid(whole) ? JSON.stringify(whole) : ''))
    else if (raw['status'] === 'incomplete') dropped('function_call without a name')
    // An error for every client (canonical/tools/half-calls.ts).
    else begin(item, 0, { kind: 'tool-call', id: '', name: '', custom: false })
  }

  function argumentsDone(key: ItemKey, whole: string): void {
    const open = items.get(key)?.blocks.get(0)
    if (open?.isSealed) sayRest(open, whole)
  }

  const reader: ItemReader = {
    said,
    argumentsDone: null,
    added(key, raw) {
      note(raw)
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
          return reasoningDelta(item, kind, index, text)
        // Without its item a call has no name yet: the item's end brings both.
        case 'call': {
          const block = item.blocks.get(0)
          if (!block) return
          // GitHub Copilot sends ciphertext, and the arguments themselves at the call's end.
          if (block.sent === 0 && item.type === 'function_call' && !mayBeginArguments.test(text)) {
            block.isSealed = true
            reader.argumentsDone = argumentsDone
          }
          if (!block.isSealed) say(block, text)
          return
        }
        default:
          say(pieceOf(item, index, kind), text)
      }
    },
    annotation(key, content, index, value) {
      const item = items.get(key) ?? open(key, 'message')
      const block = pieceOf(item, content, 'text')
      const citation = readAnnotation(value, context)
      block.cited.add(index ?? block.cited.size)
      if (citation) cite([citation], block.block, 'annotations', context)
    },
    done(key, raw) {
      note(raw)
      const type = asText(raw['type']) ?? ''
      let item = items.get(key)
      if (!item || (item.type !== type && item.blocks.size === 0)) item = open(key, type)
      if (type === 'message') messageDone(item, raw)
      else if (type === 'reasoning') reasoningDone(item, raw)
      else if (isCall(raw)) callDone(item, raw)
      else otherItem(item, raw, type)
      end(item)
      items.delete(key)
    },
    endAll() {
      for (const item of items.values()) end(item)
      items.clear()
    },
  }
  return reader
}

const mayBeginArguments = /^\s*(?:\{|$)/

const isCall = (item: JsonObject): boolean => kindOfItem(item).kind === 'call'
