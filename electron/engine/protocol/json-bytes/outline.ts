import { isUtf8 } from 'node:buffer'
import { closeBrace, closeBracket, colon, comma, openBrace, openBracket, quote, skipSpace, type Span } from './bytes.ts'
import { decodeString } from './decode.ts'
import { badJson, badUtf8, duplicateKey, tooComplex } from './errors.ts'
import { keysOnce } from './keys-once.ts'
import { stringEnd } from './strings.ts'

const literals = ['true', 'false', 'null'] as const

/**
 * Returns the offset after the number or literal that begins at `start`.
 * @throws OnwardError `bad-json`
 */
function scalarEnd(body: Buffer, start: number): number {
  const c = body[start]
  if (c === 0x2d || isDigit(c)) return numberEnd(body, start)
  for (const word of literals) {
    if (c === word.charCodeAt(0) && body.toString('latin1', start, start + word.length) === word)
      return start + word.length
  }
  throw badJson(c === undefined ? 'it ends where a value should stand' : 'no value', start)
}

function numberEnd(body: Buffer, start: number): number {
  let i = body[start] === 0x2d ? start + 1 : start
  if (body[i] === 0x30) i++
  else i = digitsEnd(body, i, start)
  if (body[i] === 0x2e) i = digitsEnd(body, i + 1, start)
  if (body[i] === 0x65 || body[i] === 0x45) {
    const sign = body[i + 1]
    i = digitsEnd(body, sign === 0x2b || sign === 0x2d ? i + 2 : i + 1, start)
  }
  return i
}

function digitsEnd(body: Buffer, from: number, start: number): number {
  let i = from
  while (isDigit(body[i])) i++
  if (i === from) throw badJson('a bad number', start)
  return i
}

const isDigit = (c: number | undefined): boolean => c !== undefined && c >= 0x30 && c <= 0x39

/** The outermost two levels of a valid document, as places in its bytes. */
export interface Outline {
  root: Span
  /** values of the root object by key, each of them once; null when the root is no object */
  members: ReadonlyMap<string, Span> | null
  /** elements of those members that are arrays */
  elements: ReadonlyMap<string, readonly Span[]>
  /** start and end of each string value of more than `longString` bytes: start, end, start, … */
  longStrings: readonly number[]
}

/** A longer string is listed: it may be sent on as it is instead of being decoded. */
const longString = 256

/**
 * Deeper documents are refused: nothing an agent sends comes near, and recursive readers must not overflow the stack.
 */
export const maxDepth = 1000
/**
 * More values are refused: the longest conversation of an agent has a third of them, and other requests wait meanwhile.
 */
const mostValues = 150_000
/** The closing bracket of each open container of the current document; documents are read one at a time. */
const closes = new Uint8Array(maxDepth + 1)

/**
 * Reads the whole body once, strictly by the grammar (strings: see strings.ts), without decoding or copying anything.
 * @throws OnwardError `bad-json` | `bad-utf8` | `duplicate-key` with the offset, `too-complex`; status 400
 */
export function outline(body: Buffer): Outline {
  if (!isUtf8(body)) throw badUtf8(brokenCharacter(body))
  const members = new Map<string, Span>()
  const elements = new Map<string, Span[]>()
  const longStrings: number[] = []
  const rootStart = skipSpace(body, 0)
  const ofObject = body[rootStart] === openBrace
  let depth = 0
  let keyStart = 0
  let twice: { key: string; at: number } | null = null
  const nested = keysOnce(body)
  /** Reads the key and colon at `at`; returns where the value begins. */
  const memberValue = (at: number): number => {
    if (body[at] !== quote) throw badJson('a key in quotes is missing', at)
    const keyEnd = stringEnd(body, at)
    if (depth > 1 && nested.again(depth, at, keyEnd))
      twice ??= { key: decodeString(body, { start: at, end: keyEnd }), at }
    const colonAt = skipSpace(body, keyEnd)
    if (body[colonAt] !== colon) throw badJson('a colon is missing', colonAt)
    return skipSpace(body, colonAt + 1)
  }
  let memberStart = 0
  let memberElements: Span[] | null = null
  let elementStart = 0
  let values = 0
  let i = rootStart
  for (;;) {
    // a value begins at i
    if (++values > mostValues) throw tooComplex(mostValues)
    const c = body[i]
    if (depth === 1) memberStart = i
    else if (depth === 2) elementStart = i
    if (c === openBrace || c === openBracket) {
      if (depth === maxDepth) throw badJson(`nested more than ${maxDepth} levels deep`, i)
      closes[++depth] = c === openBrace ? closeBrace : closeBracket
      if (c === openBrace) nested.open(depth)
      if (depth === 2) memberElements = ofObject && c === openBracket ? [] : null
      const next = skipSpace(body, i + 1)
      if (body[next] !== closes[depth]) {
        if (depth === 1) keyStart = next
        i = c === openBrace ? memberValue(next) : next
        continue
      }
      depth--
      i = next + 1
    } else if (c === quote) {
      const end = stringEnd(body, i)
      if (end - i > longString) longStrings.push(i, end)
      i = end
    } else i = scalarEnd(body, i)
    // a value ends at i
    for (;;) {
      if (depth === 0) {
        const end = skipSpace(body, i)
        if (end < body.length) throw badJson('something stands behind the value', end)
        if (twice) throw duplicateKey(twice.key, twice.at)
        return { root: { start: rootStart, end: i }, members: ofObject ? members : null, elements, longStrings }
      }
      if (depth === 1 && ofObject) {
        const key = decodeString(body, { start: keyStart, end: stringEnd(body, keyStart) })
        // Readers differ in which of the two counts, so Onward and the provider might read different values.
        if (members.has(key)) twice ??= { key, at: keyStart }
        members.set(key, { start: memberStart, end: i })
        if (memberElements) elements.set(key, memberElements)
        memberElements = null
      } else if (depth === 2) memberElements?.push({ start: elementStart, end: i })
      const next = skipSpace(body, i)
      if (body[next] === comma) {
        i = skipSpace(body, next + 1)
        if (depth === 1) keyStart = i
        if (closes[depth] === closeBrace) i = memberValue(i)
        break
      }
      if (body[next] !== closes[depth])
        throw badJson(body[next] === undefined ? 'it ends too early' : 'a comma or a closing bracket is missing', next)
      if (closes[depth] === closeBrace) nested.close(depth)
      depth--
      i = next + 1
    }
  }
}

/** Returns the offset of the first byte that is part of no valid character. */
function brokenCharacter(body: Buffer): number {
  let good = 0
  let bad = body.length
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (isUtf8(body.subarray(0, characterStart(body, middle)))) good = middle
    else bad = middle
  }
  return characterStart(body, good)
}

/** Returns the start of the character at an offset, so that a cut there breaks no character. */
function characterStart(body: Buffer, offset: number): number {
  let i = offset
  while (i > offset - 3 && i > 0 && ((body[i] ?? 0) & 0xc0) === 0x80) i--
  return i
}
