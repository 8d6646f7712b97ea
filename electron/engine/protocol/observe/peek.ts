import { OnwardError } from '../../base/errors.ts'
import type { Frame } from '../answer/frame.ts'
import { member, stringOf, type Span } from '../json-bytes/index.ts'

/** Every provider seen so far begins an event's data this way. */
const usualStart = '{"type":"'

/** Returns the `type` of an event without parsing it; null if it has none. */
function typeOf(frame: Frame): string | null {
  const { data } = frame
  if (data === null) return null
  // For a large event, such as the final object, the caller may need nothing else.
  const head = data.length > 4096 ? data.toString('latin1', 0, 80) : frame.latin1
  if (head.startsWith(usualStart)) {
    const end = head.indexOf('"', usualStart.length)
    const type = head.slice(usualStart.length, end)
    if (end > 0 && !type.includes('\\')) return type
  }
  try {
    const start = data.indexOf(0x7b)
    return start < 0 ? null : stringOf(data, member(data, { start, end: data.length }, 'type'))
  } catch (error) {
    // Events come from outside: data that is no JSON has no type.
    if (OnwardError.isInstance(error) && error.code === 'bad-json') return null
    throw error
  }
}

/** The `type` of an event, or its name if the data has none. */
export const eventType = (frame: Frame): string => typeOf(frame) ?? frame.name

/**
 * Finds the string token after a key, wherever the key is, without parsing. `latin1` has one character per byte, so an
 * index in it is an index in the bytes. The key is matched with its quotes and colon: text that merely contains the
 * word can't match, because a quote inside a string has a backslash before it.
 */
export function stringBehind(latin1: string, key: string): Span | null {
  const quoted = `"${key}"`
  for (let at = latin1.indexOf(quoted); at >= 0; at = latin1.indexOf(quoted, at + 1)) {
    if (latin1.charCodeAt(at - 1) === backslash) continue
    const colon = skipSpace(latin1, at + quoted.length)
    if (latin1[colon] !== ':') continue
    const start = skipSpace(latin1, colon + 1)
    if (latin1[start] !== '"') continue
    const end = closingQuote(latin1, start + 1)
    return end < 0 ? null : { start, end: end + 1 }
  }
  return null
}

const backslash = 0x5c

function skipSpace(text: string, from: number): number {
  let i = from
  for (let c = text.charCodeAt(i); c === 0x20 || c === 0x09 || c === 0x0a || c === 0x0d; c = text.charCodeAt(i)) i++
  return i
}

/** Returns where a string ends, given an index within it; below 0: it does not end here. */
function closingQuote(text: string, from: number): number {
  for (let i = text.indexOf('"', from); i >= 0; i = text.indexOf('"', i + 1)) {
    let before = i
    while (before > from && text.charCodeAt(before - 1) === backslash) before--
    if ((i - before) % 2 === 0) return i
  }
  return -1
}
