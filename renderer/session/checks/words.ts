/** Words of a command as a person sees them before allowing it: nothing in them may be invisible. Pure. */

/** controls, direction overrides, characters without width, lone halves, and spaces that are none */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu

export const visible = (word: string): string =>
  word.replace(unseen, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)

/** The command in a list: short enough to be cut, with quotes that set its words apart. */
export { joinCommand as commandText } from '../../../shared/commands/join-command.ts'
