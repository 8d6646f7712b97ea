/** Line breaks at the start of a text, CR LF counted as one: the offset behind each. */
export function breaksAtStart(text: string): number[] {
  const offsets: number[] = []
  for (let i = 0; i < text.length;) {
    const c = text[i]
    if (c !== '\n' && c !== '\r') break
    i += c === '\r' && text[i + 1] === '\n' ? 2 : 1
    offsets.push(i)
  }
  return offsets
}

/** Line breaks at the end of a text, CR LF counted as one: the offset before each, last break first. */
export function breaksAtEnd(text: string): number[] {
  const offsets: number[] = []
  for (let i = text.length; i > 0;) {
    const c = text[i - 1]
    if (c !== '\n' && c !== '\r') break
    i -= c === '\n' && text[i - 2] === '\r' ? 2 : 1
    offsets.push(i)
  }
  return offsets
}
