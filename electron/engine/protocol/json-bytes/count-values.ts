import { backslash, comma, openBrace, openBracket, quote } from './bytes.ts'

/**
 * True if a JSON text may hold more than `most` values. Counts commas and opening brackets outside strings and stops
 * above `most`, which is much less work than parsing.
 */
export function holdsMoreValues(json: Buffer, most: number): boolean {
  // Each value takes at least a character and a separator.
  if (json.length < 2 * most) return false
  let count = 0
  for (let i = 0; i < json.length; i++) {
    const c = json[i]
    if (c === quote) i = stringEnd(json, i)
    else if ((c === comma || c === openBrace || c === openBracket) && ++count > most) return true
  }
  return false
}

/** Returns the closing quote, or the text's end if there is none. */
function stringEnd(json: Buffer, start: number): number {
  for (let at = json.indexOf(quote, start + 1); at >= 0; at = json.indexOf(quote, at + 1)) {
    let slashes = 0
    while (json[at - 1 - slashes] === backslash) slashes++
    if (slashes % 2 === 0) return at
  }
  return json.length
}
