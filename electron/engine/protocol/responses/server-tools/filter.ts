import type { Mutable } from '../../../base/mutable.ts'
import { eventFrame } from '../../join/event-bytes.ts'
import { elements, member, splice, type Edit, type Span } from '../../json-bytes/index.ts'
import { memberEdits, rootOf } from '../../json-members.ts'
import { withoutElements } from '../../list-edits.ts'
import type { Frame } from '../../answer/frame.ts'
import { frameScan, tokenScan } from '../../server-tools/token-scan.ts'
import type { HiddenNames, RoundFilter } from '../../server-tools/types.ts'
import { asName, asNumber, parseObject, type JsonObject } from '../../values.ts'
import { item as itemIn } from '../facts.ts'

/**
 * True for a call of one of Onward's tools: a plain function. Tools in a namespace and custom ones can only be the
 * client's.
 */
export function isHiddenCall(item: JsonObject | null, names: HiddenNames): boolean {
  const name = asName(item?.['name'])
  return item?.['type'] === 'function_call' && name !== null && names.has(name) && asName(item['namespace']) === null
}

/**
 * Takes hidden calls out of a round's events. A Responses answer has no finish for calls: without the items its finish
 * is a plain stop by itself.
 */
export function responsesFilter(names: HiddenNames): RoundFilter {
  /** hidden items, by their place in the provider's output and by id */
  const places = new Set<number>()
  const ids = new Set<string>()
  /** numbered events that were dropped */
  let dropped = 0

  /** Returns the event as the client gets it, the very same if it does not change; null: not at all. */
  function take(event: Frame): Frame | null {
    const { data } = event
    const value = event.value()
    if (!data || !value) return event
    const place = asNumber(value['output_index'])
    const item = itemIn(value)
    if (isHiddenCall(item, names)) {
      round.began = true
      if (place !== null) places.add(place)
      const id = asName(item?.['id'])
      if (id !== null) ids.add(id)
    }
    const isHidden =
      isHiddenCall(item, names) || (place !== null && places.has(place)) || ids.has(asName(value['item_id']) ?? '')
    const number = asNumber(value['sequence_number'])
    if (isHidden) {
      if (number !== null) dropped++
      return null
    }
    const edits = value['response'] === undefined ? [] : responseEdits(data)
    if (edits.length > 0) round.began = true
    const shift = place === null ? 0 : [...places].filter((hidden) => hidden < place).length
    const numbers: Record<string, string> = {
      ...(place !== null && shift > 0 ? { output_index: String(place - shift) } : {}),
      ...(number !== null && dropped > 0 ? { sequence_number: String(number - dropped) } : {}),
    }
    const changes = [...edits, ...memberEdits(data, rootOf(data), numbers)]
    return changes.length === 0 ? event : eventFrame(event, splice(data, changes))
  }

  function responseEdits(data: Buffer): Edit[] {
    const response = member(data, rootOf(data), 'response')
    return response ? outputEdits(data, response, names) : []
  }

  const round: Mutable<RoundFilter> = {
    began: false,
    frame: (event) => (round.began || mayCall(event) ? take(event) : event),
  }
  return round
}

/** Returns a whole JSON answer without hidden calls; the same buffer if it has none. */
export function filterResponsesBody(body: Buffer, names: HiddenNames): Buffer {
  if (!tokenScan(names)(body) || !parseObject(body)) return body
  return splice(body, outputEdits(body, rootOf(body), names))
}

function outputEdits(json: Buffer, response: Span, names: HiddenNames): Edit[] {
  const at = member(json, response, 'output')
  const items = at ? elements(json, at) : []
  return withoutElements(items, (i) => isHiddenCall(parseObject(json.subarray(items[i]?.start, items[i]?.end)), names))
}

/** Every hidden call is an item of this type; deltas of arguments have another word. */
const mayCall = frameScan(['function_call'])
