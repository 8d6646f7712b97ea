import type { WebAnswer } from '../../web/types.ts'
import { firstChars, untrusted } from '../web-text/untrusted.ts'
import { decodeBody } from './charset.ts'
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
