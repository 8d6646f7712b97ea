import type { FetchWeb } from '../../web/types.ts'
import { untrusted } from '../web-text/untrusted.ts'
import type { Engine, Found, Query } from './types.ts'

const TIMEOUT_MS = 15_000
const MOST_BYTES = 1024 * 1024
const MOST_SNIPPET = 600

export interface SearchReply {
  text: string
  isError: boolean
  note: string
}

/** Asks a search engine over the guarded web, and returns its findings. */
export async function askEngine(
  engine: Engine,
  query: Query,
  fetchWeb: FetchWeb,
  signal: AbortSignal,
): Promise<SearchReply> {
  const answer = await fetchWeb({ ...engine.ask(query), timeoutMs: TIMEOUT_MS, maxBytes: MOST_BYTES, signal })
  const note = `${engine.name} answered ${answer.status}`
  if (answer.status !== 200)
    return {
      text: `The search engine ${note}. ${engine.hint?.(answer.status) ?? meaning(answer.status)}`,
      isError: true,
      note,
    }
  const found = engine.read(answer)?.slice(0, query.results) ?? null
  if (found === null)
    return {
      text: `The search engine ${engine.name} answered with something that is not a list of results.`,
      isError: true,
      note,
    }
  if (found.length === 0) return { text: 'Nothing was found.', isError: false, note: `${engine.name}: nothing` }
  return {
    text: untrusted(found.map(written).join('\n\n')),
    isError: false,
    note: `${engine.name}: ${found.length} results`,
  }
}

function meaning(status: number): string {
  if (status === 401 || status === 403) return 'A person has to look at its key in the config.'
  return status === 429 ? 'It takes no more searches just now.' : 'Try again later.'
}

function written({ title, url, snippet }: Found, index: number): string {
  const lines = [`${index + 1}. ${oneLine(title) || url}`, `   ${url}`, `   ${oneLine(snippet).slice(0, MOST_SNIPPET)}`]
  return lines.filter((line) => line.trim() !== '').join('\n')
}

const oneLine = (text: string): string =>
  text
    .replace(/<\/?(?:strong|em|b|mark)>/g, '')
    .replace(/\s+/g, ' ')
    .trim()
