import type { Edit, Span } from '../json-bytes/index.ts'

/** The place of a picture in its part: base64 (or a data URL), an address, or the id of a file the vendor keeps. */
export interface Picture {
  says: 'data' | 'address' | 'id'
  /** a string token */
  token: Span
  mediaType: string | null
}

/** A whole part that shows an image; for a computer's screenshot, the whole item. */
export interface FoundImage extends Span {
  /** null if it can't be read */
  picture: Picture | null
}

export interface Replaced {
  image: Span
  text: string
}

/** Finds and replaces the images in a protocol's conversations. */
export interface ProtocolImages {
  /** an item without any of these words has no image */
  words: readonly string[]
  /** finds the images of an item, in order */
  within(body: Buffer, item: Span): Iterable<FoundImage>
  /** replaces some images of one item with texts; marks of the prompt cache stay */
  edits(body: Buffer, item: Span, replaced: readonly Replaced[]): Edit[]
}
