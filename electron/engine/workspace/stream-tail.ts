/** The end of a stream, as text: its last `limit` characters, never half of one. */
export interface StreamTail {
  push(chunk: Buffer): void
  text(): string
}

/** The most bytes that a UTF-16 character takes in UTF-8. */
const BYTES_PER_CHAR = 4

export function streamTail(limit: number): StreamTail {
  const most = limit * BYTES_PER_CHAR
  let kept: Buffer[] = []
  let bytes = 0
  let cut = false
  const whole = () => Buffer.concat(kept)
  return {
    push(chunk) {
      kept.push(chunk)
      bytes += chunk.length
      // Only when twice as much has come: joining at every chunk would copy the same bytes again and again.
      if (bytes <= most * 2) return
      kept = [whole().subarray(-most)]
      bytes = most
      cut = true
    },
    text() {
      const all = whole()
      return lastCharacters(all.subarray(cut ? firstCharacter(all) : 0).toString('utf8'), limit)
    },
  }
}

/** Where the first character begins that is there as a whole: bytes `10xxxxxx` go on with one. */
function firstCharacter(bytes: Buffer): number {
  let at = 0
  while (at < BYTES_PER_CHAR - 1 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at++
  return at
}

/** @returns the end of a text, without half of a surrogate pair */
export function lastCharacters(text: string, limit: number): string {
  if (text.length <= limit) return text
  const from = text.length - limit
  const code = text.charCodeAt(from)
  return text.slice(code >= 0xdc00 && code <= 0xdfff ? from + 1 : from)
}
