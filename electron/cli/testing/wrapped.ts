/** A text in lines of at most 120 characters; texts in backticks are not cut. */
export function wrapped(text: string): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.match(/`[^`]*`\S*|\S+/g) ?? []) {
    if (line !== '' && line.length + 1 + word.length > 120) {
      lines.push(line)
      line = ''
    }
    line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line].join('\n')
}
