import { copy } from './copy.ts'
import { mainPart } from './main-part.ts'
import type { PageAsk, PageText } from './types.ts'
import { writeText } from './write-text.ts'

/** Blanks and elements take room and are not shown. */
const SPARE = 2

/** Reads a page in this thread, however long that takes. */
export function readPageHere({ html, url, format, maxChars }: PageAsk): PageText {
  const { title, base, root, skip } = mainPart(html, url)
  const { root: part, left } = copy(root, { base, skip, room: maxChars * SPARE })
  return { title, text: writeText(part, format), left }
}
