/**
 * Keeps bytes that go by in few blocks instead of thousands of small pieces: an answer's events are about two hundred
 * bytes each, and the object that holds such a piece is as large as the piece.
 */
export interface KeptBytes {
  /** false: the limit is reached, and nothing is kept any more */
  add(chunk: Uint8Array): boolean
  /** null when the limit was reached */
  all(): Buffer | null
  clear(): void
}

const firstBlock = 4 * 1024
const largestBlock = 64 * 1024

export function keptBytes(most: number): KeptBytes {
  let full: Buffer[] = []
  let block: Buffer = nothing
  let used = 0
  let size = 0

  return {
    add(chunk) {
      size += chunk.length
      if (size > most) {
        full = []
        block = nothing
        used = 0
        return false
      }
      if (used + chunk.length > block.length) {
        if (used > 0) full.push(block.subarray(0, used))
        block = Buffer.allocUnsafeSlow(
          Math.max(chunk.length, Math.min(largestBlock, Math.max(firstBlock, block.length * 2))),
        )
        used = 0
      }
      block.set(chunk, used)
      used += chunk.length
      return true
    },
    all: () => (size > most ? null : Buffer.concat([...full, block.subarray(0, used)])),
    clear() {
      full = []
      block = nothing
      used = 0
      size = 0
    },
  }
}

const nothing: Buffer = Buffer.alloc(0)
