import { backslash } from './bytes.ts'
import { isHex } from './strings.ts'

/**
 * Returns a check that is true if the inside of a string token of these bytes is valid JSON: whole escapes, and no
 * control characters. It reads four bytes at once and does not check UTF-8. `end` is the closing quote's place.
 */
export function validInsides(body: Buffer): (start: number, end: number) => boolean {
  const view = new DataView(body.buffer, body.byteOffset, body.length)

  /** Returns the first control character or backslash from `at` on, or `end`. */
  function nextSpecial(at: number, end: number): number {
    let i = at
    for (; i + 4 <= end; i += 4) {
      const found = specialIn(view.getInt32(i, true))
      if (found !== 0) return i + firstByte(found)
    }
    for (let c = body[i] ?? 0; i < end && c >= 0x20 && c !== backslash; c = body[i] ?? 0) i++
    return i
  }

  return (start, end) => {
    let i = nextSpecial(start, end)
    while (i < end) {
      if (body[i] !== backslash) return false
      const c = body[i + 1] ?? 0
      if (simple[c] === 1) i += 2
      else if (c === letterU && isHexOfFour(body, i + 2)) i += 6
      else return false
      i = nextSpecial(i, end)
    }
    return i === end
  }
}

/**
 * Sets the highest bit of each byte that is below 0x20 or a backslash, by a borrow. Only the lowest set bit is
 * reliable.
 */
function specialIn(word: number): number {
  const other = word ^ 0x5c5c5c5c
  return (((word - 0x20202020) & ~word) | ((other - 0x01010101) & ~other)) & 0x80808080
}

const firstByte = (bits: number): number => (31 - Math.clz32(bits & -bits)) >> 3

const letterU = 0x75
/** `" \ / b f n r t` */
const simple = Uint8Array.from({ length: 256 }, (_, c) => ('"\\/bfnrt'.includes(String.fromCharCode(c)) ? 1 : 0))

function isHexOfFour(body: Buffer, from: number): boolean {
  for (let i = from; i < from + 4; i++) if (!isHex(body[i])) return false
  return true
}
