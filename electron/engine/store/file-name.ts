import { createHash } from 'node:crypto'

/**
 * The most bytes of a name before its tail becomes a hash; leaves room for a prefix and `.json.corrupt-<time>` below
 * 255.
 */
const longest = 120
const headKept = 70
/** A spelled-out name never has `%~`: there `%` is followed by hex digits or `u`, and `~` is always escaped. */
const hashMark = '%~'
/** names Windows keeps for devices, whatever the extension (Naming Files, Paths, and Namespaces, Microsoft Learn) */
const deviceName = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)/

/**
 * Returns an id as a file name: reversible, and two ids never share a file, also where the file system ignores case or
 * normalises Unicode (therefore only lower-case ASCII is left as it is). Long ids end in a hash; the document itself
 * must then hold the id, because the name no longer does.
 */
export function fileNameOf(id: string): string {
  const before = known.get(id)
  if (before !== undefined) return before
  const name = nameOf(id)
  if (known.size >= mostKnown) known.clear()
  if (id.length <= longest) known.set(id, name)
  return name
}

/** Every request asks for the same few sessions. */
const known = new Map<string, string>()
const mostKnown = 2_000
/** a name in which nothing is escaped */
const plainName = /^[a-z0-9_-][a-z0-9_.-]*$/

function nameOf(id: string): string {
  const name = escapeDevice(plainName.test(id) ? id : escape(id))
  if (name.length <= longest) return name
  return `${name.slice(0, headKept)}${hashMark}${createHash('sha256').update(id, 'utf16le').digest('hex').slice(0, 40)}`
}

/** Returns the file of a scope's documents: `tmux:main:%3` is `tmux-main%3a%253.json`. */
export function scopeFile(scope: string): string {
  const cut = scope.indexOf(':')
  const family = scope.slice(0, cut)
  // `session-<id>.json` belongs to the session itself (sessions/session-store.ts)
  return `${family === 'session' ? 'reenter' : family}-${fileNameOf(scope.slice(cut + 1))}.json`
}

function escape(id: string): string {
  if (id === '') return '%'
  let name = ''
  for (const char of id) {
    const code = char.codePointAt(0) ?? 0
    if (/^[a-z0-9_-]$/.test(char) || (char === '.' && name !== '')) name += char
    // a lone surrogate has no UTF-8 form
    else if (code >= 0xd800 && code <= 0xdfff) name += `%u${code.toString(16).padStart(4, '0')}`
    else for (const byte of Buffer.from(char, 'utf8')) name += `%${byte.toString(16).padStart(2, '0')}`
  }
  return name
}

const escapeDevice = (name: string) =>
  deviceName.test(name) ? `%${name.charCodeAt(0).toString(16)}${name.slice(1)}` : name
