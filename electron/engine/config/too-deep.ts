import { createScanner } from 'jsonc-parser'

/** Far more levels than any setting has. */
const MOST_LEVELS = 100

/** `SyntaxKind` of jsonc-parser, an enum that can't be imported as a value here. */
const openBrace = 1,
  closeBrace = 2,
  openBracket = 3,
  closeBracket = 4,
  endOfText = 17

/**
 * Where a text opens more levels than that; null: nowhere. Readers of JSON call themselves for every level, and how
 * many of those the stack bears differs from run to run: this does not, so that the same text always has the same
 * mistake.
 */
export function tooDeepAt(text: string): number | null {
  const scanner = createScanner(text, true)
  let levels = 0
  for (let token: number = scanner.scan(); token !== endOfText; token = scanner.scan()) {
    if (token === openBrace || token === openBracket) levels++
    if (token === closeBrace || token === closeBracket) levels--
    if (levels > MOST_LEVELS) return scanner.getTokenOffset()
  }
  return null
}
