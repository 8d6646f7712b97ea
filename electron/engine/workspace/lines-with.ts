/** Bytes shown of a line before and after the text that was found in it. */
const before = 120
const after = 240

/** The lines of a file that hold a text, counted from 1, cut around it. */
export function linesWith(bytes: Buffer, query: Buffer): { line: number; text: string }[] {
  const found: { line: number; text: string }[] = []
  let line = 1
  let counted = 0
  for (let hit = bytes.indexOf(query); hit >= 0;) {
    for (let next = bytes.indexOf(10, counted); next >= 0 && next < hit; next = bytes.indexOf(10, counted)) {
      line += 1
      counted = next + 1
    }
    const newline = bytes.indexOf(10, hit)
    const end = newline < 0 ? bytes.length : newline
    found.push({ line, text: around(bytes, counted, hit, Math.min(end, hit + query.length + after), end) })
    hit = newline < 0 ? -1 : bytes.indexOf(query, newline)
  }
  return found
}

function around(bytes: Buffer, start: number, hit: number, until: number, end: number): string {
  const from = Math.max(start, hit - before)
  const text = bytes.toString('utf8', from, until).replace(/\r$/, '')
  // A cut may fall into a character.
  return `${from > start ? `…${text.replace(/^\uFFFD+/, '')}` : text.trimStart()}${until < end ? '…' : ''}`
}
