import { backslash, quote } from './bytes.ts'
import { badJson } from './errors.ts'

/** A string is read byte by byte up to here; the end of a longer one is searched natively, which is far quicker. */
const walked = 24

/**
 * Returns the offset after the string token that begins at `start`. Control characters and escapes are checked in its
 * first 24 bytes only: a bad escape in a longer string is found when it is decoded, or by the upstream.
 * @throws OnwardError `bad-json`
 */
export function stringEnd(body: Buffer, start: number): number {
  const stop = start + 1 + walked
  let i = start + 1
  while (i < stop) {
    const c = body[i]
    if (c === quote) return i + 1
    if (c === backslash) i = escapeEnd(body, i)
    else if (c === undefined) throw badJson('a string never ends', start)
    else if (c < 0x20) throw badJson('a control character in a string', i)
    else i++
  }
  return longStringEnd(body, start, i)
}

/** `from` comes after complete characters and escapes. */
function longStringEnd(body: Buffer, start: number, from: number): number {
  for (let i = from; ;) {
    const end = body.indexOf(quote, i)
    if (end < 0) throw badJson('a string never ends', start)
    let before = end
    while (before > i && body[before - 1] === backslash) before--
    if ((end - before) % 2 === 0) return end + 1
    i = end + 1
  }
}

function escapeEnd(body: Buffer, at: number): number {
  const c = body[at + 1]
  if (c === 0x75) {
    for (let i = at + 2; i < at + 6; i++) if (!isHex(body[i])) throw badJson('a bad escape', at)
    return at + 6
  }
  if (c === undefined || !simpleEscapes.includes(c)) throw badJson('a bad escape', at)
  return at + 2
}

/** `" \ / b f n r t` */
const simpleEscapes: readonly number[] = [0x22, 0x5c, 0x2f, 0x62, 0x66, 0x6e, 0x72, 0x74]

export const isHex = (c: number | undefined): boolean =>
  c !== undefined && ((c >= 0x30 && c <= 0x39) || (c >= 0x41 && c <= 0x46) || (c >= 0x61 && c <= 0x66))
