/** Bytes of JSON's own characters. UTF-8 never has them inside a character of more than one byte. */
export const quote = 0x22,
  backslash = 0x5c,
  comma = 0x2c,
  colon = 0x3a
export const openBrace = 0x7b,
  closeBrace = 0x7d,
  openBracket = 0x5b,
  closeBracket = 0x5d

/** The place of a value in the bytes; `end` is the offset after its last byte. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** First offset from `from` that is not JSON white space. */
export function skipSpace(body: Uint8Array, from: number): number {
  let i = from
  for (let c = body[i]; c === 0x20 || c === 0x0a || c === 0x0d || c === 0x09; c = body[i]) i++
  return i
}

/** Offset after the last byte before `at` that is no JSON white space. */
export function behindSign(body: Uint8Array, at: number): number {
  let i = at
  for (let c = body[i - 1]; c === 0x20 || c === 0x0a || c === 0x0d || c === 0x09; c = body[i - 1]) i--
  return i
}
