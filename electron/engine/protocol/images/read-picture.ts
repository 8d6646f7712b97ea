import { createHash } from 'node:crypto'
import { parseDataUrl } from '../canonical/data-url.ts'
import type { Source, WireProtocol } from '../canonical/request.ts'
import { decodeString, type Span } from '../json-bytes/index.ts'
import type { Picture } from './types.ts'

/** An image, read without decoding its data to a string. */
export type ReadPicture =
  | { kind: 'data'; mediaType: string; base64: Buffer }
  | { kind: 'url'; url: string }
  | { kind: 'id'; id: string }

/** Vendors assume this type for an image without one. */
const unsaid = 'image/png'

/** @throws OnwardError `bad-json` for a string with a bad escape */
export function readPicture(body: Buffer, { says, token, mediaType }: Picture): ReadPicture {
  if (says === 'id') return { kind: 'id', id: decodeString(body, token) }
  const text = plainBytes(body, token)
  const data = dataOf(text)
  // The raw JSON text: its slash may be escaped.
  const stated = mediaType?.replaceAll('\\', '') ?? unsaid
  if (data) return { kind: 'data', mediaType: data.mediaType || stated, base64: data.base64 }
  return says === 'data'
    ? { kind: 'data', mediaType: stated, base64: text }
    : { kind: 'url', url: text.toString('utf8') }
}

/** Returns the string's own bytes, a view of the body unless it has escapes (some programs write `/` as `\/`). */
function plainBytes(body: Buffer, token: Span): Buffer {
  const inner = body.subarray(token.start + 1, token.end - 1)
  return inner.includes(0x5c) ? Buffer.from(decodeString(body, token)) : inner
}

/** The most bytes of a data URL that are searched for its head. */
const headBytes = 256

function dataOf(text: Buffer): { mediaType: string; base64: Buffer } | null {
  const head = text.toString('latin1', 0, headBytes)
  const found = parseDataUrl(head)
  return found && { mediaType: found.mediaType, base64: text.subarray(head.length - found.base64.length) }
}

export function sourceOf(read: ReadPicture, of: WireProtocol): Source {
  switch (read.kind) {
    case 'data':
      return { kind: 'data', mediaType: read.mediaType, base64: read.base64.toString('latin1') }
    case 'url':
      return { kind: 'url', url: read.url, mediaType: null }
    case 'id':
      return { kind: 'id', of, id: read.id }
  }
}

/** Returns the same hash for the same picture, whatever protocol it came in. */
export function hashOf(read: ReadPicture): string {
  const bytes = read.kind === 'data' ? read.base64 : read.kind === 'url' ? read.url : read.id
  return createHash('sha256').update(`${read.kind} `).update(bytes).digest('base64url')
}
