export const isOpeningQuote = (char: string | undefined): boolean => char === '"' || char === '“' || char === '”'

/** Reads the quoted text that opens at `start`: its plain text and where it ends, or null when it is never closed. */
export function readQuoted(body: string, start: number): { text: string; end: number } | null {
  const closes = body[start] === '"' ? '"' : '”'
  let text = ''
  let from = start + 1
  for (let i = from; i < body.length; i++) {
    if (body[i] === '\\' && body[i + 1] === '"') {
      text += body.slice(from, i)
      from = i + 1
      i++
    } else if (body[i] === closes) return { text: text + body.slice(from, i), end: i + 1 }
  }
  return null
}
