/**
 * True if equal when every run of white space counts as one space and those at the ends as none. Stops at the first
 * difference.
 */
export function sameFolded(a: string, b: string): boolean {
  let i = skipWhite(a, 0)
  let j = skipWhite(b, 0)
  while (i < a.length && j < b.length) {
    const whiteA = isWhite(a.charCodeAt(i))
    if (whiteA !== isWhite(b.charCodeAt(j))) return endsHere(a, i) && endsHere(b, j)
    if (whiteA) {
      i = skipWhite(a, i)
      j = skipWhite(b, j)
      if (i === a.length || j === b.length) break
    } else if (a.charCodeAt(i) === b.charCodeAt(j)) {
      i++
      j++
    } else return false
  }
  return endsHere(a, i) && endsHere(b, j)
}

const endsHere = (text: string, from: number): boolean => skipWhite(text, from) === text.length
export const isBlank = (text: string, from: number, to: number): boolean => skipWhite(text, from) >= to

function skipWhite(text: string, from: number): number {
  let at = from
  while (at < text.length && isWhite(text.charCodeAt(at))) at++
  return at
}

/** Matches `\s` of a regular expression, by code unit. */
function isWhite(code: number): boolean {
  if (code <= 32) return code === 32 || (code >= 9 && code <= 13)
  if (code < 160) return false
  return (
    code === 160 ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000 ||
    code === 0xfeff
  )
}
