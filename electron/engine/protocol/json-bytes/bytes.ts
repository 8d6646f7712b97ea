import { OnwardError } from '../../base/errors.ts'

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

/** `offset` is in bytes. */
export const badJson = (reason: string, offset: number, cause?: unknown): OnwardError =>
  new OnwardError('bad-json', `The body is not valid JSON: ${reason} at byte ${offset}.`, {
    status: 400,
    details: { offset },
    cause,
  })

export const badUtf8 = (offset: number): OnwardError =>
  new OnwardError('bad-utf8', `The body is not valid UTF-8: a broken character at byte ${offset}.`, {
    status: 400,
    details: { offset },
  })

/** `offset` is in bytes. */
export const duplicateKey = (key: string, offset: number): OnwardError =>
  new OnwardError(
    'duplicate-key',
    `The body names “${key.slice(0, 64)}” twice, again at byte ` +
      `${offset}. Only one of them could count: leave the other out.`,
    { status: 400, details: { offset } },
  )

export const tooComplex = (most: number): OnwardError =>
  new OnwardError(
    'too-complex',
    `The body holds more than ${most} values. Nothing a model could read has as many: ` +
      'leave some messages or tools out.',
    { status: 400 },
  )

/** A string is read byte by byte up to here; the end of a longer one is searched natively, which is far quicker. */
const walked = 24

/**
 * Returns the offset after the string token that begins at `start`. Control characters and escapes are checked in its
 * first 24 bytes only: a bad escape in a longer string is found when it is decoded, or by the upstream.
 * @throws OnwardError `bad-json`
 */
export function stringEnd(body: Buffer, start: number): number {
  const stop = start + 1 + walked
  let i = start + 1
  while (i < stop) {
    const c = body[i]
    if (c === quote) return i + 1
    if (c === backslash) i = escapeEnd(body, i)
    else if (c === undefined) throw badJson('a string never ends', start)
    else if (c < 0x20) throw badJson('a control character in a string', i)
    else i++
  }
  return longStringEnd(body, start, i)
}

/** `from` comes after complete characters and escapes. */
function longStringEnd(body: Buffer, start: number, from: number): number {
  for (let i = from; ;) {
    const end = body.indexOf(quote, i)
    if (end < 0) throw badJson('a string never ends', start)
    let before = end
    while (before > i && body[before - 1] === backslash) before--
    if ((end - before) % 2 === 0) return end + 1
    i = end + 1
  }
}

function escapeEnd(body: Buffer, at: number): number {
  const c = body[at + 1]
  if (c === 0x75) {
    for (let i = at + 2; i < at + 6; i++) if (!isHex(body[i])) throw badJson('a bad escape', at)
    return at + 6
  }
  if (c === undefined || !simpleEscapes.includes(c)) throw badJson('a bad escape', at)
  return at + 2
}

/** `" \ / b f n r t` */
const simpleEscapes: readonly number[] = [0x22, 0x5c, 0x2f, 0x62, 0x66, 0x6e, 0x72, 0x74]

const isHex = (c: number | undefined): boolean =>
  c !== undefined && ((c >= 0x30 && c <= 0x39) || (c >= 0x41 && c <= 0x46) || (c >= 0x61 && c <= 0x66))

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

/**
 * Returns a check that is true if the inside of a string token of these bytes is valid JSON: whole escapes, and no
 * control characters. It reads four bytes at once and does not check UTF-8. `end` is the closing quote's place.
 */
export function validInsides(body: Buffer): (start: number, end: number) => boolean {
  const view = new DataView(body.buffer, body.byteOffset, body.length)

  /** Returns the first control character or backslash from `at` on, or `end`. */
  function nextSpecial(at: number, end: number): number {
    let i = at
    for (; i + 4 <= end; i += 4) {
      const found = specialIn(view.getInt32(i, true))
      if (found !== 0) return i + firstByte(found)
    }
    for (let c = body[i] ?? 0; i < end && c >= 0x20 && c !== backslash; c = body[i] ?? 0) i++
    return i
  }

  return (start, end) => {
    let i = nextSpecial(start, end)
    while (i < end) {
      if (body[i] !== backslash) return false
      const c = body[i + 1] ?? 0
      if (simple[c] === 1) i += 2
      else if (c === letterU && isHexOfFour(body, i + 2)) i += 6
      else return false
      i = nextSpecial(i, end)
    }
    return i === end
  }
}

/**
 * Sets the highest bit of each byte that is below 0x20 or a backslash, by a borrow. Only the lowest set bit is
 * reliable.
 */
function specialIn(word: number): number {
  const other = word ^ 0x5c5c5c5c
  return (((word - 0x20202020) & ~word) | ((other - 0x01010101) & ~other)) & 0x80808080
}

const firstByte = (bits: number): number => (31 - Math.clz32(bits & -bits)) >> 3

const letterU = 0x75
/** `" \ / b f n r t` */
const simple = Uint8Array.from({ length: 256 }, (_, c) => ('"\\/bfnrt'.includes(String.fromCharCode(c)) ? 1 : 0))

function isHexOfFour(body: Buffer, from: number): boolean {
  for (let i = from; i < from + 4; i++) if (!isHex(body[i])) return false
  return true
}

/** Returns the text after a byte order mark: some encoders write one, and no JSON has it (RFC 8259, 8.1). */
export const withoutBom = (bytes: Buffer): Buffer =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes
