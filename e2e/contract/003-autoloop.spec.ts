import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ConfigInput } from '../../shared/config/schema.ts'
import { allEntries, bodyOf, chatEntry, messagesEntry, responsesEntry } from '../support/entries.ts'
import { startEngineForTest } from '../support/engine.ts'
import { heard } from '../support/heard.ts'
import { callTool, say, type AnswerPlan } from '../support/mock-upstream/index.ts'
import { at } from '../support/mock-upstream/json-path.ts'
import { post } from '../support/post.ts'
import { look, servertoolWorld, type Conversation } from '../support/servertool-world.ts'

const tools = [look]
const config = {
  clock: { timeTag: false },
  servertools: { tools: { web_fetch: true }, webFetch: { allow: ['127.0.0.1'], maxChars: 400 } },
} satisfies ConfigInput

describe('tools that run in the program', () => {
  const world = servertoolWorld(config)
  let site: Server
  let page: string
  beforeAll(async () => {
    site = createServer((request, response) => {
      response.setHeader('content-type', 'text/html')
      const words = request.url === '/long' ? 'again and again '.repeat(200) : 'The shop opens at nine.'
      response.end(`<title>A page</title><p>${words}</p>`)
    })
    await new Promise<void>((listening) => site.listen(0, '127.0.0.1', listening))
    page = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  })
  afterAll(() => void site.close())

  const fetches = (path = '/', id?: string): AnswerPlan => ({
    kind: 'answer',
    toolCalls: [{ name: 'web_fetch', input: { url: page + path }, ...(id ? { id } : {}) }],
  })
  const ask = (talk: Conversation, stream = true, more = tools) => {
    talk.user('When does it open?')
    return talk.ask({ stream, tools: more })
  }
  const names = (n: number) => heard(world.request(n)).tools.map(({ name }) => name)

  describe('2.1 where calls are taken over', () => {
    it.each(allEntries)('a call of its own tool is run, and no client sees it: $entry', async (door) => {
      for (const stream of [true, false]) {
        world.answers(fetches(), say('At nine.'))
        const talk = world.talk(door)
        expect(await ask(talk, stream)).toMatchObject({ text: 'At nine.', calls: [], finish: 'stop' })
        expect(await talk.got.at(-1)).not.toMatch(/web_fetch|opens at nine|__server_tool_results/)
      }
    })

    it.each(allEntries)('a call of a tool it does not know goes to the client: $entry', async (door) => {
      for (const stream of [true, false]) {
        world.answers(callTool('look', { at: 'home' }))
        const { calls } = await ask(world.talk(door), stream)
        expect(calls).toMatchObject([{ name: 'look', input: { at: 'home' } }])
      }
      expect(world.requests()).toHaveLength(2)
    })
  })

  describe('2.2 what runs them', () => {
    it('a page is read for the model, as text', async () => {
      world.answers(fetches(), say('At nine.'))
      await ask(world.talk(chatEntry))
      const [result] = heard(world.request(2)).results
      expect(result?.text).toContain('The shop opens at nine.')
      expect(result?.text).not.toContain('<p>')
    })

    it('or as HTML, where the model asks for that', async () => {
      const call = callTool('web_fetch', { url: page, format: 'html' })
      world.answers(call, say('At nine.'))
      await ask(world.talk(chatEntry))
      expect(heard(world.request(2)).results[0]?.text).toContain('<p>The shop opens at nine.</p>')
    })

    it('a long page is cut', async () => {
      world.answers(fetches('/long'), say('I see.'))
      await ask(world.talk(chatEntry))
      const text = heard(world.request(2)).results[0]?.text ?? ''
      expect(text).toMatch(/Cut: about \d+ more characters/)
      expect(text.length).toBeLessThan(1200)
    })
  })

  describe('2.3 the second request', () => {
    it.each(allEntries)('goes to the same endpoint in its shape, and so does the answer: $entry', async (door) => {
      for (const stream of [true, false]) {
        const before = world.requests().length
        world.answers(fetches(), say('At nine.'))
        const talk = world.talk(door)
        await ask(talk, stream)
        const [first, second] = [world.request(before + 1), world.request(before + 2)]
        expect([second.endpoint, second.path, second.model]).toEqual([first.endpoint, first.path, first.model])
        const whole = { chat: '"choices"', responses: '"output"', messages: '"content"', gemini: '"candidates"' }
        const end = door === chatEntry ? 'data: [DONE]' : door.lastEvent.slice(0, 12)
        expect(await talk.got.at(-1)).toContain(stream ? end : whole[door.entry])
      }
    })
  })

  describe('2.4 names and loops', () => {
    it.each([
      { door: chatEntry, id: 'call_seen' },
      { door: responsesEntry, id: 'call_seen' },
      { door: messagesEntry, id: 'toolu_seen' },
    ])('the result has the id that the model gave its call: $door.entry', async ({ door, id }) => {
      world.answers(fetches('/', id), say('At nine.'))
      await ask(world.talk(door))
      expect(heard(world.request(2))).toMatchObject({ calls: [{ id }], results: [{ id }] })
    })

    it('a second round is answered and no third: its calls are refused, the next ones taken out', async () => {
      world.answers(fetches(), fetches(), fetches(), fetches())
      expect(await ask(world.talk(chatEntry))).toMatchObject({ calls: [], finish: 'stop' })
      expect(world.requests()).toHaveLength(4)
      const results = heard(world.request(4)).results.map(({ text }) => text.includes('opens at nine'))
      expect(results).toEqual([true, true, false])
    })
  })

  describe('2.5 how tools are declared', () => {
    it.each(allEntries)('beside any tool of the client’s, once, in the shape of the protocol: $entry', async (door) => {
      world.answers(say('Yes.'))
      await ask(world.talk(door))
      expect(names(1).toSorted()).toEqual(['clock', 'look', 'web_fetch'])
      const [tool] = heard(world.request(1)).tools.filter(({ name }) => name === 'web_fetch')
      expect(tool?.parameters).toMatchObject({ type: 'object', properties: { url: { type: 'string' } } })
      expect(at(world.request(1).json, 'tool_choice')).toBeUndefined()
      world.answers(say('Yes.'))
      await ask(world.talk(door), true, [])
      expect(names(2)).not.toContain('web_fetch')
    })

    it('not again where the client has one of that name, which is the client’s then', async () => {
      world.answers(fetches())
      const reply = await ask(world.talk(chatEntry), true, [look, { ...look, name: 'web_fetch' }])
      expect(reply.calls).toMatchObject([{ name: 'web_fetch' }])
      expect(names(1).filter((name) => name === 'web_fetch')).toHaveLength(1)
    })

    it('“conditional”: only beside tools that are named', async () => {
      const engine = await startEngineForTest({
        ...world.config,
        servertools: { ...config.servertools, declare: 'conditional', beside: ['browse'] },
      })
      const before = world.engine
      world.engine = engine
      try {
        world.answers(say('No.'), say('Yes.'))
        await ask(world.talk(chatEntry))
        await ask(world.talk(chatEntry), true, [{ ...look, name: 'browse' }])
        expect(names(1)).not.toContain('web_fetch')
        expect(names(2)).toContain('web_fetch')
      } finally {
        world.engine = before
        await engine.dispose()
      }
    })
  })

  describe('2.6 and 4 the switch', () => {
    it('ROUTECODEX_SERVER_TOOLS=0: nothing is declared or taken over, bytes go their way', async () => {
      const engine = await startEngineForTest(world.config, { env: { ROUTECODEX_SERVER_TOOLS: '0' } })
      try {
        for (const door of allEntries) {
          world.answers(fetches())
          const body = bodyOf(door, ['When?'])
          const answer = await post(engine, door.path, body, { headers: { ...door.headers, session_id: 'off' } })
          expect(world.requests().at(-1)?.body.toString()).toBe(body)
          expect(answer.body.toString()).toContain('web_fetch')
        }
      } finally {
        await engine.dispose()
      }
    })

    it('ROUTECODEX_SERVER_TOOLS=1 switches them on, whatever “enabled” says', async () => {
      const off = { ...world.config, servertools: { webFetch: config.servertools.webFetch, enabled: false } }
      const engine = await startEngineForTest(off, { env: { ROUTECODEX_SERVER_TOOLS: '1' } })
      const before = world.engine
      world.engine = engine
      try {
        expect((await engine.control.api.status.query()).servertools).toMatchObject({ on: true, by: 'env' })
        world.answers(fetches(), say('At nine.'))
        expect(await ask(world.talk(chatEntry))).toMatchObject({ text: 'At nine.', calls: [] })
        expect(names(1)).toContain('web_fetch')
      } finally {
        world.engine = before
        await engine.dispose()
      }
    })
  })

  describe('4 what a client has to do for it', () => {
    it.each(allEntries)('nothing: its next message stands after all that it did not see: $entry', async (door) => {
      world.answers(fetches(), say('At nine.'), say('You are welcome.'))
      const talk = world.talk(door)
      await ask(talk)
      expect(talk.sent).toHaveLength(1)
      talk.user('Thanks.')
      expect((await talk.ask({ stream: true, tools })).text).toBe('You are welcome.')
      expect(heard(world.request(3)).results[0]?.text).toContain('opens at nine')
    })

    it('a tool that fails is an error that the model reads, and the second request is made', async () => {
      world.answers(callTool('web_fetch', { url: 'http://127.0.0.1:1/' }), say('It can’t be reached.'))
      expect(await ask(world.talk(chatEntry))).toMatchObject({ text: 'It can’t be reached.', calls: [] })
      expect(heard(world.request(2)).results[0]?.text).toBe('Nothing was fetched. 127.0.0.1 refused the connection.')
    })
  })
})
