export interface MatchPart {
  text: string
  hit: boolean
}

/** Where a query stands in a text: in one piece, else as the beginnings of words. Null: it does not. */
export function match(text: string, query: string): MatchPart[] | null {
  const wanted = query.trim().toLowerCase()
  if (wanted === '') return [{ text, hit: false }]
  const at = text.toLowerCase().indexOf(wanted)
  if (at >= 0)
    return [
      { text: text.slice(0, at), hit: false },
      { text: text.slice(at, at + wanted.length), hit: true },
      { text: text.slice(at + wanted.length), hit: false },
    ].filter((part) => part.text !== '')
  const beginnings = wanted.split(/\s+/)
  const parts: MatchPart[] = []
  for (const piece of text.split(/(\s+)/)) {
    const next = beginnings[0]
    if (next !== undefined && piece.toLowerCase().startsWith(next)) {
      beginnings.shift()
      parts.push({ text: piece.slice(0, next.length), hit: true }, { text: piece.slice(next.length), hit: false })
    } else parts.push({ text: piece, hit: false })
  }
  return beginnings.length === 0 ? parts.filter((part) => part.text !== '') : null
}
