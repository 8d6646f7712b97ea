import { backslash } from './bytes.ts'
import { isHex } from './strings.ts'

/**
 * Whether the inside of a string token is what JSON allows: whole escapes, and no control characters. Four bytes at a
 * time where none of them is either; bytes of UTF-8 are not looked at. `end` is the closing quote's place.
 */
export function isValidInside(body: Buffer, start: number, end: number): boolean {
  const shift = body.byteOffset & 3
  const words = new Int32Array(body.buffer, body.byteOffset - shift, (body.length + shift) >>> 2)
  for (let i = start; i < end;) {
    if (((i + shift) & 3) === 0) {
      while (i + 4 <= end && isPlain(words[(i + shift) >>> 2] ?? 0)) i += 4
      if (i >= end) return true
    }
    const c = body[i] ?? 0
    if (c < 0x20) return false
    if (c !== backslash) i++
    else if (escapes[body[i + 1] ?? 0] === simple) i += 2
    else if (body[i + 1] === 0x75 && isHexOfFour(body, i + 2)) i += 6
    else return false
    if (i > end) return false
  }
  return true
}

/** None of the four bytes is smaller than 0x20 or a backslash: if one is, a borrow reaches a byte's highest bit. */
function isPlain(word: number): boolean {
  const other = word ^ 0x5c5c5c5c
  return ((((word - 0x20202020) & ~word) | ((other - 0x01010101) & ~other)) & 0x80808080) === 0
}

const simple = 1
/** `" \ / b f n r t` */
const escapes = Uint8Array.from({ length: 256 }, (_, c) => ('"\\/bfnrt'.includes(String.fromCharCode(c)) ? simple : 0))

function isHexOfFour(body: Buffer, from: number): boolean {
  for (let i = from; i < from + 4; i++) if (!isHex(body[i])) return false
  return true
}
