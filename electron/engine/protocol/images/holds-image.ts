import type { Span } from '../json-bytes/index.ts'
import { mentions } from '../needs/parts.ts'
import type { RequestLens } from '../types.ts'
import type { ProtocolImages } from './types.ts'

export const mentionsImage = (body: Buffer, at: Span, { words }: ProtocolImages): boolean =>
  words.some((word) => mentions(body, at, word))

/** True if what the model is to answer holds an image. */
export function asksWithImage({ body, asked }: RequestLens, images: ProtocolImages): boolean {
  return asked().some((item) => mentionsImage(body, item, images) && Array.from(images.within(body, item)).length > 0)
}
