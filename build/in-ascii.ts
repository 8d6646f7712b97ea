/** Has the program built in ASCII: one sign beyond Latin-1 makes a whole file two bytes a sign in memory. */

interface Context {
  error(message: string): never
}
type Built = Record<string, { type: string; fileName: string; code?: string }>

const beyond = /[^\0-\x7f]/g
/** Where an escape would mean something else: texts that are taken as they are written, and signs behind a backslash. */
const asWritten = /String\.raw`[^`]*[^\0-\x7f]|(?<!\\)(?:\\\\)*\\[^\0-\x7f]/

/** Escapes every sign beyond ASCII, in comments too, which nobody sees; null: nothing to do, or it would change. */
export function escaped(code: string): { code: string; map: null } | null {
  if (code.search(beyond) < 0 || asWritten.test(code)) return null
  return {
    code: code.replace(beyond, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`),
    // Lines stay what they are.
    map: null,
  }
}

/** What prints the code escapes texts, but neither templates with a tag nor comments that hold a license. */
export const inAscii = {
  name: 'onward:in-ascii',
  enforce: 'pre' as const,
  transform: escaped,
  generateBundle(this: Context, _: unknown, built: Built): void {
    for (const { type, fileName, code } of Object.values(built)) {
      const at = type === 'chunk' ? (code?.search(beyond) ?? -1) : -1
      if (at >= 0) this.error(`${fileName} is not in ASCII: …${code?.slice(Math.max(0, at - 60), at + 20)}…`)
    }
  },
}
