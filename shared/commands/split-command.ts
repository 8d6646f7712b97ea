/** A word of a command line, and its characters that a shell would interpret. */
export interface CommandWord {
  text: string
  /** outside of quotes, and not escaped by a backslash */
  bare: string
  /** the same within double quotes, where a shell still expands `$` and backticks */
  doubleQuoted: string
}

/**
 * A command line as words: spaces part them, single and double quotes keep them together, a backslash takes the next
 * character as it is (not in single quotes). Nothing is expanded: no shell is involved.
 * @returns null when a quote is not closed
 */
export function commandWords(line: string): CommandWord[] | null {
  const words: CommandWord[] = []
  let word: CommandWord | null = null
  let quote: '"' | "'" | null = null
  const begun = (): CommandWord => (word ??= { text: '', bare: '', doubleQuoted: '' })
  const end = () => {
    if (word !== null) words.push(word)
    word = null
  }
  for (let i = 0; i < line.length; i++) {
    const char = line.charAt(i)
    if (char === '\\' && quote !== "'" && i + 1 < line.length) begun().text += line.charAt(++i)
    else if (char === quote) quote = null
    else if (quote !== null) {
      begun().text += char
      if (quote === '"') begun().doubleQuoted += char
    } else if (char === '"' || char === "'") {
      quote = char
      begun()
    } else if (/\s/.test(char)) end()
    else {
      begun().text += char
      begun().bare += char
    }
  }
  if (quote !== null) return null
  end()
  return words
}

export const splitCommand = (line: string): string[] | null => commandWords(line)?.map((word) => word.text) ?? null
