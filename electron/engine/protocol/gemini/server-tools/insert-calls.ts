import type { Span } from '../../json-bytes/index.ts'
import { callsByPlace } from '../../server-tools/calls-by-place.ts'
import type { HiddenHistory } from '../../server-tools/types.ts'

export interface LeftPart {
  json: Buffer
  isCall: boolean
  says: boolean
}

/** The remainder of one content; without a place it is new. */
export interface Left {
  at: Span | null
  parts: readonly LeftPart[]
  changed: boolean
}

/** Puts hidden calls among the client's: after the calls that came before them, and the first ones before all. */
export function insertCalls(contents: readonly Left[], calls: HiddenHistory['calls']): Left[] {
  if (calls.length === 0) return [...contents]
  const own = contents.reduce((count, { parts }) => count + parts.filter(({ isCall }) => isCall).length, 0)
  if (own === 0) return atEnd(contents, calls.map(written))
  const standing = callsByPlace(calls, own)
  let seen = 0
  return contents.map((content) => {
    const parts = content.parts.flatMap((part) => {
      if (!part.isCall) return [part]
      const front = seen === 0 ? standing(0).map(written) : []
      seen++
      return [...front, part, ...standing(seen).map(written)]
    })
    return { ...content, parts, changed: content.changed || parts.length > content.parts.length }
  })
}

const written = ({ json }: HiddenHistory['calls'][number]): LeftPart => ({
  json: Buffer.from(json),
  isCall: true,
  says: true,
})

/** Adds them to the last content that still has something to say, or to a new one. */
function atEnd(contents: readonly Left[], calls: readonly LeftPart[]): Left[] {
  const last = contents.findLastIndex(({ parts }) => parts.some(({ says }) => says))
  if (last < 0) return [{ at: null, parts: calls, changed: true }]
  return contents.map((content, i) =>
    i === last ? { ...content, parts: [...content.parts, ...calls], changed: true } : content,
  )
}
