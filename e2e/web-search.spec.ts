/** web_search through the built engine: a SearXNG instance at home, and a model that searches by itself. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { removeHomes } from './support/engine-process.ts'
import { startEngineForTest, type EngineForTest } from './support/engine.ts'
import { heard } from './support/heard.ts'
import { callTool, say, startMockUpstream, type MockReply, type MockUpstream } from './support/mock-upstream/index.ts'
import { sdkClients } from './support/sdk-clients/index.ts'
import { look } from './support/servertool-world.ts'

let mock: MockUpstream
let server: Server
let asked: string[] = []
let engine: EngineForTest | null = null
beforeAll(async () => {
  mock = await startMockUpstream({ keys: ['sk-upstream'], auxiliary: 'script' })
  server = createServer((req, res) => {
    asked.push(req.url ?? '')
    res.setHeader('content-type', 'application/json')
    res.end(
      JSON.stringify({
        results: [
          { title: 'Tide tables', url: 'https://tides.example/', content: 'High water at noon.' },
          { title: 'Moon', url: 'https://moon.example/', content: '' },
        ],
      }),
    )
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
})
afterEach(async () => {
  await engine?.dispose()
  engine = null
  expect(mock.problems).toEqual([])
})
afterAll(async () => {
  server.close()
  await mock.dispose()
  removeHomes()
})

async function search(engineConfig: object, ...answers: MockReply[]): Promise<{ text: string; from: number }> {
  asked = []
  const from = mock.requests.length
  mock.script(() => answers.shift())
  const keys = [{ alias: 'main', value: 'sk-upstream' }]
  engine = await startEngineForTest({
    providers: {
      up: { type: 'openai-chat', baseUrl: `${mock.baseUrl}/v1`, keys, models: { 'm-1': {} } },
      seeker: { type: 'anthropic', baseUrl: mock.baseUrl, keys, models: { 's-1': {} } },
    },
    routes: { default: ['up.m-1'] },
    servertools: { tools: { web_search: true }, webSearch: { engine: engineConfig as never } },
  })
  const client = sdkClients.find(({ name }) => name === 'openai Chat')
  const talk = client?.talk({ baseUrl: engine.baseUrl, key: engine.key, model: 'm-1' })
  talk?.user('When is high water?')
  return { text: (await talk?.ask({ stream: true, tools: [look] }))?.text ?? '', from }
}
const wants = callTool('web_search', { query: 'tides today' }, { text: 'Searching.' })

it('gives titles and links of the person’s own engine', async () => {
  const { text, from } = await search(
    { type: 'searxng', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
    wants,
    say('At noon.'),
  )
  expect(text).toContain('At noon.')
  expect(asked).toEqual(['/search?q=tides+today&format=json'])
  const last = mock.requests[from + 1]
  const [result] = last ? heard(last).results : []
  expect(result?.text).toMatch(
    /Tide tables[^]*https:\/\/tides\.example\/[^]*High water at noon\.[^]*Moon[^]*https:\/\/moon\.example\//,
  )
})

it('asks a model that searches by itself', async () => {
  const { text, from } = await search(
    { type: 'model', target: 'seeker.s-1' },
    wants,
    say('Noon, says https://tides.example/.'),
    say('At noon.'),
  )
  expect(text).toContain('At noon.')
  const [, question, last] = mock.requests.slice(from)
  expect(question?.json).toMatchObject({ model: 's-1', tools: [{ type: 'web_search_20250305' }] })
  expect(question?.body.toString()).toContain('tides today')
  expect(last ? heard(last).results[0]?.text : '').toContain('https://tides.example/')
})

it('is not offered without an engine', async () => {
  const { from } = await search(null as never, say('No idea.'))
  const [only] = mock.requests.slice(from)
  expect(only ? heard(only).tools.map(({ name }) => name) : []).toEqual(['look', 'clock'])
})
