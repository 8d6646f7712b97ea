import { elements, isArray, isString, member, splice, type Edit, type Span } from '../json-bytes/index.ts'
import { memberEdits, rootOf } from '../json-bytes/walk.ts'
import type { RequestLens } from '../types.ts'

/** Anthropic takes four marks in one request. */
const mostMarks = 4
/** Within a text its quotes would be escaped. */
const name = '"cache_control":'

/**
 * Returns the mark with which the client has its newest messages cached, if one more of it may go along. Anthropic
 * finds what it cached at 20 blocks at most before a mark: what Onward puts between two requests of a client would push
 * the one before out of reach.
 */
function markToRepeat({ protocol, body, items }: RequestLens): Buffer | null {
  if (protocol !== 'messages') return null
  const places: number[] = []
  for (let at = body.indexOf(name); at >= 0; at = body.indexOf(name, at + 1)) places.push(at)
  const [first, end] = [items().at(0), items().at(-1)]
  if (places.length >= mostMarks || !first || !end) return null
  // Other members may stand after the messages.
  const last = places.findLast((at) => at > first.start && at < end.end)
  return last === undefined ? null : body.subarray(last + name.length, body.indexOf('}', last) + 1)
}

/** Returns edits that put this mark on the last block of a message; none where that can't have one. */
function markEdits(body: Buffer, message: Span, mark: Buffer): Edit[] {
  const content = member(body, message, 'content')
  if (!content) return []
  if (isString(body, content))
    return [
      { start: content.start, end: content.start, replacement: '[{"type":"text","text":' },
      { start: content.end, end: content.end, replacement: `,${name}${mark.toString('utf8')}}]` },
    ]
  const block = isArray(body, content) ? elements(body, content).at(-1) : undefined
  return block && !member(body, block, 'cache_control') ? memberEdits(body, block, { cache_control: mark }) : []
}

/** Returns edits that have all of a request cached that Onward made longer. */
export function markEnd(lens: RequestLens): Edit[] {
  const mark = markToRepeat(lens)
  const last = lens.items().at(-1)
  return mark && last ? markEdits(lens.body, last, mark) : []
}

/** Returns a user's message that is cached with everything before it, as the client has its own cached. */
export function withMark(lens: RequestLens, message: Buffer): Buffer {
  const mark = markToRepeat(lens)
  return mark ? splice(message, markEdits(message, rootOf(message), mark)) : message
}
