import type { RoundJoiner } from './types.ts'

/**
 * Joins whole JSON answers: nothing goes out before the last. `join` gets at least two; a single body stays as it came.
 */
export function jsonJoiner(
  join: (bodies: readonly Buffer[]) => Buffer,
  say: (body: Buffer, text: string) => Buffer,
): RoundJoiner {
  const bodies: Buffer[] = []
  let pieces: Buffer[] = []
  let dropped = false
  let said: string | null = null

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
    endRound() {
      bodies.push(take())
    },
    dropRound() {
      if (bodies.length === 0) return
      dropped = true
      pieces = []
    },
    // Nothing has gone out yet: the client gets an error of its own.
    failRound: (error) => error,
    say(text) {
      said = text
      return nothing
    },
    keepAlive: () => nothing,
    finish() {
      if (!dropped) bodies.push(take())
      const [only] = bodies
      const whole = bodies.length === 1 && only ? only : join(bodies)
      return said === null ? whole : say(whole, said)
    },
  }
}

const nothing = Buffer.alloc(0)
