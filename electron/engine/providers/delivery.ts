import type { Clock } from '../base/clock.ts'
import type { Disposable } from '../base/disposable.ts'
import type { OnwardError } from '../base/errors.ts'
import { fairShare } from '../base/work.ts'
import type { Mutable } from '../base/mutable.ts'
import type { UpstreamHandler } from './types.ts'

/** Hands an answer to its reader at the reader's pace; the surplus of one socket read waits here. */
export interface Delivery {
  head(status: number, headers: Record<string, string | string[]>): void
  data(chunk: Buffer): void
  /** after everything that waits */
  end(error: OnwardError | null): void
  /** at once: what waits is dropped */
  cut(error: OnwardError): void
  /** the reader has room again */
  resume(): void
  readonly over: boolean
}

/** Bytes: about two hundred of the smallest events. Time is checked no more often than this. */
const PIECE_BYTES = 32 * 1024

/**
 * `hold` and `read` stop and start the source. Exactly one end or error is reported, never from within `cut` or
 * `resume`. However much comes at once, other work has its turns between its pieces.
 */
export function delivery(
  handler: UpstreamHandler,
  source: { hold(): void; read(): void },
  share = fairShare,
): Delivery {
  let waiting: Buffer[] = []
  /** other work has its turn */
  let rests = false
  let ending: { error: OnwardError | null } | null = null
  let held = false
  let ended = false
  let telling = false
  let resumeAsked = false
  let cutOff = false

  const give = (chunk: Buffer): void => {
    telling = true
    resumeAsked = false
    const room = handler.onData(chunk)
    telling = false
    if (room || resumeAsked || ended) return
    held = true
    // Once everything is here the connection serves other requests: only what waits is held.
    if (!ending) source.hold()
  }
  /** In pieces, for as long as there is time and room. */
  const giveAll = (): void => {
    while (waiting.length > 0 && !held && !ended) {
      if (!share.hasTime()) return rest()
      const [chunk] = waiting
      if (!chunk) return
      if (chunk.length > PIECE_BYTES) waiting[0] = chunk.subarray(PIECE_BYTES)
      else waiting.shift()
      give(chunk.length > PIECE_BYTES ? chunk.subarray(0, PIECE_BYTES) : chunk)
    }
  }
  const rest = (): void => {
    rests = true
    if (!ending) source.hold()
    share.wait(() => {
      rests = false
      flow()
    })
  }
  const tellEnd = (): void => {
    if (ended || !ending) return
    ended = true
    if (ending.error) handler.onError(ending.error)
    else handler.onEnd()
  }
  const flow = (): void => {
    if (ended || held || rests) return
    giveAll()
    if (held || rests || ended) return
    if (!ending) source.read()
    // The end of a long answer may be work of its own: all of it is said again, or written.
    else if (share.hasTime()) tellEnd()
    else rest()
  }
  const read = (): void => {
    if (!held) return
    held = false
    flow()
  }
  const answer: Mutable<Delivery> = {
    over: false,
    head(status, headers) {
      if (!ended && !ending) handler.onHead(status, headers)
    },
    data(chunk) {
      if (ended || ending) return
      waiting.push(chunk)
      if (!held && !rests) giveAll()
    },
    end(error) {
      if (ended || ending) return
      ending = { error }
      answer.over = true
      // The connection goes back to its pool, so nothing may keep it unread.
      source.read()
      if (waiting.length === 0 && !held) tellEnd()
    },
    cut(error) {
      if (ended || cutOff) return
      cutOff = true
      waiting = []
      ending = { error }
      answer.over = true
      held = false
      queueMicrotask(tellEnd)
    },
    resume() {
      if (telling) resumeAsked = true
      else if (held) queueMicrotask(read)
    },
  }
  return answer
}

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
