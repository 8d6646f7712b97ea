import type { Found } from './types.ts'
import type { Refused } from './relative-path.ts'
import { withoutTokens } from './secret-content.ts'

/** Characters of one answer to a model. */
export const mostChars = 24_000
const longestLine = 400
/** Characters examined after a cut, so that half a key is recognized as one. */
const behindCut = 4_096

export const inspected = (what: string, text: string, say: string): Found => ({
  ok: true,
  text: without(text, mostChars),
  say,
  what,
})
export const notInspected = (what: string, { text, say }: Refused | { text: string; say: string }): Found => ({
  ok: false,
  text: without(text, mostChars),
  say,
  what: what.slice(0, longestLine),
})

export const cutLine = (line: string): string =>
  line.length > longestLine ? `${without(line, longestLine)}… (${line.length} characters)` : line

/** The beginning of a text, without keys of known services. */
const without = (text: string, most: number): string => withoutTokens(text.slice(0, most + behindCut)).slice(0, most)

/** As many of the lines as there is room for beside a note of `reserved` characters. */
export function linesThatFit(lines: readonly string[], reserved = 400): readonly string[] {
  let chars = 0
  const over = lines.findIndex((line) => (chars += line.length + 1) > mostChars - reserved)
  return over < 0 ? lines : lines.slice(0, over)
}

export const counted = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`
