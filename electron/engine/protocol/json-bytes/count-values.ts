import { backslash, comma, openBrace, openBracket, quote } from './bytes.ts'

/**
 * Whether a JSON text may hold more values than `most`. Counted are the signs in front of values, those in strings
 * aside, and no further than that: much less work than to parse it.
 */
export function holdsMoreValues(json: Buffer, most: number): boolean {
  // Each value takes a sign and is followed by another.
  if (json.length < 2 * most) return false
  let count = 0
  for (let i = 0; i < json.length; i++) {
    const c = json[i]
    if (c === quote) i = stringEnd(json, i)
    else if ((c === comma || c === openBrace || c === openBracket) && ++count > most) return true
  }
  return false
}

/** The closing quote; the text's end where there is none. */
function stringEnd(json: Buffer, start: number): number {
  for (let at = json.indexOf(quote, start + 1); at >= 0; at = json.indexOf(quote, at + 1)) {
    let slashes = 0
    while (json[at - 1 - slashes] === backslash) slashes++
    if (slashes % 2 === 0) return at
  }
  return json.length
}
