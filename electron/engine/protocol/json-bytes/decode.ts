import { backslash, quote, type Span } from './bytes.ts'
import { badJson } from './errors.ts'

/**
 * Decodes one value of the document.
 * @throws OnwardError `bad-json` for a long string with a bad escape or a control character
 */
export function decode(body: Buffer, at: Span): unknown {
  try {
    return JSON.parse(body.toString('utf8', at.start, at.end))
  } catch (error) {
    throw badJson('a bad string or value', at.start, error)
  }
}

/** Returns the text of a string token; keeps lone surrogates. */
export function decodeString(body: Buffer, token: Span): string {
  if (isPlain(body, token)) return body.toString('latin1', token.start + 1, token.end - 1)
  const value = decode(body, token)
  if (typeof value !== 'string') throw badJson('a string was expected', token.start)
  return value
}

/** True for short ASCII strings without escapes, as keys and most names are. */
function isPlain(body: Buffer, token: Span): boolean {
  if (body[token.start] !== quote || token.end - token.start > 64) return false
  for (let i = token.start + 1; i < token.end - 1; i++) {
    const c = body[i] ?? 0
    if (c < 0x20 || c >= 0x80 || c === backslash) return false
  }
  return true
}

/** Returns the first `limit` UTF-16 units of a string token, without decoding the rest. */
export function decodeStart(body: Buffer, token: Span, limit: number): string {
  const last = token.end - 1
  let i = token.start + 1
  for (let units = 0; units < limit && i < last; units++) {
    const c = body[i] ?? 0
    if (c === backslash) i += body[i + 1] === 0x75 ? 6 : 2
    else if (c < 0x80) i++
    else if (c < 0xe0) i += 2
    else if (c < 0xf0) i += 3
    else {
      i += 4
      units++
    }
  }
  const end = Math.min(i, last)
  const value: unknown = decode(Buffer.concat([quoteBytes, body.subarray(token.start + 1, end), quoteBytes]), {
    start: 0,
    end: end - token.start + 1,
  })
  return typeof value === 'string' ? value.slice(0, limit) : ''
}

const quoteBytes = Buffer.from('"')
