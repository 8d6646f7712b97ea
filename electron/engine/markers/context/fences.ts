/** Fenced code blocks (CommonMark 4.5), also below list and quote prefixes. An unclosed fence is no fence. */
export interface Fences {
  /** Start of the first closed fence at or after `offset`; Infinity when there is none. Call it from left to right. */
  nextStart(offset: number): number
  /** end of the block that begins there; call it with the value `nextStart` returned last */
  endOf(start: number): number
}

const tick = 0x60,
  tilde = 0x7e

/** A line that begins, after its prefixes, with a run of 3 or more fence signs. `end` is before its line break. */
interface FenceLine {
  start: number
  end: number
  char: number
  length: number
  opens: boolean
  closes: boolean
}

export function findFences(text: string): Fences {
  const lines = fenceLines(text)
  const longestClosing: Record<number, Int32Array> = {
    [tick]: longestBehind(lines, tick),
    [tilde]: longestBehind(lines, tilde),
  }
  const isClosed = (i: number, line: FenceLine) => (longestClosing[line.char]?.[i + 1] ?? 0) >= line.length
  let index = 0
  return {
    nextStart(offset) {
      for (; index < lines.length; index++) {
        const line = lines[index]
        if (line && line.start >= offset && line.opens && isClosed(index, line)) return line.start
      }
      return Infinity
    },
    endOf(start) {
      const open = lines[index]
      if (!open || open.start !== start) return start
      for (let i = index + 1; i < lines.length; i++) {
        const line = lines[i]
        if (line && line.closes && line.char === open.char && line.length >= open.length) return line.end
      }
      return start
    },
  }
}

/** Longest closing line at or after each index: shows at once whether an opening line is ever closed. */
function longestBehind(lines: readonly FenceLine[], char: number): Int32Array {
  const longest = new Int32Array(lines.length + 1)
  for (let i = lines.length - 1; i >= 0; i--) {
    const line = lines[i]
    longest[i] = Math.max(line?.closes && line.char === char ? line.length : 0, longest[i + 1] ?? 0)
  }
  return longest
}

/** Each line is looked at once, however many fence signs it holds. */
function fenceLines(text: string): FenceLine[] {
  const found: FenceLine[] = []
  let ticks = text.indexOf('```')
  let tildes = text.indexOf('~~~')
  while (ticks >= 0 || tildes >= 0) {
    const sign = tildes < 0 || (ticks >= 0 && ticks < tildes) ? ticks : tildes
    let start = sign
    while (start > 0 && !isBreak(text.charCodeAt(start - 1))) start--
    let end = sign
    while (end < text.length && !isBreak(text.charCodeAt(end))) end++
    const line = readFenceLine(text, start, end)
    if (line) found.push(line)
    if (ticks >= 0 && ticks < end) ticks = text.indexOf('```', end)
    if (tildes >= 0 && tildes < end) tildes = text.indexOf('~~~', end)
  }
  return found
}

function readFenceLine(text: string, start: number, end: number): FenceLine | null {
  const run = prefixEnd(text, start, end)
  const char = text.charCodeAt(run)
  if (char !== tick && char !== tilde) return null
  let behind = run
  while (behind < end && text.charCodeAt(behind) === char) behind++
  if (behind - run < 3) return null
  const info = text.slice(behind, end)
  const closes = info.trim() === '' && /^[ \t>]*$/.test(text.slice(start, run))
  return { start, end, char, length: behind - run, opens: char === tilde || !info.includes('`'), closes }
}

/** Skips white space, quote signs and list signs. */
function prefixEnd(text: string, start: number, end: number): number {
  const isSpace = (i: number) => text.charCodeAt(i) === 0x20 || text.charCodeAt(i) === 0x09
  let i = start
  while (i < end) {
    const char = text.charAt(i)
    if (isSpace(i) || char === '>') i++
    else if ((char === '-' || char === '*' || char === '+') && isSpace(i + 1)) i += 2
    else {
      let digits = i
      while (digits - i < 9 && text.charCodeAt(digits) >= 0x30 && text.charCodeAt(digits) <= 0x39) digits++
      const closes = text.charAt(digits)
      if (digits === i || (closes !== '.' && closes !== ')') || !isSpace(digits + 1)) return i
      i = digits + 2
    }
  }
  return i
}

const isBreak = (code: number): boolean => code === 0x0a || code === 0x0d
