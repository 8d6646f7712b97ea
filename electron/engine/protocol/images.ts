import type { EntryProtocol } from '../../../shared/words.ts'
import type { Source } from './canonical/request.ts'
import { chatImages } from './chat/images.ts'
import { geminiImages } from './gemini/images.ts'
import { hashOf, readPicture, sourceOf } from './images/read-picture.ts'
import { mentionsImage } from './images/holds-image.ts'
import type { FoundImage, ProtocolImages } from './images/types.ts'
import type { Edit, Span } from './json-bytes/index.ts'
import { messagesImages } from './messages/images.ts'
import { unlessBroken } from './needs/needs-of.ts'
import { responsesImages } from './responses/images.ts'
import type { RequestLens } from './types.ts'

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

const protocols: Readonly<Record<EntryProtocol, ProtocolImages>> = {
  chat: chatImages,
  responses: responsesImages,
  messages: messagesImages,
  gemini: geminiImages,
}

/** True if the request may hold an image: a few native searches, so that most requests are never walked. */
export const mayHoldImage = ({ protocol, body }: RequestLens): boolean =>
  mentionsImage(body, { start: 0, end: body.length }, protocols[protocol])

/**
 * Every image of the whole conversation, oldest first; none where the body turns out broken, which is the upstream's to
 * refuse.
 */
export function imagesOf(lens: RequestLens): readonly ImagePlace[] {
  if (!mayHoldImage(lens)) return []
  const images = protocols[lens.protocol]
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
  return Array.from(byItem).flatMap(([item, replaced]) => protocols[lens.protocol].edits(lens.body, item, replaced))
}
