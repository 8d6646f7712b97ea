import type { RoundJoiner } from './types.ts'

/**
 * Joins whole JSON answers: nothing is sent before the last has come. `join` gets at least two; a single body stays as
 * it came.
 */
export function jsonJoiner(
  join: (bodies: readonly Buffer[]) => Buffer,
  say: (body: Buffer, text: string) => Buffer,
): RoundJoiner {
  const bodies: Buffer[] = []
  let current: Buffer | null = null
  let dropped = false
  let said: string | null = null
  let whole: Buffer = nothing

  function complete(): void {
    bodies.push(current ?? nothing)
    current = null
  }

  return {
    frame(body) {
      if (!dropped) current = body.raw
    },
    end: () => undefined,
    take() {
      const taken = whole
      whole = nothing
      return taken
    },
    endRound: complete,
    dropRound() {
      if (bodies.length === 0) return
      dropped = true
      current = null
    },
    // Nothing has been sent yet, so the client gets the error alone.
    failRound(error) {
      whole = error
    },
    say(text) {
      said = text
    },
    keepAlive: () => undefined,
    finish() {
      if (!dropped) complete()
      const [only] = bodies
      const all = bodies.length === 1 && only ? only : join(bodies)
      whole = said === null ? all : say(all, said)
    },
  }
}

const nothing = Buffer.alloc(0)
