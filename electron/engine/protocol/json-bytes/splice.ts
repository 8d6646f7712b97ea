import type { Span } from './bytes.ts'

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
