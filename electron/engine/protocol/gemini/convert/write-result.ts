import type { ToolResultPart } from '../../canonical/request.ts'
import type { Draft } from './members.ts'
import { writeMedia } from './write-media.ts'

/**
 * `behind` takes the images where the model does not know them inside of results: they follow it in the same content.
 */
export function writeResult(part: ToolResultPart, name: string, behind: Draft[] | null, dropped: Set<string>): Draft {
  const texts: string[] = []
  const inside: Draft[] = []
  for (const piece of part.parts) {
    if (piece.cache) dropped.add('cache_control')
    if (piece.type === 'text') texts.push(piece.text)
    else {
      const media = writeMedia(piece, dropped)
      if (media) (behind ?? inside).push(media)
    }
  }
  const text = texts.length === 1 ? (texts[0] ?? '') : texts.join('\n')
  const response = { [part.isError ? 'error' : 'output']: text }
  return { functionResponse: { id: part.callId, name, response, ...(inside.length > 0 && { parts: inside }) } }
}
