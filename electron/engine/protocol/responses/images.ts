import { isObject, isString, member, members, type Edit, type Span } from '../json-bytes/index.ts'
import { textPart, textPartEdits } from '../images/text-part.ts'
import type { FoundImage, Picture, ProtocolImages } from '../images/types.ts'
import { typed } from '../needs/parts.ts'
import { wordAt } from '../needs/word.ts'

const kept = ['prompt_cache_breakpoint'] as const

/** A message has its parts in `content`, a tool's result in `output`: parts as well, or a computer's screenshot. */
export const responsesImages: ProtocolImages = {
  words: ['input_image', 'computer_screenshot'],
  within(body, item) {
    const [content = null, output = null] = members(body, item, ['content', 'output'])
    if (output && isObject(body, output))
      return isScreenshot(body, output) ? [{ ...item, picture: pictureOf(body, output) }] : []
    return typed(body, content ?? output, (type) => type === 'input_image').map((part): FoundImage => ({
      ...part,
      picture: pictureOf(body, part),
    }))
  },
  edits(body, item, replaced) {
    const [shot] = replaced.filter(({ image }) => image.start === item.start)
    return shot ? insteadOfScreenshot(body, item, shot.text) : textPartEdits(body, replaced, 'input_text', kept)
  },
}

const isScreenshot = (body: Buffer, output: Span): boolean =>
  wordAt(body, member(body, output, 'type')) === 'computer_screenshot'

function pictureOf(body: Buffer, part: Span): Picture | null {
  const [image, id] = members(body, part, ['image_url', 'file_id'])
  // Some clients send Chat's form: an object with the address inside.
  const url = image && isObject(body, image) ? member(body, image, 'url') : image
  if (url && isString(body, url)) return { says: 'address', token: url, mediaType: null }
  return id && isString(body, id) ? { says: 'id', token: id, mediaType: null } : null
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
