/** The beginning of a line whose end has not come yet, however small the pieces it comes in. */
export interface LineBuffer {
  /** bytes kept so far */
  readonly length: number
  /** Keeps a copy, as far as there is room; what does not fit is dropped and the line counts as cut. */
  add(piece: Buffer): void
  /** Gives the line away and begins a new one. */
  take(): { line: Buffer; cut: boolean }
}

export function lineBuffer(limit: number): LineBuffer {
  let bytes = Buffer.alloc(0)
  let length = 0
  let cut = false
  return {
    get length() {
      return length
    },
    add(piece) {
      const fits = Math.min(piece.length, limit - length)
      if (fits < piece.length) cut = true
      if (length + fits > bytes.length) {
        const larger = Buffer.allocUnsafe(Math.min(limit, Math.max(512, bytes.length * 2, length + fits)))
        bytes.copy(larger, 0, 0, length)
        bytes = larger
      }
      piece.copy(bytes, length, 0, fits)
      length += fits
    },
    take() {
      const taken = { line: bytes.subarray(0, length), cut }
      bytes = Buffer.alloc(0)
      length = 0
      cut = false
      return taken
    },
  }
}
