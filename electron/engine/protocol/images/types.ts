import type { Edit, Span } from '../json-bytes/index.ts'

/** Where a part says its picture: as base64 (or a data URL), as an address, or as the id of a file the vendor keeps. */
export interface Picture {
  says: 'data' | 'address' | 'id'
  /** a string token */
  token: Span
  mediaType: string | null
}

/** A part that shows an image, whole; of a computer's screenshot the item. */
export interface FoundImage extends Span {
  /** null: nothing that can be read */
  picture: Picture | null
}

export interface Replaced {
  image: Span
  text: string
}

/** What a protocol knows of images in a conversation. */
export interface ProtocolImages {
  /** an item without any of these words shows none */
  words: readonly string[]
  /** in the order they stand */
  within(body: Buffer, item: Span): Iterable<FoundImage>
  /** puts texts in the places of some images of one item; marks of the prompt cache stay */
  edits(body: Buffer, item: Span, replaced: readonly Replaced[]): Edit[]
}
