import type { Mutable } from '../../../base/mutable.ts'
import { type Frame, mostFrameValues } from '../../answer/frame.ts'
import { eventFrame } from '../../join/types.ts'
import { holdsMoreValues } from '../../json-bytes/count-values.ts'
import { elements, member, splice, type Edit, type Span } from '../../json-bytes/index.ts'
import { memberEdits, rootOf } from '../../json-bytes/walk.ts'
import {
  frameScan,
  tokenScan,
  type HiddenNames,
  type RoundFilter,
  mostEmptyBytes,
  solidText,
} from '../../server-tools/types.ts'
import {
  withoutElements,
  asName,
  asNumber,
  parseObject,
  type JsonObject,
  asList,
  asObject,
  asText,
} from '../../values.ts'
import { item as itemIn } from '../facts.ts'
import { kindOfItem } from '../item-kinds.ts'

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

/**
 * True if events or a body hold something the model produced. An empty delta, or a message or reasoning item that only
 * begins, does not count; a thought may be sealed, without any text. Keys are matched with their quotes, which text
 * inside a string can't have without a backslash. Only the output of a response counts: the rest repeats the request,
 * including `instructions` and tools with texts of their own.
 */
export function hasContent(chunk: Buffer): boolean {
  // Reading that much would take too long, and an answer without content holds less.
  if (chunk.length > mostEmptyBytes || holdsMoreValues(chunk, mostFrameValues)) return true
  const first = chunk.findIndex((c) => !blanks.has(c))
  if (chunk[first] === brace) {
    const body = parseObject(chunk)
    return body !== null && outputSays(body)
  }
  return (
    signs.some((sign) => chunk.includes(sign)) &&
    chunk
      .toString('latin1')
      .split(/\r?\n\r?\n/)
      .some(eventSays)
  )
}
const blanks: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d])
const brace = 0x7b

const signs: readonly string[] = ['.delta"', '_text"', '"refusal"', '"annotations"', '.annotation.added"', '"response.']

function eventSays(event: string): boolean {
  const parsed = wholes.test(event) ? dataOf(event) : null
  if (!parsed) return said.test(event)
  const response = asObject(parsed['response'])
  if (response) return outputSays(response)
  const item = asObject(parsed['item'])
  return item !== null && itemSays(item)
}

/** Events with a whole response or item in them. */
const wholes = /"type":\s*"response\.(?:created|queued|in_progress|completed|incomplete|failed|output_item\.\w+)"/

/** Reading the bytes as Latin-1 is enough: everything that is searched for is ASCII. */
const dataOf = (event: string): JsonObject | null =>
  parseObject(
    Buffer.from(
      event
        .split(/\r?\n/)
        .flatMap((line) => (line.startsWith('data:') ? [line.slice('data:'.length)] : []))
        .join('\n'),
      'latin1',
    ),
  )

/** Deltas, texts and parts that are not empty, a citation, a part of a kind without text. */
const said = new RegExp(
  [
    `"(?:delta|text|refusal)":\\s*${solidText}`,
    '"annotations":\\s*\\[\\s*\\{',
    '"type":\\s*"response\\.output_text\\.annotation\\.added"',
    '"part":\\s*\\{\\s*"type":\\s*"(?!(?:output_text|refusal|reasoning_text|summary_text|text)")',
  ].join('|'),
)

const outputSays = (response: JsonObject): boolean =>
  asList(response['output']).some((item) => itemSays(asObject(item) ?? {}))

function itemSays(item: JsonObject): boolean {
  if (kindOfItem(item).kind !== 'words') return true
  return (
    asName(item['encrypted_content']) !== null ||
    isSolid(item['content']) ||
    [...asList(item['content']), ...asList(item['summary'])].some((part) => partSays(asObject(part) ?? {}))
  )
}

/** A part without text or refusal is of another kind, such as an image. */
function partSays(part: JsonObject): boolean {
  const text = part['text'] ?? part['refusal']
  return text === undefined || isSolid(text) || asList(part['annotations']).length > 0
}

const isSolid = (text: unknown): boolean => (asText(text)?.trim() ?? '') !== ''
