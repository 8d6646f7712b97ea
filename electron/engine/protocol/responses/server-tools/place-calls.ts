import { callsByPlace } from '../../server-tools/calls-by-place.ts'
import type { HiddenHistory } from '../../server-tools/types.ts'

/** An item of the answer as it is sent: the client's, by its index in the request, or one put back. */
export type Piece = { from: number; bytes: Buffer; is: 'call' | 'reasoning' | 'other' } | { from: null; bytes: Buffer }

/**
 * Puts hidden calls back among the client's copy of the answer. Between two of the client's calls, a hidden call goes
 * after a thought that lost the item it led to ("reasoning was provided without its required following item"), else to
 * the end.
 */
export function placeCalls(pieces: readonly Piece[], hidden: HiddenHistory['calls']): Piece[] {
  const out: Piece[] = []
  let calls = 0
  const standing = callsByPlace(hidden)
  const waiting = (): Buffer[] => standing(calls).map(({ json }) => Buffer.from(json))
  let here = waiting()
  const put = (count: number): void => {
    out.push(...here.splice(0, count).map((bytes) => ({ from: null, bytes })))
  }
  for (const [i, piece] of pieces.entries()) {
    const isCall = piece.from !== null && piece.is === 'call'
    if (isCall) put(here.length)
    out.push(piece)
    if (isCall) {
      calls++
      here = waiting()
    } else if (isReasoning(piece) && isReasoning(pieces[i + 1])) put(1)
  }
  put(here.length)
  // The answer had more calls than the client has now, so the places of these are unknown.
  out.push(
    ...hidden
      .filter(({ callsBefore }) => callsBefore > calls)
      .map(({ json }) => ({ from: null, bytes: Buffer.from(json) })),
  )
  return out
}

const isReasoning = (piece: Piece | undefined): boolean =>
  piece !== undefined && piece.from !== null && piece.is === 'reasoning'
