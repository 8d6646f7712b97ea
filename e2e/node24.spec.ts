/** The engine and the host of its terminals under Node 24, as on a machine that has nothing older. */
import Anthropic from '@anthropic-ai/sdk'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readlinkSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, it, type TestContext } from 'vitest'
import { installAgents } from './support/agents.ts'
import { alarmStory, schedule, toldAlarm } from './support/alarm-story.ts'
import { bodyOf, chatEntry, bodyEntries, providersFor } from './support/entries.ts'
import { removeHomes } from './support/engine-process.ts'
import { startEngineForTest, type EngineForTest } from './support/engine.ts'
import { fetchWith } from './support/fetch-with.ts'
import { endTerminalHosts, hostedDriver } from './support/hosted-agent-driver.ts'
import { callTool, gate, raw, say, startMockUpstream, type MockUpstream } from './support/mock-upstream/index.ts'
import { call, post } from './support/post.ts'
import { waitFor } from '../shared/testing/wait-for.ts'

let bench: { engine: EngineForTest; mock: MockUpstream; node: string } | null = null
beforeAll(async () => {
  const { node24: node } = installAgents()
  if (node === null) return
  const mock = await startMockUpstream()
  const engine = await startEngineForTest(
    {
      ...providersFor(mock),
      servertools: { tools: { web_fetch: true }, webFetch: { allow: ['127.0.0.1'] } },
      // Requests are compared byte by byte; and an alarm a second ahead is not due yet.
      clock: { timeTag: false, dueWindowMs: 0 },
    },
    { node },
  )
  bench = { mock, node: realpathSync(node), engine }
})
afterAll(async () => {
  if (!bench) return
  await bench.engine.dispose()
  endTerminalHosts(bench.engine.home)
  await bench.mock.dispose()
  removeHomes()
})
beforeEach((context: TestContext) => {
  context.skip(bench === null, 'the package with Node 24 is for Linux on x64 only')
})
const open = () => {
  if (!bench) throw new Error('skipped')
  return bench
}

describe('under Node 24', () => {
  it('the engine runs', async () => {
    const { engine, node } = open()
    expect(readlinkSync(`/proc/${engine.pid}/exe`)).toBe(node)
    expect((await engine.control.api.status.query()).pid).toBe(engine.pid)
  })

  it.each([
    ['whole', false],
    ['streaming', true],
  ])('the official SDKs get their answers, %s', async (_how, streaming) => {
    const { engine, mock } = open()
    mock.otherwise = say('Hello, 世界 👋', { piece: 3, thinking: 'Think.' })
    const openai = new OpenAI({ baseURL: `${engine.baseUrl}/v1`, apiKey: engine.key, maxRetries: 0 })
    const anthropic = new Anthropic({ baseURL: engine.baseUrl, apiKey: engine.key, maxRetries: 0 })
    const messages = [{ role: 'user' as const, content: 'Hi <**hello**>' }]
    const chat = { model: 'm-1', messages }
    const completion = streaming
      ? await openai.chat.completions.stream(chat).finalChatCompletion()
      : await openai.chat.completions.create(chat)
    expect(completion.choices[0]?.message.content).toBe('Hello, 世界 👋')
    const responses = { model: 'm-1', input: messages }
    const response = streaming
      ? await openai.responses.stream(responses).finalResponse()
      : await openai.responses.create(responses)
    expect(response.output_text).toBe('Hello, 世界 👋')
    const asked = { model: 'm-1', max_tokens: 100, messages }
    const message = streaming
      ? await anthropic.messages.stream(asked).finalMessage()
      : await anthropic.messages.create(asked)
    expect(message.content).toMatchObject([{ type: 'thinking' }, { type: 'text', text: 'Hello, 世界 👋' }])
    expect(mock.requests.slice(-3).map((r) => r.lastUserText)).toEqual(['Hi ', 'Hi ', 'Hi '])
    expect(mock.problems).toEqual([])
  })

  it('tools of its own run inside an answer, a page’s thread too', async () => {
    const { engine, mock } = open()
    const pages = createServer((_, res) => {
      res
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<main><h1>Tides</h1><p>High water is at noon.</p></main>')
    })
    await new Promise<void>((done) => pages.listen(0, '127.0.0.1', done))
    mock.queue(
      callTool(
        'web_fetch',
        { url: `http://127.0.0.1:${(pages.address() as AddressInfo).port}/` },
        { text: 'One moment.' },
      ),
      say('At noon.'),
    )
    const anthropic = new Anthropic({ baseURL: engine.baseUrl, apiKey: engine.key, maxRetries: 0 })
    const message = await anthropic.messages
      .stream({
        model: 'm-1',
        max_tokens: 100,
        messages: [{ role: 'user', content: 'When?' }],
        tools: [{ name: 'look', input_schema: { type: 'object' } }],
      })
      .finalMessage()
    pages.close()
    expect(message.content.map((block) => (block.type === 'text' ? block.text : block.type))).toEqual([
      'One moment.',
      'At noon.',
    ])
    expect(mock.requests.at(-1)?.body.toString()).toContain('High water is at noon.')
  })

  it('an alarm that its model sets comes within the same answer, which is held open for it', async () => {
    const { engine, mock } = open()
    mock.queue(
      schedule({ 'look at the tests': Date.now() + 1_500 }, { text: 'One moment.' }),
      say('It is set.'),
      say('All green.'),
    )
    const anthropic = new Anthropic({
      baseURL: engine.baseUrl,
      apiKey: engine.key,
      maxRetries: 0,
      fetch: fetchWith({ 'x-session-id': 'alarm' }),
    })
    const message = await anthropic.messages
      .stream({
        model: 'm-1',
        max_tokens: 100,
        messages: [{ role: 'user', content: 'Wake me.' }],
        tools: [{ name: 'look', input_schema: { type: 'object' } }],
      })
      .finalMessage()
    expect(message.content.map((block) => (block.type === 'text' ? block.text : block.type))).toEqual([
      'One moment.',
      'It is set.',
      'All green.',
    ])
    expect(mock.requests.at(-1)?.lastUserText).toMatch(toldAlarm('look at the tests'))
    await waitFor('its end', () => alarmStory(engine.control, 'alarm').includes('alarm-delivered hold'))
    expect(mock.problems).toEqual([])
  })

  it.each(bodyEntries)('every byte is kept, and streams pass as they come: $entry', async (door) => {
    const { engine, mock } = open()
    await engine.control.api.setServertool.mutate({ tool: null, on: false })
    const until = gate()
    const first = ': odd\r\n\r\ndata: {"a":  1E400}\n\n'
    mock.script(() => raw([first, { until }, door.lastEvent], { headers: { 'content-type': 'text/event-stream' } }))
    const body =
      ' ' +
      bodyOf(door, ['\u{1f44b} 世界'], { stream: true, zz: 1 }).replace(
        '"zz":1',
        '"zz" : 1.0, "yy":[ -0 ], "s":"\\ud800"',
      ) +
      '\r\n'
    const asked = call(engine, door.path, body, { headers: door.headers, cuts: [5, 40] })
    await waitFor('the first event', () => asked.received().toString() === first)
    until.open()
    expect((await asked.answer).body.toString()).toBe(first + door.lastEvent)
    expect(mock.requests.at(-1)?.body.toString()).toBe(body)
    mock.script(() => undefined)
  })

  it('a client’s leaving and a broken answer are told', async () => {
    const { engine, mock } = open()
    mock.queue(
      say('abc', { piece: 1, hold: { at: 2, until: gate() } }),
      say('abcdef', { piece: 1, breakOff: { after: 3, how: 'reset' } }),
    )
    const asked = call(engine, chatEntry.path, bodyOf(chatEntry, ['Hi'], { stream: true }))
    await asked.head
    asked.leave()
    const left = await mock.waitFor('the request', (requests) => requests.at(-1))
    expect(await left.over).toBe('left')
    expect((await post(engine, chatEntry.path, bodyOf(chatEntry, ['Hi'], { stream: true }))).body.toString()).toContain(
      'upstream-broke-off',
    )
  })

  it('its terminals are hosted by Node 24 too, and live on without it', async () => {
    const { engine, node } = open()
    const size = { cols: 80, rows: 24 }
    const { id } = await engine.control.api.openTerminal.mutate({
      client: 'other',
      args: ['sh', '-c', 'echo hosted by $PPID; exec cat'],
      ...size,
    })
    const driver = hostedDriver(engine, id, size)
    const host = Number(await waitFor('the host’s pid', () => /hosted by (\d+)/.exec(driver.screen())?.[1]))
    expect(readlinkSync(`/proc/${host}/exe`)).toBe(node)
    driver.type('typed\r')
    await waitFor('what was typed, and its echo', () => /typed\s+typed/.test(driver.screen()))
    driver.dispose()

    await engine.kill()
    const next = await engine.restart()
    bench = { ...open(), engine: next }
    const again = hostedDriver(next, id, size)
    await waitFor('the same screen', () => /hosted by \d+\s+typed\s+typed/.test(again.screen()))
    again.type('more\r')
    await waitFor('the terminal to answer the new engine', () => /more\s+more/.test(again.screen()))
    again.dispose()
    await next.control.api.resizeTerminal.mutate({ terminalId: id, cols: 100, rows: 30 })
    await waitFor('the new size', async () =>
      (await next.control.api.terminals.query()).some((t) => t.cols === 100 && t.rows === 30),
    )
    await next.control.api.closeTerminal.mutate(id)
    await waitFor(
      'its end',
      async () => (await next.control.api.terminals.query()).every((t) => !t.alive) && childrenOf(host).length === 0,
    )
  })
})

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((child) => {
      try {
        return new RegExp(`\\) [^Z] ${pid} `).test(readFileSync(`/proc/${child}/stat`, 'utf8'))
      } catch {
        // it ended while we looked
        return false
      }
    })
}
