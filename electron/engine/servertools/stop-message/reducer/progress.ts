import type { StopMark } from './goal-progress.ts'

/**
 * Returns true if a round got anywhere: a tool was called, and not just with the calls of the round before once more;
 * or a file changed; or the agent says something else. Files come last, since they cost most.
 */
export async function madeProgress(
  before: StopMark,
  now: StopMark,
  filesChanged: () => Promise<boolean>,
): Promise<boolean> {
  if (now.calls !== '' && now.calls !== before.calls) return true
  if (!sameWords(before.text, now.text)) return true
  return filesChanged()
}

const alike = 0.8
const mostWords = 400
/** characters read of a text at most: enough for its words */
const mostRead = 20_000

/** Scripts that put no spaces between words. */
const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}' +
  '\\p{Script=Khmer}\\p{Script=Myanmar}'
const pieces = new RegExp(`[${unspaced}ー]+|(?:(?![${unspaced}])[\\p{L}\\p{M}])+|\\p{N}+|\\p{So}`, 'gu')
const isUnspaced = new RegExp(`^[${unspaced}ー]`, 'u')
const isNumber = /^\p{N}/u

/**
 * Returns true if two last messages of an agent say the same: “Still waiting, 12 tests run.” and “still waiting: 13
 * tests run”. Case, digits, white space and punctuation are ignored; four of five different words must be shared.
 */
export function sameWords(a: string, b: string): boolean {
  if (a === b) return true
  const one = wordsOf(a)
  const other = wordsOf(b)
  if (one.size === 0 || other.size === 0) return one.size === other.size
  const shared = [...one].filter((word) => other.has(word)).length
  return shared / (one.size + other.size - shared) >= alike
}

function wordsOf(text: string): ReadonlySet<string> {
  const words = new Set<string>()
  let count = 0
  for (const [piece] of text.slice(0, mostRead).normalize('NFKC').toLowerCase().matchAll(pieces)) {
    for (const word of isNumber.test(piece) ? ['0'] : isUnspaced.test(piece) ? bigrams(piece) : [piece]) {
      if (count === mostWords) return words
      count += 1
      words.add(word)
    }
  }
  return words
}

/** 我们继续 -> 我们 们继 继续; a sign on its own is its own word. */
function bigrams(run: string): readonly string[] {
  const signs = Array.from(run)
  return signs.length === 1 ? signs : signs.slice(1).map((sign, i) => `${signs[i] ?? ''}${sign}`)
}
