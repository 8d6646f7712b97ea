import type { Source, WireProtocol } from '../canonical/request.ts'
import { imagesIn, mentionsImage, type FoundImage, type Picture } from './in-protocols.ts'
import { decodeString, type Edit, type Span } from '../json-bytes/index.ts'
import { unlessBroken } from '../needs/needs-of.ts'
import type { RequestLens } from '../types.ts'
import { createHash } from 'node:crypto'
import { parseDataUrl } from '../canonical/codec.ts'

/**
 * An image of the conversation, where it stands in `lens.body`: the whole part, of a computer's screenshot the whole
 * item.
 */
export interface ImagePlace extends Span {
  /** the message or result it stands in */
  readonly item: Span
  /** it belongs to what the model is to answer now */
  readonly asked: boolean
  /** equal for equal pictures, in whatever protocol they come; read when it is first asked for */
  hash(): string
  /** null: nothing that can be read. `id`: only its vendor can open it. The data becomes a text at every call */
  source(): Source | null
}

/** True if the request may hold an image: a few native searches, so that most requests are never walked. */
export const mayHoldImage = ({ protocol, body }: RequestLens): boolean =>
  mentionsImage(body, { start: 0, end: body.length }, imagesIn[protocol])

/**
 * Every image of the whole conversation, oldest first; none where the body turns out broken, which is the upstream's to
 * refuse.
 */
export function imagesOf(lens: RequestLens): readonly ImagePlace[] {
  if (!mayHoldImage(lens)) return []
  const images = imagesIn[lens.protocol]
  return unlessBroken(() => {
    const asked = new Set(lens.asked().map(({ start }) => start))
    return lens
      .items()
      .filter((item) => mentionsImage(lens.body, item, images))
      .flatMap((item) =>
        Array.from(images.within(lens.body, item), (found) => placed(lens, item, found, asked.has(item.start))),
      )
  }, [])
}

function placed(
  { body, protocol }: RequestLens,
  item: Span,
  { start, end, picture }: FoundImage,
  asked: boolean,
): ImagePlace {
  // Read at once: it makes no copy, and a bad escape must not turn up later.
  const read = picture && readPicture(body, picture)
  let hash: string | null = null
  return {
    start,
    end,
    item,
    asked,
    hash: () => (hash ??= hashOf(read ?? { kind: 'id', id: body.toString('latin1', start, end) })),
    source: () => read && sourceOf(read, protocol),
  }
}

/**
 * Edits that put a text where an image stands, in the form that place takes; null leaves it. Every other byte stays.
 * @example imageEdits(lens, (image) => texts.get(image.hash()) ?? null)
 */
export function imageEdits(
  lens: RequestLens,
  replace: (image: ImagePlace) => string | null,
  images: readonly ImagePlace[] = imagesOf(lens),
): Edit[] {
  const byItem = new Map<Span, { image: ImagePlace; text: string }[]>()
  for (const image of images) {
    const text = replace(image)
    if (text === null) continue
    const there = byItem.get(image.item)
    if (there) there.push({ image, text })
    else byItem.set(image.item, [{ image, text }])
  }
  return Array.from(byItem).flatMap(([item, replaced]) => imagesIn[lens.protocol].edits(lens.body, item, replaced))
}

/** An image, read without decoding its data to a string. */
type ReadPicture =
  | { kind: 'data'; mediaType: string; base64: Buffer }
  | { kind: 'url'; url: string }
  | { kind: 'id'; id: string }

/** Vendors assume this type for an image without one. */
const unsaid = 'image/png'

/** @throws OnwardError `bad-json` for a string with a bad escape */
function readPicture(body: Buffer, { says, token, mediaType }: Picture): ReadPicture {
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

function sourceOf(read: ReadPicture, of: WireProtocol): Source {
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
function hashOf(read: ReadPicture): string {
  const bytes = read.kind === 'data' ? read.base64 : read.kind === 'url' ? read.url : read.id
  return createHash('sha256').update(`${read.kind} `).update(bytes).digest('base64url')
}
