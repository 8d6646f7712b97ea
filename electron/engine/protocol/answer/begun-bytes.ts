import type { Mutable } from '../../base/mutable.ts'

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
  const begun: Mutable<BegunBytes> = {
    length: 0,
    add(piece) {
      const { length } = begun
      if (length + piece.length > bytes.length) {
        const larger = Buffer.allocUnsafe(Math.max(512, bytes.length * 2, length + piece.length))
        bytes.copy(larger, 0, 0, length)
        bytes = larger
      }
      bytes.set(piece, length)
      begun.length = length + piece.length
    },
    all: () => bytes.subarray(0, begun.length),
    take() {
      const taken = bytes.subarray(0, begun.length)
      bytes = nothing
      begun.length = 0
      return taken
    },
  }
  return begun
}

const nothing = Buffer.alloc(0)
