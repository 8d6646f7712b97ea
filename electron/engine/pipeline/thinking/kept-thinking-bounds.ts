import { sizeOf, type KeptAnswer } from '../../protocol/canonical/index.ts'

export interface Kept {
  /** oldest first */
  answers: readonly KeptAnswer[]
  /** some answers that were kept here have been dropped */
  forgotten: boolean
}

/** of one conversation; characters */
const mostChars = 4 * 1024 * 1024
const mostAnswers = 2_000
/** After this time no client goes on with a conversation in which its thinking is still of use. */
const keptMs = 30 * 24 * 60 * 60_000

export const isOld = ({ at }: KeptAnswer, now: number): boolean => now - at > keptMs

export const charsOf = (answers: readonly KeptAnswer[]): number =>
  answers.reduce((sum, answer) => sum + sizeOf(answer), 0)

/**
 * Drops what is too old or too much. If it is too much, half of it goes at once: each answer that goes changes the
 * beginning of the next request, which costs its provider's whole cache. The newest stays, whatever its size.
 */
export function bounded({ answers, forgotten }: Kept, now: number): Kept {
  const young = answers.filter((answer) => !isOld(answer, now))
  const fits = young.length <= mostAnswers && charsOf(young) <= mostChars
  const kept = fits ? young : newest(young)
  return { answers: kept, forgotten: forgotten || kept.length < answers.length }
}

function newest(answers: readonly KeptAnswer[]): readonly KeptAnswer[] {
  const kept: KeptAnswer[] = []
  let chars = 0
  for (const answer of answers.toReversed()) {
    chars += sizeOf(answer)
    if (kept.length > 0 && (kept.length >= mostAnswers / 2 || chars > mostChars / 2)) break
    kept.push(answer)
  }
  return kept.toReversed()
}
