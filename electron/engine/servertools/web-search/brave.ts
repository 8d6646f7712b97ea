import { z } from 'zod'
import { readJson } from './read-json.ts'
import type { Engine } from './types.ts'

const answer = z.object({
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
    const read = readJson(body, answer)
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
