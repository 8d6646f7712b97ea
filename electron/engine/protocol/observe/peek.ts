import { OnwardError } from '../../base/errors.ts'
import type { Frame } from '../answer/frame.ts'
import { member, stringOf, type Span } from '../json-bytes/index.ts'

/** How every provider seen begins an event's data. */
const usualStart = '{"type":"'

/** The `type` of an event, without parsing it; null when it has none. */
export function typeOf(frame: Frame): string | null {
  const { data } = frame
  if (data === null) return null
  // Of a large event, the final object for one, nothing else may be wanted.
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
    // Events come from outside: what is no JSON has no type.
    if (OnwardError.isInstance(error) && error.code === 'bad-json') return null
    throw error
  }
}

/** ... or the name it has, where its data tells of none. */
export const eventType = (frame: Frame): string => typeOf(frame) ?? frame.name

/**
 * The string token behind a key, wherever the key stands, without parsing. `latin1` holds one sign for each byte, so
 * places in it are places in the bytes. The key is matched in its quotes and with its colon: text that merely contains
 * the word can't match, because a quote inside a string has a backslash before it.
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

/** Where a string ends of which a place within is given; below 0: not here. */
export function closingQuote(text: string, from: number): number {
  for (let i = text.indexOf('"', from); i >= 0; i = text.indexOf('"', i + 1)) {
    let before = i
    while (before > from && text.charCodeAt(before - 1) === backslash) before--
    if ((i - before) % 2 === 0) return i
  }
  return -1
}
