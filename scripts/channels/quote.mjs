/** A text as a literal of each language that a channel is written in. YAML is written by js-yaml, JSON by itself. */

/** in double quotes; `#{…}`, `#$…` and `#@…` would be filled in */
export const ruby = (text) => `"${text.replaceAll(/[\\"#]/g, '\\$&')}"`

/** in single quotes, in which a shell reads nothing */
export const shell = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** in double quotes; `${…}` would be filled in */
export const nix = (text) => `"${text.replaceAll(/[\\"$]/g, '\\$&')}"`

export const xml = (text) =>
  text.replaceAll(/[&<>"']/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[sign])

/** a value of a desktop entry */
export const desktop = (text) => text.replaceAll('\\', '\\\\')

/** the values of a list in it */
export const desktopList = (texts) => texts.map((text) => `${desktop(text).replaceAll(';', String.raw`\;`)};`).join('')
