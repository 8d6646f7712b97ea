import { asName, asObject, asText, parseObject, parseObjects, type JsonObject } from '../../values.ts'
import { parseDataUrl } from '../codec.ts'
import type { CanonicalRequest, ContentPart, ImagePart, TextPart } from '../request.ts'

/**
 * Clients without a place for pictures in a tool's output write the parts there as one JSON text
 * (https://github.com/router-for-me/CLIProxyAPI/issues/4902): as words their base64 would fill the context window.
 */
export function withPicturesOfTexts(request: CanonicalRequest): CanonicalRequest {
  let found = false
  const messages = request.messages.map((message): typeof message => {
    if (message.role !== 'user') return message
    const parts = message.parts.map((part) => {
      if (part.type !== 'tool-result') return part
      if (!part.parts.some((inner) => inner.type === 'text' && mayHold(inner.text))) return part
      const read = part.parts.flatMap((inner) => (inner.type === 'text' && partsOf(inner)) || [inner])
      if (read.every((inner, i) => inner === part.parts[i])) return part
      found = true
      return { ...part, parts: read }
    })
    return { ...message, parts }
  })
  return found ? { ...request, messages } : request
}

/** How such a text begins; in the bytes of a request its quotes are escaped. */
export const beginsParts =
  /^(?:\[\s*)?\{\s*\\?"type\\?"\s*:\s*\\?"(?:text|input_text|output_text|image|input_image|image_url)\\?"/

const mayHold = (text: string): boolean => beginsParts.test(text.slice(0, 80)) && text.includes('image')

/** null for any other text: each part must be known whole, and one a picture with its data. */
function partsOf({ text, cache }: TextPart): ContentPart[] | null {
  if (!mayHold(text)) return null
  const json = Buffer.from(text)
  const parts: ContentPart[] = []
  for (const entry of (text.startsWith('[') ? parseObjects(json) : [parseObject(json)]) ?? []) {
    const part = partOf(entry ?? {})
    if (!part) return null
    parts.push(part)
  }
  const last = parts.at(-1)
  if (last && cache) last.cache = cache
  return parts.some(({ type }) => type === 'image') ? parts : null
}

function partOf(part: JsonObject): ContentPart | null {
  switch (part['type']) {
    case 'text':
    case 'input_text':
    case 'output_text': {
      const text = asText(part['text'])
      return text === null ? null : { type: 'text', text }
    }
    case 'input_image':
    case 'image_url': {
      const url = asObject(part['image_url']) ?? { url: part['image_url'], detail: part['detail'] }
      const data = parseDataUrl(asText(url['url']) ?? '')
      return data && picture(data.mediaType, data.base64, asName(url['detail']))
    }
    case 'image': {
      // Messages' form, and that of MCP (https://modelcontextprotocol.io/specification/2025-06-18/server/tools).
      const source = asObject(part['source']) ?? { media_type: part['mimeType'], data: part['data'] }
      return picture(asText(source['media_type']) ?? '', asText(source['data']) ?? '', null)
    }
    default:
      return null
  }
}

const picture = (mediaType: string, base64: string, detail: string | null): ImagePart | null =>
  mediaType.startsWith('image/') && base64 !== ''
    ? { type: 'image', source: { kind: 'data', mediaType, base64 }, detail: detail === 'auto' ? null : detail }
    : null
