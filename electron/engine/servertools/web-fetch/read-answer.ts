import type { WebAnswer } from '../../web/types.ts'
import { firstChars, untrusted } from '../web-text/untrusted.ts'
import type { FetchInput } from './input.ts'
import type { ReadPage } from './page/types.ts'

export interface FetchReply {
  text: string
  isError: boolean
  note: string
}

/** Only the beginning of an error page matters. */
const ERROR_CHARS = 2000
/** Header values of a server are not marked as web content, so they get little room. */
const URL_CHARS = 1000
const TYPE_CHARS = 80

/** Returns the text about an answer from the web for the model. */
export async function readAnswer(
  answer: WebAnswer,
  { format, maxChars }: { format: FetchInput['format']; maxChars: number },
  readPage: ReadPage,
  signal: AbortSignal,
): Promise<FetchReply> {
  const type = typeOf(answer.headers['content-type']).slice(0, TYPE_CHARS)
  const media = mediaOf(type, answer.body)
  const isError = answer.status >= 400
  const head = `${answer.url.slice(0, URL_CHARS)} answered ${answer.status}`
  const note = `${answer.status} ${type || 'no type'}, ${answer.body.length} bytes`
  const size = `${answer.cut ? 'more than ' : ''}${answer.body.length} bytes`
  if (media === 'other')
    return {
      text: `${head} with ${type || 'no content type'}, ${size}: that is not text and is not read.`,
      isError: true,
      note,
    }
  const source = decodeBody(answer.body, answer.headers['content-type'])
  if (source.slice(0, 4096).includes('\0'))
    return {
      text: `${head} with ${size} that are not text, though they are called ${type || 'nothing'}: they are not read.`,
      isError: true,
      note,
    }

  const most = isError ? Math.min(maxChars, ERROR_CHARS) : maxChars
  const page =
    media === 'html' && format !== 'html'
      ? await readPage({ html: source, url: answer.url, format, maxChars: most }, signal)
      : { title: null, text: source, left: 0 }
  const shown = firstChars(page.text, most)
  const missing = page.text.length - shown.length + page.left
  const notes = [
    missing > 0 ? `Cut: about ${missing} more characters are not shown.` : '',
    answer.cut ? `Only the first ${answer.body.length} bytes were read.` : '',
    shown.trim() === '' ? 'There is no text in it. Pages made by scripts have none in their source.' : '',
  ].filter((line) => line !== '')
  const said = [page.title === null ? '' : `Title: ${JSON.stringify(page.title)}`, shown.trim() === '' ? '' : shown]
    .filter((part) => part !== '')
    .join('\n\n')
  return { text: [`${head}.`, ...notes, ...(said === '' ? [] : [untrusted(said)])].join('\n'), isError, note }
}

export type Media = 'html' | 'text' | 'other'
const texts =
  /^(?:text\/.+|application\/(?:(?:.+\+)?(?:json|xml|yaml)|x-yaml|toml|x-ndjson|jsonl|javascript|ecmascript|x-javascript|typescript|x-sh|sql|graphql|rtf|x-www-form-urlencoded)|image\/svg\+xml)$/

/** `type/subtype` in lower case; empty if there was no header. */
export const typeOf = (contentType: string | undefined): string =>
  (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? ''

/** Determines the kind of a body by its content type, or, without one, by its beginning. */
export function mediaOf(type: string, body: Buffer): Media {
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html'
  if (texts.test(type)) return 'text'
  if (type !== '') return 'other'
  const start = body.subarray(0, 1024)
  if (start.includes(0)) return 'other'
  return /^\s*<(?:!doctype html|html|head|body|!--)/i.test(start.toString('latin1')) ? 'html' : 'text'
}

/** Where HTML names its charset (HTML standard, “prescan a byte stream”: within the first 1024 bytes). */
const META =
  /<meta[^>]{0,500}?charset\s*=\s*["']?\s*([\w.:-]{1,40})|^<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})/i

/**
 * Decodes the body: by its byte order mark, else by its header, else by the page's own declaration, else as UTF-8. A
 * body with an unknown charset is decoded all the same.
 */
function decodeBody(body: Buffer, contentType: string | undefined): string {
  const declared = /charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(contentType ?? '')?.[1]
  const decoder = byMark(body) ?? known(declared) ?? known(inPage(body)) ?? new TextDecoder()
  return decoder.decode(body)
}

function byMark(body: Buffer): TextDecoder | null {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return new TextDecoder()
  if (body[0] === 0xff && body[1] === 0xfe) return new TextDecoder('utf-16le')
  return body[0] === 0xfe && body[1] === 0xff ? new TextDecoder('utf-16be') : null
}

function inPage(body: Buffer): string | undefined {
  const found = META.exec(body.subarray(0, 1024).toString('latin1'))
  const name = found?.[1] ?? found?.[2]
  // It was read as single bytes, so it can't be that (HTML standard).
  return name !== undefined && /^utf-?16/i.test(name) ? 'utf-8' : name
}

function known(label: string | undefined): TextDecoder | null {
  if (label === undefined) return null
  try {
    return new TextDecoder(label)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}
