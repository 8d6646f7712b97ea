/** Shortens texts of agents, files and programs, and makes them harmless for their next reader. */

const half = /[\uD800-\uDBFF]$/
const otherHalf = /^[\uDC00-\uDFFF]/

/** No more than `most` characters: its beginning and its end, where most is said. */
export function cutMiddle(text: string, most: number): string {
  if (text.length <= most) return text
  const gap = ' […] '
  const room = Math.max(0, most - gap.length)
  if (room < 2) return cutEnd(text, most)
  const head = Math.ceil(room * 0.6)
  return (
    `${text.slice(0, head).replace(half, '')}${gap}` +
    `${text.slice(text.length - (room - head)).replace(otherHalf, '')}`
  )
}

/** The first so many characters, no half ones. */
export const cutEnd = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, Math.max(0, most - 1)).replace(half, '')}…`.slice(0, most)

/** The last so many. */
export const cutStart = (text: string, most: number): string =>
  text.length <= most
    ? text
    : `…${text.slice(text.length - Math.max(0, most - 1)).replace(otherHalf, '')}`.slice(0, most)

/** Makes sure that a text is never read as a marker of Onward's again. */
export const withoutMarkers = (text: string): string => text.replaceAll('<**', '< **')
