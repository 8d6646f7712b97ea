import type { Mutable } from '../../base/mutable.ts'

/** The beginning of a frame whose end has not come yet. Adding many small pieces stays cheap. */
interface BegunBytes {
  readonly length: number
  /** keeps a copy, so the caller may reuse the piece's bytes */
  add(piece: Uint8Array): void
  /** a view of the bytes kept so far */
  all(): Buffer
  /** hands over the bytes and starts empty */
  take(): Buffer
}

export function begunBytes(): BegunBytes {
  let bytes = nothing
  const begun: Mutable<BegunBytes> = {
    length: 0,
    add(piece) {
      const { length } = begun
      if (length + piece.length > bytes.length) {
        // Copied a few times only: a long frame gets fresh memory little by little, as its pieces come.
        const size = length < longBytes ? bytes.length * 2 : bytes.length * 32
        const larger = Buffer.allocUnsafe(Math.max(512, size, length + piece.length))
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

const longBytes = 256 * 1024
const nothing = Buffer.alloc(0)
