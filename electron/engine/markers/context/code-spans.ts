/** Inline code (CommonMark 6.1): a run of backticks up to the next run of the same length in the same paragraph. */
export interface CodeSpans {
  /** end of the span opened by the run at `start`, or null; ask from left to right */
  endOf(start: number, length: number, paragraphEnd: number): number | null
}

/** Positions are indexed by run length, each list read once from left to right: linear over the whole text. */
export function findCodeSpans(text: string): CodeSpans {
  let byLength: Map<number, { starts: number[]; next: number }> | null = null
  return {
    endOf(start, length, paragraphEnd) {
      byLength ??= runs(text)
      const same = byLength.get(length)
      if (!same) return null
      while ((same.starts[same.next] ?? Infinity) < start + length) same.next++
      const close = same.starts[same.next]
      return close === undefined || close >= paragraphEnd ? null : close + length
    },
  }
}

function runs(text: string): Map<number, { starts: number[]; next: number }> {
  const found = new Map<number, { starts: number[]; next: number }>()
  for (let i = text.indexOf('`'); i >= 0; i = text.indexOf('`', i)) {
    const start = i
    while (text.charCodeAt(i) === 0x60) i++
    const same = found.get(i - start)
    if (same) same.starts.push(start)
    else found.set(i - start, { starts: [start], next: 0 })
  }
  return found
}

/** Where the paragraph around an offset ends at the latest: the next blank line. Ask from left to right. */
export function blankLines(text: string): (offset: number) => number {
  const blank = /(?:\r\n|\n|\r(?!\n))[ \t>]*(?=[\r\n])/g
  let at = -1
  return (offset) => {
    if (at >= offset) return at
    blank.lastIndex = offset
    at = blank.exec(text)?.index ?? Infinity
    return at
  }
}
