/** A text as it stands inside a sentence: one line, at most `max` characters, cut at a word where that is near. */
export function excerpt(text: string, max = 120): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const characters = [...line]
  if (characters.length <= max) return line
  const head = characters.slice(0, max - 1).join('')
  // A word that ends exactly here is whole.
  const space = characters[max - 1] === ' ' ? -1 : head.lastIndexOf(' ')
  return `${(space > head.length * 0.7 ? head.slice(0, space) : head).replace(/[\s,.;:，。；：]+$/, '')}…`
}
