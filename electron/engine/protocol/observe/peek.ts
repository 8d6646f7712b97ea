import { OnwardError } from '../../base/errors.ts'
import { member, stringEnd, stringOf, type Span } from '../json-bytes/index.ts'

/** How every provider seen begins an event's data. */
const usualStart = Buffer.from('{"type":"')

/** The `type` of an event, without parsing it; null when it has none. */
export function typeOf(data: Buffer): string | null {
  if (data.length > usualStart.length && data.compare(usualStart, 0, usualStart.length, 0, usualStart.length) === 0) {
    const end = data.indexOf(0x22, usualStart.length)
    const type = data.toString('latin1', usualStart.length, end)
    if (end > 0 && !type.includes('\\')) return type
  }
  return tolerant(() => stringOf(data, member(data, { start: firstSign(data), end: data.length }, 'type')))
}

/**
 * The string token behind a key, wherever the key stands, without parsing. `key` is in its quotes: text that merely
 * contains the word can't match, because a quote inside a string has a backslash before it.
 */
export function stringBehind(data: Buffer, key: Buffer): Span | null {
  for (let at = data.indexOf(key); at >= 0; at = data.indexOf(key, at + 1)) {
    if (data[at - 1] === 0x5c) continue
    const colon = skipSpace(data, at + key.length)
    if (data[colon] !== 0x3a) continue
    const start = skipSpace(data, colon + 1)
    if (data[start] !== 0x22) continue
    const end = tolerant(() => stringEnd(data, start))
    return end === null ? null : { start, end }
  }
  return null
}

const firstSign = (data: Buffer): number => skipSpace(data, 0)

function skipSpace(data: Buffer, from: number): number {
  let i = from
  for (let c = data[i]; c === 0x20 || c === 0x09 || c === 0x0a || c === 0x0d; c = data[i]) i++
  return i
}

/** Events come from outside: what is no JSON is nothing, not an error. */
function tolerant<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (OnwardError.isInstance(error) && error.code === 'bad-json') return null
    throw error
  }
}
