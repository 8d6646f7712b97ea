import { isString, type Span } from '../json-bytes/index.ts'

/** Names of parts and tools are far shorter. */
const longest = 100

/** Returns a short string as it is written, escapes included, to compare it with names, which have none. */
export function wordAt(body: Buffer, at: Span | null | undefined): string | null {
  if (!at || !isString(body, at) || at.end - at.start > longest) return null
  return body.toString('latin1', at.start + 1, at.end - 1)
}
