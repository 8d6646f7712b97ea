/**
 * `Exec` of a desktop entry (Desktop Entry Specification, "The Exec key"): one string, quoted once and escaped twice.
 */
const escaped = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('\r', '\\r')

/** A `%` begins a field code, within quotes as well. */
const quoted = (word: string): string => `"${word.replace(/[\\"`$]/g, '\\$&').replaceAll('%', '%%')}"`

/** GLib looks for the program itself by the name as it stands there, where a `%` is still two. */
export const execLine = (argv: readonly string[]): string =>
  escaped([...(argv[0]?.includes('%') ? ['/usr/bin/env'] : []), ...argv].map(quoted).join(' '))

/** A value that is one text. */
export const entryText = escaped
