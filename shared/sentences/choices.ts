import { excerpt } from './excerpt.ts'

const most = 4
const longest = 28
/** A key that does the same in the agent's own dialog: `(y)`, `(esc)`, `(shift+tab)`. */
const keyHint = /\s*\((?:esc|[a-z]|[a-z]+\+[a-z]+)\)$/

/** What a dialog offers, short: each in a few words, the first of them. */
export function choicesInShort(labels: readonly string[]): readonly string[] {
  const short = labels.slice(0, most).map((label) => excerpt(label.replace(keyHint, ''), longest))
  return labels.length > most ? [...short, '…'] : short
}
