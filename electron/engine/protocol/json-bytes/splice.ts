import type { Span } from './bytes.ts'

/** Replaces bytes `start` to `end`; a string is written as UTF-8. */
export interface Edit extends Span {
  readonly replacement: Buffer | string
}

/**
 * The bytes with all edits made; the same Buffer when there are none. Edits may come in any order but must not overlap.
 * An insert stands in front of what takes the place of the bytes behind it, whichever came first; inserts at one place
 * stand in the order they came in.
 */
export function splice(body: Buffer, edits: readonly Edit[]): Buffer {
  return edits.length === 0 ? body : Buffer.concat(piecesOf(body, edits))
}

/** A piece shorter than this is copied to the one before it: each piece is sent by a call of its own. */
const longPiece = 16 * 1024

/**
 * The same bytes in a few pieces, for whoever sends them on: what stays as it is of a long body is not copied. The
 * pieces are the body's own memory.
 */
export function splicedPieces(body: Buffer, edits: readonly Edit[]): readonly Buffer[] {
  if (edits.length === 0) return [body]
  const joined: Buffer[] = []
  let short: Buffer[] = []
  const shortEnds = () => {
    if (short.length > 0) joined.push(short.length === 1 && short[0] ? short[0] : Buffer.concat(short))
    short = []
  }
  for (const piece of piecesOf(body, edits)) {
    if (piece.length >= longPiece) {
      shortEnds()
      joined.push(piece)
    } else if (piece.length > 0) short.push(piece)
  }
  shortEnds()
  return joined
}

function piecesOf(body: Buffer, edits: readonly Edit[]): Buffer[] {
  const pieces: Buffer[] = []
  let from = 0
  for (const edit of [...edits].sort(
    (a, b) => a.start - b.start || Number(a.end > a.start) - Number(b.end > b.start),
  )) {
    if (edit.start < from || edit.end < edit.start || edit.end > body.length)
      throw new RangeError(`An edit at ${edit.start} overlaps another or lies outside.`)
    pieces.push(
      body.subarray(from, edit.start),
      typeof edit.replacement === 'string' ? Buffer.from(edit.replacement) : edit.replacement,
    )
    from = edit.end
  }
  pieces.push(body.subarray(from))
  return pieces
}
