import type { Clock } from '../base/clock.ts'
import type { Disposable } from '../base/disposable.ts'

/** At most one piece in this interval: far less than the 5 to 20 ms that a quick model needs for a token. */
const APART_MS = 2
/** A read of at least this size is not made of small pieces, so it does not wait. */
const MUCH_BYTES = 16 * 1024

/** The source of the pieces: read freely, or paced, once for each `next`. */
export interface PiecesSource {
  pace(): void
  next(): void
  free(): void
}

/** Joins pieces that come close together. `dispose` drops what waits. */
export interface Gather extends Disposable {
  data(chunk: Buffer): void
  /** hands on what waits, at once: no more comes */
  end(): void
}

/**
 * A piece costs several system calls and a way through all later steps, whether it holds one event or fifty. One that
 * comes after a silence goes on at once, together with everything from the same read; those that follow closely are
 * left in the kernel for a moment, and come as one.
 */
export function gather(clock: Clock, source: PiecesSource, give: (chunk: Buffer) => void): Gather {
  /** nearly always there is only this one */
  let first: Buffer | null = null
  let more: Buffer[] = []
  let waitingBytes = 0
  let lastGiven = -Infinity
  let timer: Disposable | null = null
  let scheduled = false
  let paced = false
  /** `queueMicrotask` would make a resource for async hooks at each call. */
  const settled = Promise.resolve()

  const flush = () => {
    scheduled = false
    if (first === null) return
    const all = more.length === 0 ? first : Buffer.concat([first, ...more], waitingBytes)
    first = null
    if (more.length > 0) more = []
    waitingBytes = 0
    lastGiven = clock.monotonic()
    give(all)
  }
  const free = () => {
    timer?.dispose()
    timer = null
    if (!paced) return
    paced = false
    source.free()
  }
  const flushAndRead = () => {
    timer?.dispose()
    timer = null
    flush()
    if (paced) source.next()
  }
  return {
    data(chunk) {
      if (first === null) first = chunk
      else more.push(chunk)
      waitingBytes += chunk.length
      if (scheduled) return
      if (waitingBytes >= MUCH_BYTES) return flushAndRead()
      if (timer) return
      const left = lastGiven + APART_MS - clock.monotonic()
      if (left <= 0) {
        free()
        scheduled = true
        void settled.then(flush)
        return
      }
      if (!paced) source.pace()
      paced = true
      timer = clock.after(left, flushAndRead)
    },
    end() {
      free()
      flush()
    },
    dispose() {
      first = null
      more = []
      free()
    },
  }
}
