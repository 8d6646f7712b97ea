import {
  backslash,
  closeBrace,
  closeBracket,
  comma,
  openBrace,
  openBracket,
  quote,
  skipSpace,
  type Span,
} from './bytes.ts'
import { decodeString } from './decode.ts'
import { stringEnd } from './strings.ts'

/** These functions walk a document that `outline` has accepted. */

/**
 * Returns the values of the wanted keys of an object, in the order asked for; of equal keys the last. Missing ones are
 * null.
 */
export function members(body: Buffer, object: Span, wanted: readonly string[]): (Span | null)[] {
  const found: (Span | null)[] = wanted.map(() => null)
  if (body[object.start] !== openBrace) return found
  for (let i = skipSpace(body, object.start + 1); body[i] === quote;) {
    const keyEnd = stringEnd(body, i)
    const index = indexOfKey(body, i, keyEnd, wanted)
    const start = skipSpace(body, skipSpace(body, keyEnd) + 1)
    const end = valueEnd(body, start)
    if (index >= 0) found[index] = { start, end }
    i = skipSpace(body, end)
    if (body[i] !== comma) break
    i = skipSpace(body, i + 1)
  }
  return found
}

export const member = (body: Buffer, object: Span, key: string): Span | null => members(body, object, [key])[0] ?? null

/** Returns the elements of an array, in order; none if it is no array. */
export function elements(body: Buffer, array: Span): Span[] {
  const found: Span[] = []
  if (body[array.start] !== openBracket) return found
  let i = skipSpace(body, array.start + 1)
  if (body[i] === closeBracket) return found
  for (;;) {
    const end = valueEnd(body, i)
    found.push({ start: i, end })
    i = skipSpace(body, end)
    if (body[i] !== comma) return found
    i = skipSpace(body, i + 1)
  }
}

export const isString = (body: Buffer, at: Span): boolean => body[at.start] === quote
export const isArray = (body: Buffer, at: Span): boolean => body[at.start] === openBracket
export const isObject = (body: Buffer, at: Span): boolean => body[at.start] === openBrace

/** Returns the text of a string value; null for any other value. */
export const stringOf = (body: Buffer, at: Span | null): string | null =>
  at && isString(body, at) ? decodeString(body, at) : null

function valueEnd(body: Buffer, start: number): number {
  const c = body[start]
  if (c === quote) return stringEnd(body, start)
  let i = start
  if (c !== openBrace && c !== openBracket) {
    for (
      let b = body[i];
      b !== undefined && b !== comma && b !== closeBrace && b !== closeBracket && b > 0x20;
      b = body[i]
    )
      i++
    return i
  }
  for (let depth = 0; i < body.length;) {
    const b = body[i]
    if (b === quote) {
      i = stringEnd(body, i)
      continue
    }
    i++
    if (b === openBrace || b === openBracket) depth++
    else if ((b === closeBrace || b === closeBracket) && --depth === 0) return i
  }
  return i
}

function indexOfKey(body: Buffer, start: number, end: number, wanted: readonly string[]): number {
  const escaped = body.subarray(start, end).includes(backslash)
  const key = escaped ? decodeString(body, { start, end }) : null
  return wanted.findIndex((name) => (key === null ? equals(body, start + 1, end - 1, name) : key === name))
}

/** `name` must be ASCII. */
function equals(body: Buffer, start: number, end: number, name: string): boolean {
  if (end - start !== name.length) return false
  for (let i = 0; i < name.length; i++) if (body[start + i] !== name.charCodeAt(i)) return false
  return true
}
