import { excerpt } from './excerpt.ts'

const most = 4
const longest = 28
/** A key that does the same in the agent's own dialog: `(y)`, `(esc)`, `(shift+tab)`. */
const keyHint = /\s*\((?:esc|[a-z]|[a-z]+\+[a-z]+)\)$/

/** A dialog's choices in short: the first of them, each in a few words. */
export function choicesInShort(labels: readonly string[]): readonly string[] {
  const short = labels.slice(0, most).map((label) => excerpt(label.replace(keyHint, ''), longest))
  return labels.length > most ? [...short, '…'] : short
}
