/**
 * Offsets of a text in UTF-16 units and in bytes of UTF-8 (Gemini counts those), without the text: only its runs of
 * equally long characters are kept, for most languages one in a few words.
 */
export interface Utf8Places {
  /** the next piece of the text */
  add(text: string): void
  /** null where the byte is beyond the text or within a character */
  unitAt(byte: number): number | null
  /** null where the unit is beyond the text or within a character */
  byteAt(unit: number): number | null
  units(): number
  bytes(): number
}

interface Run {
  byte: number
  unit: number
  /** bytes and units of each of its characters */
  bytes: number
  width: number
}

export function utf8Places(): Utf8Places {
  const runs: Run[] = []
  let bytes = 0
  let units = 0
  /** the first half of a character whose second one comes with the next piece */
  let half = ''

  function grow(length: number, width: number, count: number): void {
    const last = runs.at(-1)
    if (last?.bytes !== length || last.width !== width) runs.push({ byte: bytes, unit: units, bytes: length, width })
    bytes += length * count
    units += width * count
  }

  function find(at: number, by: 'byte' | 'unit'): Run | null {
    let low = 0
    let high = runs.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((runs[middle]?.[by] ?? Infinity) <= at) low = middle
      else high = middle - 1
    }
    return runs[low] ?? null
  }

  return {
    units: () => units + half.length,
    bytes: () => bytes,
    add(piece) {
      const text = half + piece
      half = ''
      for (let i = 0; i < text.length; i++) {
        const from = i
        while (i < text.length && text.charCodeAt(i) < 0x80) i++
        if (i > from) grow(1, 1, i - from)
        if (i === text.length) return
        const code = text.codePointAt(i) ?? 0
        if (code > 0xffff) {
          grow(4, 2, 1)
          i++
        } else if (i === text.length - 1 && code >= 0xd800 && code < 0xdc00) half = text.slice(i)
        else grow(code < 0x800 ? 2 : 3, 1, 1)
      }
    },
    unitAt(byte) {
      if (byte === bytes) return units
      const run = byte >= 0 && byte < bytes ? find(byte, 'byte') : null
      if (!run || (byte - run.byte) % run.bytes !== 0) return null
      return run.unit + ((byte - run.byte) / run.bytes) * run.width
    },
    byteAt(unit) {
      if (unit === units) return bytes
      const run = unit >= 0 && unit < units ? find(unit, 'unit') : null
      if (!run || (unit - run.unit) % run.width !== 0) return null
      return run.byte + ((unit - run.unit) / run.width) * run.bytes
    },
  }
}
