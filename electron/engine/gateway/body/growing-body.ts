import { freeMemory } from '../../base/free-memory.ts'

/** Bytes of a body as they come; `take` empties it. */
export interface GrowingBody {
  /** the piece is the body's own from then on, and may be empty */
  add(chunk: Buffer): void
  take(): Buffer
}

/** A smaller body comes in one or two pieces, which cost less to keep than memory of its own. */
const joinedFrom = 64 * 1024

/** `announced`: its length, 0 where that is not known. */
export const growingBody = (announced: number): GrowingBody =>
  announced >= joinedFrom ? bodyOfLength(announced) : bodyInPieces()

/**
 * Each piece is put where it belongs as it comes, so that its own memory can go at once: the pieces of many bodies at a
 * time would outlive the collections that are cheap. The system gives the pages as they are written to, so a length
 * that is only announced takes none. Node ends no request whose body is not as long as announced.
 */
function bodyOfLength(announced: number): GrowingBody {
  let whole: Buffer | null = null
  let length = 0
  return {
    add(chunk) {
      whole ??= Buffer.allocUnsafeSlow(announced)
      length += chunk.copy(whole, length)
      freeMemory(chunk)
    },
    take() {
      const taken = whole?.subarray(0, length) ?? nothing
      whole = null
      length = 0
      return taken
    },
  }
}

function bodyInPieces(): GrowingBody {
  let chunks: Buffer[] = []
  return {
    add(chunk) {
      chunks.push(chunk)
    },
    take() {
      const whole = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
      chunks = []
      return whole
    },
  }
}

const nothing = Buffer.alloc(0)
