/** A quoted line (CommonMark 5.1), also below list signs. */
const quoteSign = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*>/
const lineBreaks = /[\n\r\v\f\u0085\u2028\u2029]/g

/**
 * Returns a test of whether an offset is on a quoted line. Call it from left to right: each line break is visited once.
 */
export function quotedLines(text: string): (offset: number) => boolean {
  let line = 0
  let next = 0
  return (offset) => {
    while (next <= offset) {
      line = next
      lineBreaks.lastIndex = next
      next = (lineBreaks.exec(text)?.index ?? Infinity) + 1
    }
    // List and quote signs count only at the beginning of a line.
    return quoteSign.test(text.slice(line, Math.min(offset + 1, line + 200)))
  }
}

/**
 * Tracks HTML comments; one that is never closed hides the rest. The scanner reports where one opens, since a comment
 * sign in code opens none.
 */
export function commentsOf(text: string): { opensAt(offset: number): void; holds(offset: number): boolean } {
  let end = 0
  return {
    opensAt(offset) {
      if (offset < end || !text.startsWith('<!--', offset)) return
      const close = text.indexOf('-->', offset + 4)
      end = close < 0 ? Infinity : close + 3
    },
    holds: (offset) => offset < end,
  }
}
