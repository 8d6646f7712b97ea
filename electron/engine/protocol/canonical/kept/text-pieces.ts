import { withoutBlanks } from '../../server-tools/types.ts'
import type { TextPart } from '../request.ts'
import type { KeptPiece } from './kept-answer.ts'

type TextPiece = Extract<KeptPiece, { type: 'text' }>

/**
 * Cuts a client's texts into the pieces they were made of, one after the other. Where the client only trimmed or joined
 * them they are counted without blanks. A text that is one piece stays the very part, cache mark and all.
 */
export function textPieces(
  texts: readonly TextPart[],
  pieces: readonly TextPiece[],
): (piece: TextPiece) => readonly TextPart[] {
  const left = [...texts]
  const exact =
    texts.reduce((sum, { text }) => sum + text.length, 0) === pieces.reduce((sum, { length }) => sum + length, 0)
  let rest = pieces.length
  return (piece) => {
    rest--
    // The last one gets whatever there is.
    if (rest === 0) return joined(left.splice(0))
    let wanted = exact ? piece.length : piece.solid
    const found: TextPart[] = []
    while (wanted > 0) {
      const part = left.shift()
      if (!part) break
      const size = exact ? part.text.length : withoutBlanks(part.text).length
      if (size <= wanted) {
        found.push(part)
        wanted -= size
        continue
      }
      const at = exact ? wanted : endOfSolid(part.text, wanted)
      const { cache: _, ...first } = part
      found.push({ ...first, text: part.text.slice(0, at) })
      left.unshift({ ...part, text: part.text.slice(at) })
      break
    }
    return joined(found)
  }
}

function joined(parts: readonly TextPart[]): readonly TextPart[] {
  const last = parts.at(-1)
  return last && parts.length > 1 ? [{ ...last, text: parts.map(({ text }) => text).join('') }] : parts
}

/** Returns where this many characters that are no white space end, with the blanks after them. */
function endOfSolid(text: string, count: number): number {
  let seen = 0
  let at = 0
  for (; at < text.length; at++) {
    if (/\s/.test(text[at] ?? '')) continue
    if (seen === count) break
    seen++
  }
  return at
}
