/** The beginning of a frame whose end has not come yet, however small the pieces it comes in. */
export interface BegunBytes {
  readonly length: number
  /** keeps a copy: who gave the piece may use its bytes again */
  add(piece: Uint8Array): void
  /** a view of them */
  all(): Buffer
  /** gives the bytes away */
  take(): Buffer
}

export function begunBytes(): BegunBytes {
  let bytes = nothing
  let length = 0
  return {
    get length() {
      return length
    },
    add(piece) {
      if (length + piece.length > bytes.length) {
        const larger = Buffer.allocUnsafe(Math.max(512, bytes.length * 2, length + piece.length))
        bytes.copy(larger, 0, 0, length)
        bytes = larger
      }
      bytes.set(piece, length)
      length += piece.length
    },
    all: () => bytes.subarray(0, length),
    take() {
      const taken = bytes.subarray(0, length)
      bytes = nothing
      length = 0
      return taken
    },
  }
}

const nothing = Buffer.alloc(0)
