/**
 * Words as one line that `splitCommand` reads back as the same words, and a shell would too; plain ones stand as they
 * are.
 */
export const joinCommand = (words: readonly string[]): string =>
  words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`)).join(' ')
