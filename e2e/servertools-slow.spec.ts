/** A tool that takes its time, here a page that is slow to come: the client is kept waiting, or goes away. */
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allEntries, bodyOf, pathOf } from './support/entries.ts'
import { heard } from './support/heard.ts'
import { callTool, say } from './support/mock-upstream/index.ts'
import { call } from './support/post.ts'
import { expectOneHistory } from './support/provider-history.ts'
import { look, servertoolWorld } from './support/servertool-world.ts'
import { waitFor } from '../shared/testing/wait-for.ts'

/** Longer than the time between two signs of life. */
const SLOW_MS = 10_500

const w = servertoolWorld({ servertools: { tools: { web_fetch: true }, webFetch: { allow: ['127.0.0.1'] } } })
const page =
  '<html><head><title>Tides</title></head><body><main><h1>Tides</h1><p>High water is at noon.</p></main></body></html>'

/** Answers when it is told to; `/slow` by itself, late. */
interface Pages {
  url: string
  open: { path: string; left: boolean }[]
}
let server: Server
let pages: Pages
beforeAll(async () => {
  pages = { url: '', open: [] }
  const finish = (res: ServerResponse) => res.end(page)
  server = createServer((req, res) => {
    const one = { path: req.url ?? '', left: false }
    pages.open.push(one)
    res.on('close', () => {
      one.left ||= !res.writableFinished
    })
    res.writeHead(200, { 'content-type': 'text/html' })
    if (one.path === '/page') finish(res)
    if (one.path.startsWith('/slow')) setTimeout(finish, SLOW_MS, res)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  pages.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const fetchPage = (path: string) =>
  callTool('web_fetch', { url: pages.url + path, format: 'text' }, { text: 'Let me look it up.', piece: 100 })
const ownTool = {
  chat: { type: 'function', function: { name: 'look' } },
  responses: { type: 'function', name: 'look', parameters: {} },
  messages: { name: 'look', input_schema: { type: 'object' } },
  gemini: { functionDeclarations: [{ name: 'look' }] },
} as const

describe.each(allEntries)('in $entry', (door) => {
  it('a page comes as its text', async () => {
    w.answers(fetchPage('/page'), say('At noon.'), say('You are welcome.'))
    const talk = w.talk(door)
    talk.user('When is high water?')
    expect((await talk.ask({ stream: true, tools: [look] })).text).toContain('At noon.')
    talk.user('Thanks.')
    await talk.ask({ stream: true, tools: [look] })
    expect(heard(w.request(2)).results).toMatchObject([
      { text: expect.stringContaining('High water is at noon.') as string },
    ])
    expect(heard(w.request(2)).tools.map(({ name }) => name)).toEqual(['look', 'clock', 'web_fetch'])
    expectOneHistory(w.requests())
  })

  it('a client that goes away ends the fetching, nothing more goes up and nothing is kept', async () => {
    const path = `/never/${door.entry}`
    w.answers(fetchPage(path), say('At noon.'))
    const session = `left-${door.entry}`
    const body = bodyOf(door, ['When is high water?'], { stream: true, tools: [ownTool[door.entry]] })
    const leaving = call(w.engine, pathOf(door, true), body, { headers: { ...door.headers, 'x-session-id': session } })
    const open = await waitFor('the fetching', () => pages.open.find((one) => one.path === path))
    await leaving.head
    expect(leaving.received().toString()).toContain('Let me look it up.')
    leaving.leave()
    await waitFor('the end of the fetching', () => open.left)
    const ended = await waitFor('the end of the turn', () =>
      w.engine.control.events.find(({ sessionId, body: { type } }) => sessionId === session && type === 'turn-ended'),
    )
    expect(ended.body).toMatchObject({ clientLeft: true })
    expect(w.requests()).toHaveLength(1)
    expect(w.kept()).not.toContain(session)
  })
})

const signs = {
  chat: /\n: [^\n]*\n\n/,
  messages: /event: ping\ndata: [^\n]+\n\n/,
  responses: /event: response\.(in_progress|output_text\.delta)\n/,
  gemini: null,
} as const

it('a waiting client is shown a sign of life in its protocol, and its SDK reads the answer', async () => {
  const asked = allEntries.map(async (door) => {
    const talk = w.talk(door)
    talk.user(`When is high water? (${door.entry})`)
    return { door, talk, answer: await talk.ask({ stream: true, tools: [look] }) }
  })
  w.mock.script((request) =>
    heard(request).results.length > 0 ? say('At noon.') : fetchPage(`/slow/${request.endpoint}`),
  )
  for (const { door, talk, answer } of await Promise.all(asked)) {
    expect(answer.text.replaceAll(/\s+/g, ' ')).toMatch(/^Let me look it up\. ?At noon\.$/)
    const got = (await talk.got[0]) ?? ''
    const waiting = got.slice(got.indexOf('Let me look it up.'))
    const sign = signs[door.entry]
    if (sign) expect(waiting, door.entry).toMatch(sign)
    else expect(got).not.toMatch(/^:|ping/m)
  }
})
