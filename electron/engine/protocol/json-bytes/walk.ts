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
  decodeString,
  stringEnd,
} from './bytes.ts'

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

/** Replaces bytes `start` to `end`; a string is written as UTF-8. */
export interface Edit extends Span {
  readonly replacement: Buffer | string
}

/**
 * Returns the bytes with all edits made; the same Buffer if there are none. Edits may come in any order but must not
 * overlap. An insert comes before the replacement of the bytes after it, whichever came first; inserts at one place
 * keep the order they came in.
 */
export function splice(body: Buffer, edits: readonly Edit[]): Buffer {
  if (edits.length === 0) return body
  const ordered = inOrder(body, edits)
  let length = body.length
  for (const { start, end, replacement } of ordered) length += Buffer.byteLength(replacement) - (end - start)
  const out = Buffer.allocUnsafe(length)
  let from = 0
  let to = 0
  for (const { start, end, replacement } of ordered) {
    to += body.copy(out, to, from, start)
    to += typeof replacement === 'string' ? out.write(replacement, to) : replacement.copy(out, to)
    from = end
  }
  body.copy(out, to, from)
  return out
}

/** A piece shorter than this is joined with its neighbours, because each piece takes a write of its own. */
const longPiece = 16 * 1024

/**
 * The same bytes in a few pieces, for sending: unchanged parts of a long body are not copied, but are the body's own
 * memory.
 */
export function splicedPieces(body: Buffer, edits: readonly Edit[]): readonly Buffer[] {
  if (edits.length === 0 || body.length < longPiece) return [splice(body, edits)]
  const joined: Buffer[] = []
  let short: Buffer[] = []
  const shortEnds = () => {
    if (short.length > 0) joined.push(short.length === 1 && short[0] ? short[0] : Buffer.concat(short))
    short = []
  }
  const add = (piece: Buffer) => {
    if (piece.length >= longPiece) {
      shortEnds()
      joined.push(piece)
    } else if (piece.length > 0) short.push(piece)
  }
  let from = 0
  for (const { start, end, replacement } of inOrder(body, edits)) {
    add(body.subarray(from, start))
    add(typeof replacement === 'string' ? Buffer.from(replacement) : replacement)
    from = end
  }
  add(body.subarray(from))
  shortEnds()
  return joined
}

/** @throws RangeError for edits that overlap or lie outside */
function inOrder(body: Buffer, edits: readonly Edit[]): readonly Edit[] {
  const ordered =
    edits.length < 2
      ? edits
      : edits.toSorted((a, b) => a.start - b.start || Number(a.end > a.start) - Number(b.end > b.start))
  let from = 0
  for (const { start, end } of ordered) {
    if (start < from || end < start || end > body.length)
      throw new RangeError(`An edit at ${start} overlaps another or lies outside.`)
    from = end
  }
  return ordered
}

/** A member and its new value as JSON. */
type NewMembers = Readonly<Record<string, Buffer | string>>

/** The span from the first `{` of a JSON text to its end, as the walkers of json-bytes want it. */
export const rootOf = (json: Buffer): Span => ({ start: Math.max(0, json.indexOf(0x7b)), end: json.length })

/** Edits that give members of an object new values; those it lacks are put in front. `json` must be valid. */
export function memberEdits(json: Buffer, object: Span, values: NewMembers): Edit[] {
  const names = Object.keys(values)
  const found = members(json, object, names)
  const edits: Edit[] = []
  const added: Buffer[] = []
  for (const [i, name] of names.entries()) {
    const at = found[i]
    const value = values[name] ?? 'null'
    if (at) edits.push({ start: at.start, end: at.end, replacement: value })
    else added.push(Buffer.concat([Buffer.from(`${JSON.stringify(name)}:`), Buffer.from(value)]))
  }
  if (added.length > 0) {
    const at = object.start + 1
    const isEmpty = /^\s*\}/.test(json.toString('latin1', at, Math.min(json.length, at + 1024)))
    edits.push({ start: at, end: at, replacement: Buffer.concat([...joined(added), Buffer.from(isEmpty ? '' : ',')]) })
  }
  return edits
}

/** The JSON with some members of its root changed, every other byte as it was. */
export const setMembers = (json: Buffer, values: NewMembers): Buffer =>
  splice(json, memberEdits(json, rootOf(json), values))

/** The values of a JSON list, commas between them. */
export function joined(values: readonly Buffer[]): Buffer[] {
  return values.flatMap((value, i) => (i === 0 ? [value] : [commaBefore, value]))
}
export const commaBefore = Buffer.from(',')

/** A JSON list of values that are given as JSON. */
export const listOf = (values: readonly Buffer[]): Buffer =>
  Buffer.concat([Buffer.from('['), ...joined(values), Buffer.from(']')])

/** The elements of a list of the root as they stand; none when it has no such list. */
export function elementsOf(json: Buffer, name: string, object: Span = rootOf(json)): Buffer[] {
  const at = member(json, object, name)
  return at ? elements(json, at).map(({ start, end }) => json.subarray(start, end)) : []
}
