import type { EntryProtocol } from '../../../../shared/words.ts'
import { isGooglesOwn } from '../gemini/convert/read-media.ts'
import { either, partsOf } from '../gemini/request-lens.ts'
import { isObject, isString, member, members, stringOf, type Edit, type Span } from '../json-bytes/index.ts'
import { listOf } from '../json-bytes/walk.ts'
import { contentOf, mentions, typed, wordAt } from '../needs/parts.ts'
import type { RequestLens } from '../types.ts'

/** Members that stay where a text takes the place of an image. */
const kept = {
  chat: ['cache_control', 'prompt_cache_breakpoint'],
  messages: ['cache_control'],
  responses: ['prompt_cache_breakpoint'],
  /** those that a part has beside its data (Part) */
  gemini: ['thought', 'thoughtSignature', 'thought_signature', 'partMetadata', 'part_metadata'],
} as const

/** Where each protocol has its images. */
export const imagesIn: Readonly<Record<EntryProtocol, ProtocolImages>> = {
  /** parts `image_url` of a content, a tool's result among them */
  chat: {
    words: ['image_url'],
    within: (body, item) =>
      typed(body, contentOf(body, item), (type) => type === 'image_url').map((part) => ({
        ...part,
        picture: pictureAt(body, member(body, part, 'image_url')),
      })),
    edits: (body, _, replaced) => textPartEdits(body, replaced, 'text', kept.chat),
  },
  /** blocks `image`, in a message and in a tool's result */
  messages: {
    words: ['"image"'],
    within: (body, item) =>
      typed(body, contentOf(body, item), (type) => type === 'image' || type === 'tool_result')
        .flatMap((block) =>
          wordAt(body, member(body, block, 'type')) === 'image'
            ? [block]
            : typed(body, contentOf(body, block), (type) => type === 'image'),
        )
        .map((block) => ({ ...block, picture: pictureOfBlock(body, block) })),
    edits: (body, _, replaced) => textPartEdits(body, replaced, 'text', kept.messages),
  },
  /** a message has its parts in `content`, a tool's result in `output`: parts as well, or a computer's screenshot */
  responses: {
    words: ['input_image', 'computer_screenshot'],
    within(body, item) {
      const [content = null, output = null] = members(body, item, ['content', 'output'])
      if (output && isObject(body, output))
        return wordAt(body, member(body, output, 'type')) === 'computer_screenshot'
          ? [{ ...item, picture: pictureOfPart(body, output) }]
          : []
      return typed(body, content ?? output, (type) => type === 'input_image').map((part): FoundImage => ({
        ...part,
        picture: pictureOfPart(body, part),
      }))
    },
    edits(body, item, replaced) {
      const [shot] = replaced.filter(({ image }) => image.start === item.start)
      return shot
        ? insteadOfScreenshot(body, item, shot.text)
        : textPartEdits(body, replaced, 'input_text', kept.responses)
    },
  },
  /** parts with `inlineData` or `fileData` of an image, in a content and in a tool's result */
  gemini: {
    words: ['image'],
    within: (body, content) =>
      partsOf(body, content).flatMap((part) => {
        const result = resultOf(body, part)
        return (
          mediaOf(body, part) ?? (result ? partsOf(body, result).flatMap((inner) => mediaOf(body, inner) ?? []) : [])
        )
      }),
    edits: (body, content, replaced) =>
      partsOf(body, content).flatMap((part) => {
        const own = replaced.find(({ image }) => image.start === part.start)
        if (own) return [{ ...part, replacement: textPart(body, part, null, own.text, kept.gemini) }]
        const inside = replaced.filter(({ image }) => image.start > part.start && image.end < part.end)
        return inside.length === 0 ? [] : insteadOfResults(body, content, part, inside)
      }),
  },
}

export const mentionsImage = (body: Buffer, at: Span, { words }: ProtocolImages): boolean =>
  words.some((word) => mentions(body, at, word))

/** True if what the model is to answer holds an image. */
export function asksWithImage({ protocol, body, asked }: RequestLens): boolean {
  const images = imagesIn[protocol]
  return asked().some((item) => mentionsImage(body, item, images) && Array.from(images.within(body, item)).length > 0)
}

/** OpenAI's `image_url`: an object with the address inside in Chat, the address in Responses; some clients mix them. */
function pictureAt(body: Buffer, image: Span | null | undefined): Picture | null {
  const url = image && isObject(body, image) ? member(body, image, 'url') : image
  return url && isString(body, url) ? { says: 'address', token: url, mediaType: null } : null
}

function pictureOfPart(body: Buffer, part: Span): Picture | null {
  const [image, id] = members(body, part, ['image_url', 'file_id'])
  return pictureAt(body, image) ?? (id && isString(body, id) ? { says: 'id', token: id, mediaType: null } : null)
}

function pictureOfBlock(body: Buffer, block: Span): Picture | null {
  const source = member(body, block, 'source')
  if (!source) return null
  const [type, data, mediaType, url, id] = members(body, source, ['type', 'data', 'media_type', 'url', 'file_id'])
  const picture = (says: Picture['says'], token: Span | null | undefined): Picture | null =>
    token && isString(body, token) ? { says, token, mediaType: wordAt(body, mediaType) } : null
  switch (wordAt(body, type)) {
    case 'base64':
      return picture('data', data)
    case 'url':
      return picture('address', url)
    case 'file':
      return picture('id', id)
    default:
      return null
  }
}

/** This result takes no text (its `image_url` may be left out), so a message after it describes the screen. */
function insteadOfScreenshot(body: Buffer, item: Span, text: string): Edit[] {
  const output = member(body, item, 'output')
  const message = Buffer.concat([
    Buffer.from(',{"type":"message","role":"user","content":['),
    textPart(body, item, 'input_text', text, []),
    Buffer.from(']}'),
  ])
  return output
    ? [
        { ...output, replacement: '{"type":"computer_screenshot"}' },
        { start: item.end, end: item.end, replacement: message },
      ]
    : []
}

const resultOf = (body: Buffer, part: Span): Span | null => either(body, part, 'functionResponse', 'function_response')

function mediaOf(body: Buffer, part: Span): FoundImage | null {
  const data = either(body, part, 'inlineData', 'inline_data', 'fileData', 'file_data')
  const mediaType = data && wordAt(body, either(body, data, 'mimeType', 'mime_type'))
  if (!data || !mediaType || !/^image\b/.test(mediaType)) return null
  const token = either(body, data, 'data', 'fileUri', 'file_uri')
  if (!token || !isString(body, token)) return { ...part, picture: null }
  const isData = either(body, data, 'data') !== null
  const says = isData ? 'data' : isGooglesOwn(stringOf(body, token) ?? '') ? 'id' : 'address'
  return { ...part, picture: { says, token, mediaType } }
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

/**
 * Returns `{"type":"text","text":"…"}` with the `kept` members of the part it replaces, byte for byte; they are those
 * that say nothing of its image.
 */
function textPart(body: Buffer, part: Span, type: string | null, text: string, kept: readonly string[]): Buffer {
  const stay = members(body, part, kept).flatMap((at, i) =>
    at ? [Buffer.from(`,${JSON.stringify(kept[i])}:`), body.subarray(at.start, at.end)] : [],
  )
  const head = type === null ? '' : `"type":${JSON.stringify(type)},`
  return Buffer.concat([Buffer.from(`{${head}"text":${JSON.stringify(text)}`), ...stay, Buffer.from('}')])
}

const textPartEdits = (body: Buffer, replaced: readonly Replaced[], type: string, kept: readonly string[]): Edit[] =>
  replaced.map(({ image, text }) => ({
    start: image.start,
    end: image.end,
    replacement: textPart(body, image, type, text, kept),
  }))

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

interface Replaced {
  image: Span
  text: string
}

/** Finds and replaces the images in a protocol's conversations. */
interface ProtocolImages {
  /** an item without any of these words has no image */
  words: readonly string[]
  /** finds the images of an item, in order */
  within(body: Buffer, item: Span): Iterable<FoundImage>
  /** replaces some images of one item with texts; marks of the prompt cache stay */
  edits(body: Buffer, item: Span, replaced: readonly Replaced[]): Edit[]
}
