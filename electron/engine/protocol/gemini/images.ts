import { isObject, isString, member, stringOf, type Edit, type Span } from '../json-bytes/index.ts'
import { textPart } from '../images/text-part.ts'
import type { FoundImage, Picture, ProtocolImages, Replaced } from '../images/types.ts'
import { listOf } from '../json-members.ts'
import { wordAt } from '../needs/word.ts'
import { isGooglesOwn } from './convert/read-media.ts'
import { either, partsOf } from './request-lens.ts'

/** The members that a part has beside its data (Part). */
const kept = ['thought', 'thoughtSignature', 'thought_signature', 'partMetadata', 'part_metadata'] as const

/** Finds parts with `inlineData` or `fileData` of an image, in a content and in a tool's result. */
export const geminiImages: ProtocolImages = {
  words: ['image'],
  within: (body, content) =>
    partsOf(body, content).flatMap((part) => imageAt(body, part) ?? imagesOfResult(body, part)),
  edits: (body, content, replaced) =>
    partsOf(body, content).flatMap((part) => {
      const own = replaced.find(({ image }) => image.start === part.start)
      if (own) return [{ ...part, replacement: textPart(body, part, null, own.text, kept) }]
      const inside = replaced.filter(({ image }) => image.start > part.start && image.end < part.end)
      return inside.length === 0 ? [] : insteadOfResults(body, content, part, inside)
    }),
}

function imagesOfResult(body: Buffer, part: Span): FoundImage[] {
  const result = resultOf(body, part)
  return result ? partsOf(body, result).flatMap((inner) => imageAt(body, inner) ?? []) : []
}

const resultOf = (body: Buffer, part: Span): Span | null => either(body, part, 'functionResponse', 'function_response')

function imageAt(body: Buffer, part: Span): FoundImage | null {
  const data = either(body, part, 'inlineData', 'inline_data', 'fileData', 'file_data')
  const mediaType = data && wordAt(body, either(body, data, 'mimeType', 'mime_type'))
  return data && mediaType && /^image\b/.test(mediaType) ? { ...part, picture: pictureOf(body, data, mediaType) } : null
}

function pictureOf(body: Buffer, data: Span, mediaType: string): Picture | null {
  const token = either(body, data, 'data', 'fileUri', 'file_uri')
  if (!token || !isString(body, token)) return null
  if (either(body, data, 'data') !== null) return { says: 'data', token, mediaType }
  return { says: isGooglesOwn(stringOf(body, token) ?? '') ? 'id' : 'address', token, mediaType }
}

/**
 * A result's own parts take no text (FunctionResponsePart): the images are removed, and their descriptions follow the
 * result.
 */
function insteadOfResults(body: Buffer, content: Span, part: Span, inside: readonly Replaced[]): Edit[] {
  const result = resultOf(body, part)
  const list = result && member(body, result, 'parts')
  const stay = result
    ? partsOf(body, result).filter((inner) => !inside.some(({ image }) => image.start === inner.start))
    : []
  const behind = inside.flatMap(({ image, text }) => [Buffer.from(','), textPart(body, image, null, text, [])])
  const parts = member(body, content, 'parts')
  // ProtoJSON: a list of one may lack its brackets.
  const isBare = parts !== null && isObject(body, parts)
  return [
    ...(isBare ? [{ start: part.start, end: part.start, replacement: '[' }] : []),
    ...(list ? [{ ...list, replacement: listOf(stay.map(({ start, end }) => body.subarray(start, end))) }] : []),
    { start: part.end, end: part.end, replacement: Buffer.concat([...behind, Buffer.from(isBare ? ']' : '')]) },
  ]
}
