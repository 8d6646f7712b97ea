/** As one would type it. */
export const typed = (argv: readonly string[]): string =>
  argv.map((word) => (/^[\w@%+=:,./\\-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ')
