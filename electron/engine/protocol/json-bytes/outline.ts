import { isUtf8 } from 'node:buffer'
import {
  closeBrace,
  closeBracket,
  colon,
  comma,
  openBrace,
  openBracket,
  quote,
  skipSpace,
  type Span,
  decodeString,
  badJson,
  badUtf8,
  duplicateKey,
  tooComplex,
  stringEnd,
  backslash,
} from './bytes.ts'

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
 * Reads the whole body once, strictly by the grammar (strings: see bytes.ts), without decoding or copying anything.
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
        if (end < body.length) throw badJson('something follows the value', end)
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

/** From this many keys on, an object's keys are looked up in a map instead of compared one by one. */
const many = 32

/**
 * Buffers for the keys of one document, kept for the next: documents are read one at a time, and new buffers cost more
 * than the reading.
 */
let hashes = new Int32Array(256)
let starts = new Int32Array(256)
let ends = new Int32Array(256)
const first: number[] = []
const lookedUp: (Map<number, number[]> | undefined)[] = []
/** larger buffers than this are released */
const mostKept = 65_536

/** Finds repeated keys in the open objects by a hash of their text; most objects have few keys, and none is decoded. */
function keysOnce(body: Buffer) {
  let top = 0
  if (hashes.length > mostKept) [hashes, starts, ends] = [new Int32Array(256), new Int32Array(256), new Int32Array(256)]

  const keyAt = (at: number) => saidBy(body, starts[at] ?? 0, ends[at] ?? 0)

  function add(hash: number, start: number, end: number): number {
    if (top === hashes.length) [hashes, starts, ends] = [twice(hashes), twice(starts), twice(ends)]
    hashes[top] = hash
    starts[top] = start
    ends[top] = end
    return top++
  }

  /** True if the open object has this key. Few keys are compared one by one. */
  function isThere(depth: number, hash: number, said: () => string): boolean {
    const from = first[depth] ?? 0
    if (top - from < many) {
      for (let at = from; at < top; at++) if (hashes[at] === hash && keyAt(at) === said()) return true
      return false
    }
    let known = lookedUp[depth]
    if (!known) {
      known = lookedUp[depth] = new Map()
      for (let at = from; at < top; at++) put(known, hashes[at] ?? 0, at)
    }
    return known.get(hash)?.some((at) => keyAt(at) === said()) ?? false
  }

  return {
    open(depth: number): void {
      first[depth] = top
      lookedUp[depth] = undefined
    },
    close(depth: number): void {
      top = first[depth] ?? 0
    },
    /**
     * Adds a key of the open object, by the place of its token.
     * @returns true if the object has the key already
     */
    again(depth: number, start: number, end: number): boolean {
      const hash = hashOf(body, start, end)
      if (isThere(depth, hash, () => saidBy(body, start, end))) return true
      const at = add(hash, start, end)
      const known = lookedUp[depth]
      if (known) put(known, hash, at)
      return false
    },
  }
}

function put(known: Map<number, number[]>, hash: number, at: number): void {
  const there = known.get(hash)
  if (there) there.push(at)
  else known.set(hash, [at])
}

function twice(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2)
  larger.set(array)
  return larger
}

/** FNV-1a of the bytes between the quotes, as they are without escapes. */
function hashOf(body: Buffer, start: number, end: number): number {
  let hash = 0x811c9dc5
  for (let i = start + 1; i < end - 1; i++) {
    const c = body[i] ?? 0
    if (c === backslash) {
      // Characters that must be escaped are escaped in every spelling, and this gives them one spelling.
      const plain = Buffer.from(JSON.stringify(saidBy(body, start, end)).replaceAll('\\', '/'))
      return hashOf(plain, 0, plain.length)
    }
    hash = Math.imul(hash ^ c, 0x01000193)
  }
  return hash
}

/** Returns a key's text, or its raw bytes if it has a bad escape: the code that reads the key reports that. */
function saidBy(body: Buffer, start: number, end: number): string {
  try {
    return decodeString(body, { start, end })
  } catch {
    return body.toString('latin1', start, end)
  }
}
