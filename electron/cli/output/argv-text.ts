/** A command word for word: a command to approve may hide nothing, and no two commands may look alike. */

/** controls, direction overrides, characters without width, and spaces that are none */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu

/** @example argvText(['npm', 'run', 'test fast']) // npm run "test fast" */
export const argvText = (argv: readonly string[]): string =>
  argv.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : quoted(word))).join(' ')

const quoted = (word: string): string =>
  '"' +
  word
    .replace(/["\\]/g, '\\$&')
    .replace(unseen, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`) +
  '"'
