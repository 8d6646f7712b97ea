import type { RoundJoiner } from './types.ts'

/** Joins whole JSON answers: nothing goes out before the last. `join` gets at least two; a single body stays as it came. */
export function jsonJoiner(join: (bodies: readonly Buffer[]) => Buffer): RoundJoiner {
  const bodies: Buffer[] = []
  let pieces: Buffer[] = []
  let dropped = false

  function take(): Buffer {
    const body = pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces)
    pieces = []
    return body
  }

  return {
    push(chunk) {
      if (!dropped) pieces.push(Buffer.from(chunk))
      return nothing
    },
    endRound() { bodies.push(take()) },
    dropRound() {
      if (bodies.length === 0) return
      dropped = true
      pieces = []
    },
    finish() {
      if (!dropped) bodies.push(take())
      const [only] = bodies
      return bodies.length === 1 && only ? only : join(bodies)
    },
  }
}

const nothing = Buffer.alloc(0)
