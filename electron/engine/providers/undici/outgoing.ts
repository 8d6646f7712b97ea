import { ownShare } from '../../base/fair-share.ts'
import type { Mutable } from '../../base/mutable.ts'

/**
 * A request body on its way: undici keeps the body object until the answer has ended, so it gets this one, and the
 * bytes themselves can go as soon as the answer begins. 512 slow streams must not keep 512 request bodies in memory.
 */
export interface Outgoing extends AsyncIterable<Buffer> {
  readonly length: number
  /** the bytes are still here and can be sent again */
  readonly whole: boolean
  /**
   * a body so small that it may stay as long as the answer lasts, and is written with the head in one go; null: it is
   * larger
   */
  readonly small: Buffer | null
  drop(): void
}

const smallBytes = 8 * 1024
/** Bytes that a socket gets at once: the system copies all that it takes of them before other work has its turn. */
const pieceBytes = 1024 * 1024

export function outgoing(body: Buffer | readonly Buffer[]): Outgoing {
  let pieces: readonly Buffer[] | null = (Buffer.isBuffer(body) ? [body] : body).filter((piece) => piece.length > 0)
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  const joined = length > smallBytes ? null : pieces.length === 1 ? (pieces[0] ?? null) : Buffer.concat(pieces)
  const outgoing: Mutable<Outgoing> = {
    length,
    whole: true,
    small: joined,
    drop() {
      pieces = null
      outgoing.whole = false
      outgoing.small = null
    },
    async *[Symbol.asyncIterator]() {
      // Indexed, so that a drop in the middle of sending ends it at once.
      for (let i = 0; pieces && i < pieces.length; i++) {
        const { length = 0 } = pieces[i] ?? {}
        for (let at = 0; at < length; at += pieceBytes) {
          // A socket with room takes one piece after the other within one turn of the loop.
          if (at > 0) await ownShare()
          const piece = pieces?.[i]
          if (!piece) return
          yield piece.subarray(at, at + pieceBytes)
        }
      }
    },
  }
  return outgoing
}
