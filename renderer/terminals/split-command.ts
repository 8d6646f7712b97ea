/**
 * A command line as words: spaces part them, single and double quotes keep them together, a backslash takes the next
 * character as it is (not in single quotes). Nothing is expanded: no shell is involved.
 * @returns null when a quote is not closed
 */
export function splitCommand(line: string): string[] | null {
  const words: string[] = []
  let word: string | null = null
  let quote: '"' | "'" | null = null
  for (let i = 0; i < line.length; i++) {
    const char = line.charAt(i)
    if (char === '\\' && quote !== "'" && i + 1 < line.length) word = (word ?? '') + line.charAt(++i)
    else if (quote !== null) {
      if (char === quote) quote = null
      else word = (word ?? '') + char
    } else if (char === '"' || char === "'") { quote = char; word ??= '' }
    else if (/\s/.test(char)) { if (word !== null) words.push(word); word = null }
    else word = (word ?? '') + char
  }
  if (quote !== null) return null
  if (word !== null) words.push(word)
  return words
}
