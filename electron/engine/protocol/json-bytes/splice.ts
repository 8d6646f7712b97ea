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
  if (edits.length === 0) return body
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
  return Buffer.concat(pieces)
}
