import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'

const script = readFileSync(join(import.meta.dirname, '../public/sw.js'), 'utf8')

interface Shown {
  title: string
  options: Record<string, unknown>
}

/** A browser's side of a service worker. */
function worker({ language = 'en-GB', pages = 0, network = true } = {}) {
  const listeners = new Map<string, (event: object) => void>()
  const shown: Shown[] = []
  const did: string[] = []
  const self = {
    registration: {
      scope: 'https://desk/dashboard/',
      showNotification: async (title: string, options: Shown['options']) => void shown.push({ title, options }),
    },
    navigator: { language },
    location: { host: 'desk' },
    skipWaiting: () => did.push('skip'),
    clients: {
      claim: async () => void did.push('claim'),
      matchAll: async () =>
        Array.from({ length: pages }, () => ({
          postMessage: ({ to }: { to: string }) => did.push(`message ${to}`),
          focus: async () => void did.push('focus'),
        })),
      openWindow: async (url: string) => void did.push(`open ${url}`),
    },
    addEventListener: (name: string, listener: (event: object) => void) => listeners.set(name, listener),
  }
  // no caches: one that is asked for would throw
  const fetch = async () => {
    if (!network) throw new TypeError('failed')
    return new Response('from the engine')
  }
  runInNewContext(script, { self, fetch, Response })
  const happen = async (name: string, event: object = {}) => {
    let answer: unknown
    const wait = (work: Promise<unknown>) => (answer = work)
    listeners.get(name)?.({ ...event, waitUntil: wait, respondWith: wait })
    return (await answer) as Response | undefined
  }
  return { happen, shown, did }
}
const pushed = (data: object) => ({ data: { json: () => data } })

describe('the service worker', () => {
  it('takes the place of an older one at once', async () => {
    const { happen, did } = worker()
    await happen('install')
    await happen('activate')
    expect(did).toEqual(['skip', 'claim'])
  })

  it('has every page come from the engine, and touches nothing else', async () => {
    const { happen } = worker()
    expect(await (await happen('fetch', { request: { mode: 'navigate' } }))?.text()).toBe('from the engine')
    expect(await happen('fetch', { request: { mode: 'cors' } })).toBeUndefined()
  })

  it.each([
    ['en-GB', 'Onward at desk can’t be reached'],
    ['zh-TW', '现在连不到 desk 上的 Onward'],
  ])('says in %s that the engine can’t be reached, and runs no script there', async (language, text) => {
    const { happen } = worker({ language, network: false })
    const answer = await happen('fetch', { request: { mode: 'navigate' } })
    expect(await answer?.text()).toContain(text)
    expect([answer?.status, answer?.headers.get('cache-control')]).toEqual([503, 'no-store'])
    expect(answer?.headers.get('content-security-policy')).toBe("default-src 'none'; style-src 'unsafe-inline'")
  })

  it('shows a question, and what takes its place without a sound', async () => {
    const { happen, shown } = worker()
    await happen('push', pushed({ title: 'billing needs you', body: 'codex, desk', tag: 's1', to: '/session/s1' }))
    await happen('push', pushed({ title: 'over', body: '', tag: 's1', to: '/session/s1', over: true }))
    expect(shown).toMatchObject([
      {
        title: 'billing needs you',
        options: { tag: 's1', silent: false, renotify: true, data: { to: '/session/s1' } },
      },
      { title: 'over', options: { tag: 's1', silent: true, renotify: false } },
    ])
  })

  it.each([
    [1, ['closed', 'message /session/s1', 'focus']],
    [0, ['closed', 'open https://desk/dashboard/#/session/s1']],
  ])('leads to the question, with %i pages open', async (pages, expected) => {
    const { happen, did } = worker({ pages })
    await happen('notificationclick', {
      notification: { close: () => did.push('closed'), data: { to: '/session/s1' } },
    })
    expect(did).toEqual(expected)
  })
})
