import { z } from 'zod'
import { readJson } from './read-json.ts'
import type { Engine } from './types.ts'

const answer = z.object({
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
      readJson(body, answer)?.results.map(({ title, url, content }) => ({
        title: title ?? '',
        url,
        snippet: content ?? '',
      })) ?? null,
    hint: (status) =>
      status === 403 ? 'Its JSON format is switched off: `search.formats` in its settings.yml needs `json`.' : null,
  }
}
