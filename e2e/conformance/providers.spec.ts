/** What the engine does with providers that refuse, fail and fall silent. */
import { connect } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { ConfigInput } from '../../shared/config/schema.ts'
import { bodyOf, chatEntry, bodyEntries, messagesEntry, type TestEntry } from '../support/entries.ts'
import { removeHomes } from '../support/engine-process.ts'
import { startEngineForTest, type EngineForTest } from '../support/engine.ts'
import {
  fail,
  garbage,
  gate,
  raw,
  say,
  startMockUpstream,
  type MockReply,
  type MockRequest,
  type MockUpstream,
} from '../support/mock-upstream/index.ts'
import { call, post } from '../support/post.ts'

let engine: EngineForTest
beforeAll(async () => {
  engine = await startEngineForTest({})
})
afterAll(async () => {
  await engine.dispose()
  removeHomes()
})
const mocks: MockUpstream[] = []
/** problems a test wants to cause */
let expected: RegExp | null = null
afterEach(async () => {
  const problems = mocks.flatMap((mock) => mock.problems).filter((problem) => !expected?.test(problem))
  for (const mock of mocks.splice(0)) await mock.dispose()
  expected = null
  expect(problems).toEqual([])
})

const keyOf = ({ headers }: MockRequest): string =>
  (headers['x-api-key'] ?? (headers['authorization'] ?? '').replace('Bearer ', '')).replace(/-set\d+$/, '')
const lastOf = <T>(list: readonly T[]): T | undefined => list[list.length - 1]

async function mockUpstream(): Promise<MockUpstream> {
  const mock = await startMockUpstream()
  mocks.push(mock)
  return mock
}
/** Keys that were refused rest for minutes, so every set of providers has keys of its own. */
let sets = 0
type Provider = NonNullable<ConfigInput['providers']>[string]
const provider = (
  door: TestEntry,
  mock: MockUpstream,
  keys: readonly string[],
  more: Partial<Provider> = {},
): Provider => ({
  type: door.type,
  baseUrl: door.type === 'anthropic' ? mock.baseUrl : `${mock.baseUrl}/v1`,
  keys: keys.map((value, i) => ({ alias: `k${i + 1}`, value: `${value}-set${sets}` })),
  models: { 'm-1': {} },
  ...more,
})
async function use(providers: Record<string, Provider>): Promise<void> {
  sets++
  await engine.use({
    clock: { timeTag: false },
    servertools: { enabled: false },
    providers,
    routes: { default: Object.keys(providers).map((id) => `${id}.m-1`) },
  })
}
/** two providers of one protocol, one key each */
async function twoProviders(door: TestEntry): Promise<{ first: MockUpstream; second: MockUpstream }> {
  const [first, second] = [await mockUpstream(), await mockUpstream()]
  second.otherwise = say('from the second')
  await use({ first: provider(door, first, ['key-1']), second: provider(door, second, ['key-2']) })
  return { first, second }
}
const ask = (door: TestEntry, more: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  post(engine, door.path, bodyOf(door, ['Hi'], more), { headers: { ...door.headers, ...headers } })

describe('before the first byte', () => {
  it.each(bodyEntries)('a key that is refused or limited gives way to the next, and rests: $entry', async (door) => {
    const mock = await mockUpstream()
    await use({ up: provider(door, mock, ['key-1', 'key-2', 'key-3', 'key-4']) })
    const says: Record<string, MockReply> = {
      'key-1': fail(401),
      'key-2': fail(429, { headers: { 'retry-after': '30' } }),
      'key-3': fail(403),
    }
    mock.script((request) => says[keyOf(request)] ?? say('Hello'))
    const answer = await ask(door)
    expect([answer.status, answer.headers['x-onward-tried']]).toEqual([
      200,
      'up.m-1 (key k1): 401, up.m-1 (key k2): 429, up.m-1 (key k3): 403',
    ])
    expect(mock.requests.map(keyOf)).toEqual(['key-1', 'key-2', 'key-3', 'key-4'])
    expect(mock.requests.map((r) => r.body.toString())).toEqual(Array(4).fill(bodyOf(door, ['Hi'])))
    expect((await ask(door, { stream: true })).status).toBe(200)
    expect(mock.requests.slice(4).map(keyOf)).toEqual(['key-4'])
  })

  const failures: readonly (readonly [string, MockReply])[] = [
    ...[408, 409, 425, 429, 500, 502, 503, 504, 529].map((status) => [`status ${status}`, fail(status)] as const),
    ['nonsense', garbage('\x16\x03\x01 nonsense\r\n\r\n')],
    ['a JSON answer cut in its middle', say('half an answer', { breakOff: { after: 1, how: 'cut' } })],
    ['a JSON answer reset in its middle', say('half an answer', { breakOff: { after: 1, how: 'reset' } })],
  ]
  it('whatever fails there goes to the next provider, byte for byte', async () => {
    const door = chatEntry
    const { first, second } = await twoProviders(door)
    for (const [name, reply] of failures) {
      first.queue(reply)
      const body = bodyOf(door, [`Hi <**hello**>, about ${name} `, 'Yes?', 'Go on'])
      const answer = await post(engine, door.path, body, { headers: door.headers })
      expect([name, answer.status, answer.body.toString()]).toEqual([
        name,
        200,
        expect.stringContaining('from the second'),
      ])
      expect(lastOf(second.requests)?.body.toString()).toBe(body.replace('<**hello**>', ''))
    }
    // A limited key rests, so the first was not asked again behind the 429.
    const limited = failures.findIndex(([name]) => name === 'status 429')
    expect(first.requests).toHaveLength(limited + 1)
  })

  it.each(bodyEntries)('a provider that is gone gives way to the next, streaming too: $entry', async (door) => {
    const { first, second } = await twoProviders(door)
    await first.dispose()
    const answer = await ask(door, { stream: true })
    expect([answer.status, answer.whole, answer.headers['x-onward-tried']]).toEqual([
      200,
      true,
      'first.m-1 (key k1): upstream-unreachable',
    ])
    expect(lastOf(second.requests)?.body.toString()).toBe(bodyOf(door, ['Hi'], { stream: true }))
  })

  it.each([400, 404, 405, 413, 422])('a refusal of the request itself stays with its provider: %i', async (status) => {
    const door = chatEntry
    const { first, second } = await twoProviders(door)
    first.queue(fail(status, { message: 'not so' }))
    const answer = await ask(door)
    expect([answer.status, answer.body.toString()]).toEqual([status, expect.stringContaining('not so')])
    expect(second.requests).toEqual([])
  })
})

describe('after the first byte', () => {
  it.each(bodyEntries)('nobody else is asked: $entry', async (door) => {
    const { first, second } = await twoProviders(door)
    for (const how of ['cut', 'reset', 'end'] as const) {
      first.queue(say('an answer that breaks off', { piece: 3, breakOff: { after: 5, how } }))
      const answer = await ask(door, { stream: true })
      expect([how, answer.status, answer.whole]).toEqual([how, 200, true])
      expect(answer.body.toString()).toMatch(/upstream-broke-off/)
    }
    expect(second.requests).toEqual([])
    const [turn] = await engine.control.api.turns.query(1)
    expect(turn).toMatchObject({ finish: 'broken-off', status: 200, route: { provider: 'first' } })
  })
})

describe('when everything failed', () => {
  it.each(bodyEntries)(
    'the last error comes through as it is, with its retry-after and what was tried: $entry',
    async (door) => {
      const { first, second } = await twoProviders(door)
      first.otherwise = fail(503)
      second.otherwise = fail(429, { message: 'slow down, please', headers: { 'retry-after': '7' } })
      const answer = await ask(door)
      expect([answer.status, answer.headers['retry-after'], answer.headers['x-onward-tried']]).toEqual([
        429,
        '7',
        'first.m-1 (key k1): 503',
      ])
      expect(answer.body.toString()).toContain('slow down, please')
      const [turn] = await engine.control.api.turns.query(1)
      expect(turn).toMatchObject({
        status: 429,
        finish: 'error',
        route: {
          provider: 'second',
          skipped: [{ candidate: 'first.m-1', why: { code: 'failed-now', key: 'k1', failure: '503' } }],
        },
      })
    },
  )

  it.each(bodyEntries)('an error of Onward’s own names everybody who was tried, and why: $entry', async (door) => {
    const { first, second } = await twoProviders(door)
    first.otherwise = fail(500)
    await second.dispose()
    const answer = await ask(door)
    expect(answer.status).toBe(502)
    const { error } = JSON.parse(answer.body.toString()) as { error: { code: string; message: string } }
    expect(error.code).toBe('upstream-unreachable')
    expect(error.message).toMatch(
      /Tried: first\.m-1 \(key k1\): 500, an error of its own; second\.m-1 \(key k1\): it can’t be reached\.$/,
    )
    expect(error.message).not.toMatch(/key-[12]/)
  })
})

describe('a redirection', () => {
  it.each(bodyEntries)('is never handed on: a client would follow it past Onward: $entry', async (door) => {
    const { first, second } = await twoProviders(door)
    first.otherwise = raw('moved', { status: 308, headers: { location: `${second.baseUrl}/v1/secret-path?key=1` } })
    expect((await ask(door)).body.toString()).toContain('from the second')
    await second.dispose()
    first.otherwise = raw('moved', { status: 302, headers: { location: 'https://elsewhere.test/secret-path' } })
    await use({ only: provider(door, first, ['key-1']) })
    const { status, headers, body } = await ask(door)
    expect([status, headers['location'], body.toString()]).toEqual([
      502,
      undefined,
      expect.stringMatching(/upstream-redirected/),
    ])
    expect(body.toString()).toMatch(/to https:\/\/elsewhere\.test\./)
    expect(second.requests).toHaveLength(1)
  })
})

describe('a client that leaves', () => {
  const left = async (mock: MockUpstream, n: number): Promise<void> => {
    expect(await (await mock.turn(n)).over).toBe('left')
  }

  it.each(bodyEntries)('is heard by the provider in every phase, and nobody else is asked: $entry', async (door) => {
    const { first, second } = await twoProviders(door)
    const never = gate()
    const phases: readonly (readonly [string, MockReply, boolean, string])[] = [
      ['before the head', say('x', { hold: { at: 'head', until: never } }), true, ''],
      ['behind the head', raw([{ until: never }], { headers: { 'content-type': 'text/event-stream' } }), true, ''],
      ['behind the first events', say('abcdef', { piece: 1, hold: { at: 4, until: never } }), true, 'abc'],
      [
        'in a JSON answer',
        raw(['{"half":', { until: never }], { headers: { 'content-type': 'application/json' } }),
        false,
        '',
      ],
    ]
    for (const [i, [, reply, stream, seen]] of phases.entries()) {
      first.queue(reply)
      const asked = call(engine, door.path, bodyOf(door, ['Hi'], { stream }), { headers: door.headers })
      await first.turn(i + 1)
      if (seen !== '')
        await new Promise<void>((resolve) => {
          void asked.head.then((response) =>
            response.on('data', () => {
              if (asked.received().length > 0) resolve()
            }),
          )
        })
      asked.leave()
      await left(first, i + 1)
    }
    expect(second.requests).toEqual([])
    expect(first.requests).toHaveLength(phases.length)
  })

  it('is heard while the next provider thinks', async () => {
    const door = chatEntry
    const { first, second } = await twoProviders(door)
    first.queue(fail(500))
    second.queue(say('x', { hold: { at: 'head', until: gate() } }))
    const asked = call(engine, door.path, bodyOf(door, ['Hi']), { headers: door.headers })
    await second.turn(1)
    asked.leave()
    await left(second, 1)
    await engine.control.event('turn-ended', (body) => body.clientLeft && body.route?.provider === 'second')
  })

  it('in the middle of its request asks nobody', async () => {
    const door = chatEntry
    const { first } = await twoProviders(door)
    const part =
      `POST ${door.path} HTTP/1.1\r\nhost: 127.0.0.1:${engine.port}\r\nauthorization: Bearer ` +
      `${engine.key}\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{"model":"m-1",`
    await new Promise<void>((resolve, reject) => {
      const socket = connect(engine.port, '127.0.0.1', () => socket.write(part, () => socket.end()))
      socket
        .on('close', () => resolve())
        .on('error', reject)
        .resume()
    })
    expect((await ask(door)).status).toBe(200)
    expect(first.requests).toHaveLength(1)
  })
})

describe('auth: "client"', () => {
  const own = 'sk-ant-of-the-person'
  it.each(bodyEntries)('the caller’s own credential goes to that provider and to no other: $entry', async (door) => {
    const [vendor, spare] = [await mockUpstream(), await mockUpstream()]
    await use({ vendor: provider(door, vendor, [], { auth: 'client' }), spare: provider(door, spare, ['key-2']) })
    vendor.queue(say('Hello'), fail(529))
    const credential: Record<string, string> =
      door.entry === 'messages'
        ? { 'x-api-key': own, authorization: '' }
        : { authorization: `Bearer ${own}`, 'openai-organization': 'org-1', 'chatgpt-account-id': 'acct-1' }
    for (let i = 0; i < 2; i++)
      expect((await ask(door, {}, { ...credential, 'x-onward-key': engine.key })).status).toBe(200)
    expect(vendor.requests.map(keyOf)).toEqual([own, own])
    expect(spare.requests.map(keyOf)).toEqual(['key-2'])
    const told = JSON.stringify([
      ...spare.requests.flatMap((r) => r.rawHeaders),
      ...vendor.requests.flatMap((r) => r.rawHeaders),
    ])
    expect(told).not.toContain(engine.key)
    expect(JSON.stringify(spare.requests.flatMap((r) => r.rawHeaders))).not.toMatch(/of-the-person|org-1|acct-1/)
  })

  it.each(bodyEntries)('Onward’s own key is never given away: $entry', async (door) => {
    const vendor = await mockUpstream()
    await use({ vendor: provider(door, vendor, [], { auth: 'client' }) })
    const { status, body } = await ask(door, {}, { 'x-api-key': engine.key })
    expect([status, body.toString()]).toEqual([401, expect.stringContaining('no-credential')])
    expect(vendor.requests).toEqual([])
    const prefixed = { baseUrl: `${engine.baseUrl}/t/${encodeURIComponent(engine.key)}`, key: own }
    await post(prefixed, door.path, bodyOf(door, ['Hi']), { headers: door.headers })
    expect(vendor.requests.map((r) => [r.headers['authorization'], r.path])).toEqual([[`Bearer ${own}`, door.path]])
  })
})

describe('count_tokens', () => {
  it('is asked of the Anthropic upstream with the client’s bytes, query and betas', async () => {
    const door = messagesEntry
    const { first } = await twoProviders(door)
    const body = ` {"model":"m-1","messages":[{"role":"user","content":"Hi <**sm:off**>"}]}`
    const answer = await post(engine, '/v1/messages/count_tokens?beta=true', body, {
      headers: { ...door.headers, 'anthropic-beta': 'x-1' },
    })
    expect(answer.status).toBe(200)
    expect(JSON.parse(answer.body.toString())).toEqual({ input_tokens: expect.any(Number) })
    const [request] = first.requests
    expect([request?.endpoint, request?.query, request?.headers['anthropic-beta'], request?.body.toString()]).toEqual([
      'count',
      '?beta=true',
      'x-1',
      body.replace('<**sm:off**>', ''),
    ])
    expect((await engine.control.api.turns.query(1))[0]).toMatchObject({ kind: 'count' })
    expect(engine.control.sessions.size).toBe(0)
  })

  it('without such an upstream is an estimate', async () => {
    const mock = await mockUpstream()
    const door = chatEntry
    await use({ up: provider(door, mock, ['key-1']) })
    const answer = await post(
      engine,
      '/v1/messages/count_tokens',
      JSON.stringify({ model: 'm-1', messages: [{ role: 'user', content: 'How many tokens is this sentence?' }] }),
      { headers: { 'anthropic-version': '2023-06-01' } },
    )
    const { input_tokens: tokens } = JSON.parse(answer.body.toString()) as { input_tokens: number }
    expect(answer.status).toBe(200)
    expect(tokens).toBeGreaterThan(5)
    expect(tokens).toBeLessThan(20)
    expect(mock.requests).toEqual([])
  })
})
