import { behindSign, member, splicedPieces, stringOf, validInsides, type Edit, type Span } from '../json-bytes/index.ts'
import type { RequestLens } from '../types.ts'
import { asName, asObject, asText, parseObject, parseObjects, type JsonObject } from '../values.ts'
import { parseDataUrl } from './codec.ts'
import type { WireProtocol, CanonicalRequest, ContentPart, ImagePart, TextPart } from './request.ts'

/** Long texts of a request that a conversion does not read: they go on with the bytes that the client wrote. */
export interface CarriedTexts {
  /** put a short word in the place of each, before the request is read */
  edits: readonly Edit[]
  /** the written request with the texts in the places of their words again */
  putBack(body: Buffer): readonly Buffer[]
}

/**
 * A string of JSON is written alike in every protocol, and a long request is nearly all texts of the user's and results
 * of tools that go on as they are: decoding, parsing and writing those anew is most of what a conversion costs. The
 * model's own words stay: what is kept of its thinking is found by them. So do texts that `changes` change, those that
 * are no valid JSON, which reading the request refuses, and those that may hold pictures.
 * @param word stands in none of the client's texts
 */
export function carriedTexts(
  lens: RequestLens,
  { from, to }: { from: WireProtocol; to: WireProtocol },
  changes: readonly Edit[],
  word: string,
): CarriedTexts | null {
  const keys = textMembers[from]
  if (!keys || !handsOn.has(to)) return null
  const { body } = lens
  const isOfUser = placesOfUser(lens)
  const isValid = validInsides(body)
  const texts: Buffer[] = []
  const edits: Edit[] = []
  const strings = lens.longStrings()
  for (let i = 0; i < strings.length; i += 2) {
    const start = strings[i] ?? 0
    const end = strings[i + 1] ?? 0
    if (!keys.some((key) => isMember(body, start, key)) || !isOfUser(start)) continue
    if (changes.some((change) => change.start < end && change.end > start)) continue
    if (mayHoldPictures(body, start + 1) || !isValid(start + 1, end - 1)) continue
    edits.push({ start: start + 1, end: end - 1, replacement: `${word}${texts.length}.` })
    texts.push(body.subarray(start + 1, end - 1))
  }
  return texts.length === 0 ? null : { edits, putBack: (written) => putBack(written, word, texts) }
}

const mayHoldPictures = (body: Buffer, at: number): boolean =>
  (body[at] === 0x5b || body[at] === 0x7b) && beginsParts.test(body.toString('latin1', at, at + 80))

/** Members whose long texts a reader only hands on. */
const textMembers: Partial<Record<WireProtocol, readonly string[]>> = { messages: ['text', 'content', 'system'] }
/** Writers that write a user's texts as they are, alone or among others, and look into none. */
const handsOn: ReadonlySet<WireProtocol> = new Set(['chat'])

/** True if the value at `start` is that of a member of this name, which is written plainly. */
function isMember(body: Buffer, start: number, key: string): boolean {
  const colonAt = behindSign(body, start) - 1
  const keyEnd = behindSign(body, colonAt)
  const keyStart = keyEnd - key.length - 2
  return (
    body[keyEnd - 1] === 0x22 &&
    body[keyStart] === 0x22 &&
    body[keyStart - 1] !== 0x5c &&
    body.toString('latin1', keyStart + 1, keyEnd - 1) === key
  )
}

/** Returns a test of whether a place lies in a user's message or the system text; it is asked in rising order. */
function placesOfUser({ body, items, place }: RequestLens): (at: number) => boolean {
  const list = items()
  const system = place('system')
  let index = 0
  let looked: { item: Span; isUser: boolean } | null = null
  return (at) => {
    if (system && at >= system.start && at < system.end) return true
    while (index < list.length && at >= (list[index]?.end ?? 0)) index++
    const item = list[index]
    if (!item || at < item.start) return false
    if (looked?.item !== item) looked = { item, isUser: isUser(body, item) }
    return looked.isUser
  }
}

function isUser(body: Buffer, item: Span): boolean {
  const begun = usualBeginning.exec(body.toString('latin1', item.start, item.start + 32))
  return (begun?.[1] ?? stringOf(body, member(body, item, 'role'))) === 'user'
}
/** Most clients put the role first. */
const usualBeginning = /^\{\s*"role"\s*:\s*"([a-z]+)"/

function putBack(written: Buffer, word: string, texts: readonly Buffer[]): readonly Buffer[] {
  const edits: Edit[] = []
  for (let at = written.indexOf(word, 0, 'latin1'); at >= 0;) {
    const end = written.indexOf('.', at + word.length, 'latin1')
    const text = texts[Number(written.toString('latin1', at + word.length, end))]
    if (text) edits.push({ start: at, end: end + 1, replacement: text })
    at = written.indexOf(word, end, 'latin1')
  }
  return splicedPieces(written, edits)
}

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
const beginsParts =
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
