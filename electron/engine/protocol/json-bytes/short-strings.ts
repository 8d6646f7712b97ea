/** The least bytes of a long string that are kept, from its end. */
export const keptOfString = 32 * 1024
/** The most bytes that are read between two cuts. */
const stepBytes = 64 * 1024

/** JSON that comes in pieces; of its long strings only the ends are kept. */
export interface ShortStrings {
  add(piece: Buffer): void
  /** all that was added so far: the same JSON except for strings longer than 32 KB */
  json(): Buffer
}

/**
 * Keeps JSON for readers of its short members: nine megabytes of text in one string cost tens of milliseconds to join,
 * decode and parse, most of it for memory that is never read.
 */
export function shortStrings(): ShortStrings {
  let kept = Buffer.allocUnsafeSlow(4 * stepBytes)
  let used = 0
  let inString = false
  let escaped = false
  /** where the content of the last string begins */
  let start = 0
  /** a place in it after a whole character or escape; everything from there on is kept */
  let from = 0

  function append(piece: Buffer): void {
    if (used + piece.length > kept.length) {
      const larger = Buffer.allocUnsafeSlow(2 * kept.length + piece.length)
      kept.copy(larger, 0, 0, used)
      kept = larger
    }
    piece.copy(kept, used)
    const end = used + piece.length
    for (let i = used; i < end; i++) {
      if (escaped) escaped = false
      else if (kept[i] === 0x22) {
        inString = !inString
        if (inString) start = from = i + 1
      } else if (kept[i] === 0x5c) escaped = inString
    }
    used = end
  }

  /** Cuts the beginning of a string that has grown long enough. */
  function shorten(): void {
    if (!inString || escaped || used - from < keptOfString) return
    let end = from
    // no character of several bytes is cut in two
    while (end > start && end < used && ((kept[end] ?? 0) & 0xc0) === 0x80) end++
    kept.copyWithin(start, end, used)
    used -= end - start
    from = used
  }

  return {
    add(piece) {
      for (let at = 0; at < piece.length; at += stepBytes) {
        append(piece.subarray(at, at + stepBytes))
        shorten()
      }
    },
    json: () => kept.subarray(0, used),
  }
}
