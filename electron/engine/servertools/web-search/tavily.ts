import { z } from 'zod'
import { readJson } from './read-json.ts'
import type { Engine } from './types.ts'

const answer = z.object({
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
    readJson(body, answer)?.results.map(({ title, url, content }) => ({
      title: title ?? '',
      url,
      snippet: content ?? '',
    })) ?? null,
})
