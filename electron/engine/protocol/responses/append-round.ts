import { answerEvents, type AnswerEvent, type WholeAnswer } from '../answer/whole-answer.ts'
import { elementsOf, rootOf } from '../json-bytes/walk.ts'
import { member } from '../json-bytes/index.ts'
import type { RequestLens } from '../types.ts'
import { asList, asNumber, asText, parseObject } from '../values.ts'

/** Returns the answer's output items in order, as they came. */
export function responsesAnswerItems(answer: WholeAnswer, lens: RequestLens): Buffer[] {
  // A conversation kept by the provider already has the request and the answer.
  if (ofConversation(lens)) return []
  const items = answerOutput(answer)
  return lens.value('store') === false ? items.filter(canBeSentBack) : items
}

/** Returns the output items of an answer; nothing if it is no JSON. */
export function answerOutput(answer: WholeAnswer): Buffer[] {
  const events = answerEvents(answer)
  if (events) return itemsOf(events)
  return parseObject(answer.body) ? elementsOf(answer.body, 'output') : []
}

/** True if `conversation` names a history at the provider to which each request only adds. */
export const ofConversation = (lens: RequestLens): boolean => (lens.value('conversation') ?? null) !== null

/** Without storage, reasoning without encrypted content can't be found again: "Item with id 'rs_…' not found". */
function canBeSentBack(item: Buffer): boolean {
  const value = parseObject(item)
  if (value?.['type'] !== 'reasoning') return true
  return asText(value['encrypted_content']) !== null || asList(value['content']).length > 0
}

function itemsOf(events: readonly AnswerEvent[]): Buffer[] {
  const terminal = events.find(({ type }) => type === 'response.completed' || type === 'response.incomplete')
  const response = terminal ? member(terminal.data, rootOf(terminal.data), 'response') : null
  const listed = terminal && response ? elementsOf(terminal.data, 'output', response) : []
  if (listed.length > 0) return listed
  // Some providers end with an empty list though they sent items.
  const done = new Map<number, Buffer>()
  for (const { type, value, data } of events) {
    const at = type === 'response.output_item.done' ? member(data, rootOf(data), 'item') : null
    if (at) done.set(asNumber(value['output_index']) ?? done.size, data.subarray(at.start, at.end))
  }
  return [...done].sort(([a], [b]) => a - b).map(([, item]) => item)
}
