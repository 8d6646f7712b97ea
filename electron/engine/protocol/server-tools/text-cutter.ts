import { withoutBlanks } from './types.ts'

/**
 * Takes `shown` off the beginning of a text that comes in pieces, with the white space that joined it to what follows.
 * White space is not compared: clients trim and join. Null when there is nothing to take, or the text begins otherwise.
 */
export function textCutter(whole: string, shown: string): ((piece: string) => string) | null {
  const signs = withoutBlanks(shown)
  if (signs === '' || !withoutBlanks(whole).startsWith(signs)) return null
  let taken = 0
  let atJoint = true
  return (piece) => {
    if (!atJoint) return piece
    let i = 0
    for (; i < piece.length && taken < signs.length; i++) if (piece[i] === signs[taken]) taken++
    const left = piece.slice(i).trimStart()
    if (left !== '') atJoint = false
    return left
  }
}
