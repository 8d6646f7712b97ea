import { z } from 'zod'
import type { FetchWeb, WebAnswer, WebAsk } from '../../web/types.ts'
import { untrusted } from '../web-text/untrusted.ts'

interface Found {
  title: string
  url: string
  snippet: string
}

export interface Query {
  text: string
  results: number
}

/** A search engine: its request to the web, and how to read its answer. */
interface Engine {
  name: string
  ask(query: Query): Pick<WebAsk, 'url' | 'method' | 'headers' | 'body' | 'allow'>
  /** null: it is not an answer of this engine */
  read(answer: WebAnswer): Found[] | null
  /** advice for a status, if the engine has a habit of its own */
  hint?(status: number): string | null
}

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

const braveAnswer = z.object({
  web: z
    .object({
      results: z.array(z.object({ title: z.string().nullish(), url: z.string(), description: z.string().nullish() })),
    })
    .nullish(),
})

/** api-dashboard.search.brave.com, “Web search”; at most 20 results. */
export const brave = (key: string): Engine => ({
  name: 'brave',
  ask({ text, results }) {
    const url = new URL('https://api.search.brave.com/res/v1/web/search')
    url.searchParams.set('q', text)
    url.searchParams.set('count', String(Math.min(results, 20)))
    url.searchParams.set('text_decorations', 'false')
    return { url: url.href, headers: { accept: 'application/json', 'x-subscription-token': key }, allow: [] }
  },
  read({ body }) {
    const read = readJson(body, braveAnswer)
    return (
      read &&
      (read.web?.results ?? []).map(({ title, url, description }) => ({
        title: title ?? '',
        url,
        snippet: description ?? '',
      }))
    )
  },
})

const searxngAnswer = z.object({
  results: z.array(z.object({ title: z.string().nullish(), url: z.string(), content: z.string().nullish() })),
})

/** docs.searxng.org, “Search API”. The instance is the person's own, so its host may be at home. */
export function searxng(instance: string): Engine {
  const base = new URL(instance)
  return {
    name: 'searxng',
    ask({ text }) {
      const url = new URL(`${base.pathname.replace(/\/+$/, '')}/search`, base)
      url.searchParams.set('q', text)
      url.searchParams.set('format', 'json')
      return {
        url: url.href,
        headers: { accept: 'application/json' },
        allow: [`${base.hostname}:${base.port || (base.protocol === 'https:' ? '443' : '80')}`],
      }
    },
    read: ({ body }) =>
      readJson(body, searxngAnswer)?.results.map(({ title, url, content }) => ({
        title: title ?? '',
        url,
        snippet: content ?? '',
      })) ?? null,
    hint: (status) =>
      status === 403 ? 'Its JSON format is switched off: `search.formats` in its settings.yml needs `json`.' : null,
  }
}

const tavilyAnswer = z.object({
  results: z.array(z.object({ title: z.string().nullish(), url: z.string(), content: z.string().nullish() })),
})

/** docs.tavily.com, “Search endpoint”. */
export const tavily = (key: string): Engine => ({
  name: 'tavily',
  ask: ({ text, results }) => ({
    url: 'https://api.tavily.com/search',
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ query: text, max_results: results }),
    allow: [],
  }),
  read: ({ body }) =>
    readJson(body, tavilyAnswer)?.results.map(({ title, url, content }) => ({
      title: title ?? '',
      url,
      snippet: content ?? '',
    })) ?? null,
})

/** A body by its schema; null for anything else. */
function readJson<T>(body: Buffer, schema: z.ZodType<T>): T | null {
  try {
    return schema.safeParse(JSON.parse(body.toString())).data ?? null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
