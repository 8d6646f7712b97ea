import { fairShare } from '../../base/fair-share.ts'
import { mostFrameValues } from '../../protocol/answer/frame.ts'
import { holdsMoreValues } from '../../protocol/json-bytes/count-values.ts'
import { parseObject, parseObjects } from '../../protocol/values.ts'
import { beginsWith } from './begins-with.ts'

/** A longer body is joined in pieces: its fresh memory takes longer than other work may be kept waiting. */
export const joinedAtOnce = 1024 * 1024

export type HeldBytes = ReturnType<typeof heldBytes>

/** The chunks of a body, joined once. */
export function heldBytes() {
  let chunks: Buffer[] = []
  const held = {
    length: 0,
    endsAsJson: (): boolean => /[}\]]\s*$/.test(chunks.at(-1)?.toString('latin1', -16) ?? ''),
    isJson(): boolean {
      const whole = Buffer.concat(chunks)
      if (holdsMoreValues(whole, mostFrameValues)) return false
      return parseObject(whole) !== null || parseObjects(whole) !== null
    },
    add(chunk: Buffer) {
      chunks.push(chunk)
      held.length += chunk.length
    },
    take() {
      const all = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
      chunks = []
      held.length = 0
      return all
    },
    /** A reader recognises a body by the first sign of its first piece, and blanks may have come first. */
    takePieces(): Buffer[] {
      const blanks = chunks.findIndex((chunk) => beginsWith(chunk) !== 'blanks')
      const pieces = blanks > 0 ? [Buffer.concat(chunks.slice(0, blanks + 1)), ...chunks.slice(blanks + 1)] : chunks
      chunks = []
      held.length = 0
      return pieces
    },
    /** for a body that is joined in turns of the event loop */
    takeByTurns(then: (all: Buffer) => void) {
      const all = Buffer.allocUnsafeSlow(held.length)
      const pieces = chunks
      chunks = []
      held.length = 0
      const join = (from: number, to: number): void => {
        let at = to
        for (const [i, piece] of pieces.slice(from).entries()) {
          if (!fairShare.hasTime()) return fairShare.wait(() => join(from + i, at))
          all.set(piece, at)
          at += piece.length
        }
        then(all)
      }
      join(0, 0)
    },
  }
  return held
}
