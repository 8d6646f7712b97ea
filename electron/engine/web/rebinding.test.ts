import { afterEach, describe, expect, it } from 'vitest'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { createFetchWeb } from './create-fetch-web.ts'
import { webServer, type WebServer } from './testing/web-server.ts'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})
const site = async (answer: Parameters<typeof webServer>[0], address?: string): Promise<WebServer> => {
  const server = await webServer(answer, address)
  open.push(server)
  return server
}

/** A name server that answers each question with the next of its addresses, and then with the last again. */
function changing(...answers: string[]) {
  let asked = 0
  const resolve = async () => [{ address: answers[Math.min(asked++, answers.length - 1)] ?? '', family: 4 }]
  const web = createFetchWeb({ clock: virtualClock(), resolve })
  open.push({ close: web.dispose })
  return { fetch: web.fetch, asked: () => asked }
}
const signal = new AbortController().signal

describe('a name that changes its address', () => {
  it('is connected to where it was checked, and asked for once', async () => {
    const good = await site((_heard, _request, response) => response.end('good'))
    const { fetch, asked } = changing('127.0.0.1', '127.0.0.2')
    const answer = await fetch({
      url: `http://rebind.example:${good.port}/`,
      timeoutMs: 1000,
      maxBytes: 100,
      allow: ['127.0.0.1'],
      signal,
    })
    expect([String(answer.body), asked(), good.heard[0]?.headers.host]).toEqual([
      'good',
      1,
      `rebind.example:${good.port}`,
    ])
  })

  it('is refused when it is private at the next hop, though it was not at the first', async () => {
    const good = await site((_heard, _request, response) => response.writeHead(302, { location: '/again' }).end())
    const { fetch, asked } = changing('127.0.0.1', '127.0.0.2')
    await expect(
      fetch({
        url: `http://rebind.example:${good.port}/`,
        timeoutMs: 1000,
        maxBytes: 100,
        allow: ['127.0.0.1'],
        signal,
      }),
    ).rejects.toMatchObject({ code: 'address-refused' })
    expect([asked(), good.heard.length]).toEqual([2, 1])
  })

  it('is looked up anew by each fetch: what one was allowed opens nothing for the next', async () => {
    const good = await site((_heard, _request, response) => response.end('good'))
    const { fetch } = changing('127.0.0.1')
    const ask = { url: `http://x.example:${good.port}/`, timeoutMs: 1000, maxBytes: 100, signal }
    await fetch({ ...ask, allow: ['127.0.0.1'] })
    await expect(fetch({ ...ask, allow: [] })).rejects.toMatchObject({ code: 'address-refused' })
    expect(good.heard.length).toBe(1)
  })
})
