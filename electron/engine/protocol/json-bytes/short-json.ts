/** The least bytes of a long string or list that are kept, from its end. */
export const keptOfEnd = 32 * 1024
/** In the first bytes no list is shortened. */
const wholeLists = 128 * 1024
/** The most bytes that are read between two cuts. */
const stepBytes = 64 * 1024
/** Lists that are deeper are not shortened. */
const mostDepth = 64

/** JSON that comes in pieces; of its long strings and lists little more than the ends is kept. */
export interface ShortJson {
  add(piece: Buffer): void
  /**
   * all that was added so far: the same JSON, except that strings longer than 32 KB lack their beginning, and after
   * 128 KB lists lack elements of their middle
   */
  json(): Buffer
}

/**
 * Keeps JSON for readers of its short members: nine megabytes of text in one string, or of calls in one list, cost tens
 * of milliseconds to join, decode and parse, most of it for memory that is never read.
 */
export function shortJson(): ShortJson {
  let kept = Buffer.allocUnsafeSlow(4 * stepBytes)
  let used = 0
  let inString = false
  let escaped = false
  /** where the content of the last string begins */
  let start = 0
  /** a place in it after a whole character or escape; everything from there on is kept */
  let from = 0
  let depth = 0
  /** by depth: 1 for a list */
  const lists = new Uint8Array(mostDepth)
  /** depth of the list that is shortened; 0: none */
  let listDepth = 0
  /** places after commas of it: what lies between the first two is cut next */
  let listStart = 0
  let listFrom = 0
  let lastComma = 0

  function append(piece: Buffer): void {
    if (used + piece.length > kept.length) {
      const larger = Buffer.allocUnsafeSlow(2 * kept.length + piece.length)
      kept.copy(larger, 0, 0, used)
      kept = larger
    }
    piece.copy(kept, used)
    const end = used + piece.length
    for (let i = used; i < end; i++) {
      const byte = kept[i]
      if (escaped) escaped = false
      else if (byte === 0x22) {
        inString = !inString
        if (inString) start = from = i + 1
      } else if (inString) escaped = byte === 0x5c
      else if (byte === 0x2c) comma(i + 1)
      else if (byte === 0x7b || byte === 0x5b) {
        depth++
        if (depth < mostDepth) lists[depth] = byte === 0x5b ? 1 : 0
      } else if (byte === 0x7d || byte === 0x5d) {
        if (depth === listDepth) listDepth = 0
        depth--
      }
    }
    used = end
  }

  function comma(after: number): void {
    if (depth === listDepth) lastComma = after
    else if (listDepth === 0 && after > wholeLists && depth < mostDepth && lists[depth] === 1) {
      listDepth = depth
      listStart = listFrom = lastComma = after
    }
  }

  /** Cuts the beginning of a string that has grown long enough. */
  function shortenString(): void {
    if (!inString || escaped || used - from < keptOfEnd) return
    let end = from
    // no character of several bytes is cut in two
    while (end > start && end < used && ((kept[end] ?? 0) & 0xc0) === 0x80) end++
    cut(start, end)
    from = used
  }

  /** Cuts elements of a list that has grown long enough. */
  function shortenList(): void {
    if (listDepth === 0 || used - listFrom < keptOfEnd) return
    const length = listFrom - listStart
    cut(listStart, listFrom)
    start -= length
    from -= length
    lastComma -= length
    listFrom = lastComma
  }

  function cut(begin: number, end: number): void {
    kept.copyWithin(begin, end, used)
    used -= end - begin
  }

  return {
    add(piece) {
      for (let at = 0; at < piece.length; at += stepBytes) {
        append(piece.subarray(at, at + stepBytes))
        shortenString()
        shortenList()
      }
    },
    json: () => kept.subarray(0, used),
  }
}
