import type { ReadContext } from '../../canonical/codec.ts'
import { noteMembers } from '../../canonical/note-members.ts'
import { isSaid } from '../../chat/convert/members.ts'
import { asName, asObject, asText, type JsonObject } from '../../values.ts'
import { kindOfItem } from '../item-kinds.ts'
import { itemMembers } from './answer-members.ts'
import { messageItems, reasoningItems } from './item-contents.ts'
import {
  itemBlocks,
  openItem,
  typeOfDelta,
  type DeltaKind,
  type ItemKey,
  type OpenBlock,
  type OpenItem,
} from './open-item.ts'
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
