/**
 * Providers that fail, as servers of their own behind a real engine: another one answers, or the client is told
 * honestly.
 */
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { ConfigInput } from '../shared/config/schema.ts'
import type { TurnRecord } from '../shared/state.ts'
import { bodyOf, chatEntry, messagesEntry, type TestEntry } from './support/entries.ts'
import { removeHomes } from './support/engine-process.ts'
import { startEngineForTest, type EngineForTest } from './support/engine.ts'
import {
  fail,
  gate,
  garbage,
  say,
  startMockUpstream,
  type MockReply,
  type MockRequest,
  type MockUpstream,
} from './support/mock-upstream/index.ts'
import { call, post, type Answer } from './support/post.ts'
import { waitFor } from '../shared/testing/wait-for.ts'

let engine: EngineForTest
const mocks: MockUpstream[] = []
let sessions = 0
beforeAll(async () => {
  engine = await startEngineForTest({})
})
afterAll(async () => {
  await engine?.dispose()
  removeHomes()
})
afterEach(async () => {
  const problems = mocks.flatMap((mock) => mock.problems).filter((problem) => !/HEAD \//.test(problem))
  for (const mock of mocks.splice(0)) await mock.dispose()
  expect(problems).toEqual([])
})

interface Fleet {
  glm: MockUpstream
  anth: MockUpstream
  resp: MockUpstream
}

/**
 * Three providers of three protocols in this order; each run of it is new to the engine, so that none of them is known.
 */
async function fleet(more: Omit<ConfigInput, 'server'> = {}): Promise<Fleet> {
  const [glm, anth, resp] = [await startMockUpstream(), await startMockUpstream(), await startMockUpstream()]
  mocks.push(glm, anth, resp)
  for (const [name, mock] of Object.entries({ glm, anth, resp })) mock.otherwise = say(`I am ${name}.`)
  await engine.use(configOf({ glm, anth, resp }, more))
  return { glm, anth, resp }
}

const configOf = ({ glm, anth, resp }: Fleet, more: Omit<ConfigInput, 'server'> = {}): ConfigInput => ({
  providers: {
    glm: {
      type: 'openai-chat',
      baseUrl: `${glm.baseUrl}/v1`,
      keys: [
        { alias: 'main', value: 'sk-glm-1' },
        { alias: 'spare', value: 'sk-glm-2' },
      ],
      models: { g: {} },
    },
    anth: {
      type: 'anthropic',
      baseUrl: anth.baseUrl,
      keys: [{ alias: 'main', value: 'sk-anth-1' }],
      models: { a: {} },
    },
    resp: {
      type: 'openai-responses',
      baseUrl: `${resp.baseUrl}/v1`,
      keys: [{ alias: 'main', value: 'sk-resp-1' }],
      models: { r: {} },
    },
  },
  routes: { default: ['glm.g', 'anth.a', 'resp.r'] },
  ...more,
})

type Asked = Answer & { session: string }
/** A turn of a session, by default of one nobody has seen. */
const ask = (
  door: TestEntry = chatEntry,
  {
    session = `fleet-${++sessions}`,
    stream = false,
    headers = {},
  }: { session?: string; stream?: boolean; headers?: Record<string, string> } = {},
): Promise<Asked> =>
  post(engine, door.path, bodyOf(door, [`Hi from ${session}`], stream ? { stream } : {}), {
    headers: { ...door.headers, 'x-session-id': session, ...headers },
  }).then((answer) => ({ ...answer, session }))
/** of the session's last turn; a provider's own request id stands in the answer */
const recordOf = ({ session }: Asked): Promise<TurnRecord> =>
  waitFor(
    'its record',
    async () =>
      (await engine.control.api.turns.query(50))
        .filter(({ sessionId }) => sessionId === session)
        .toSorted((a, b) => b.at - a.at)[0],
  )
const health = async (id: string) => (await engine.control.api.providers.query()).find((one) => one.id === id)
const always = (mock: MockUpstream, reply: MockReply) => mock.script(() => reply)
const counts = ({ glm, anth, resp }: Fleet) => [glm, anth, resp].map((mock) => mock.turns().length)
const errorOf = (answer: Answer) =>
  (JSON.parse(answer.body.toString()) as { error: { code: string; message: string } }).error

describe('one key', () => {
  it.each([401, 403, 429, 402])('answered %i: the next one serves, and the record says so', async (status) => {
    const all = await fleet()
    all.glm.script(({ headers }) => (headers['authorization'] === 'Bearer sk-glm-1' ? fail(status) : undefined))
    const answer = await ask()
    expect([answer.status, answer.body.toString()]).toEqual([200, expect.stringContaining('I am glm.')])
    expect(answer.headers['x-onward-tried']).toMatch(new RegExp(`^glm[./]g \\(key main\\): ${status}$`))
    expect(await recordOf(answer)).toMatchObject({
      status: 200,
      route: { provider: 'glm', keyAlias: 'spare' },
      tried: [{ provider: 'glm', model: 'g', keyAlias: 'main', status, code: String(status) }],
    })
    expect((await ask()).headers['x-onward-tried']).toBeUndefined()
    expect(all.glm.turns().map(({ headers }) => headers['authorization'])).toEqual([
      'Bearer sk-glm-1',
      'Bearer sk-glm-2',
      'Bearer sk-glm-2',
    ])
    expect(await health('glm')).toMatchObject({
      health: { kind: 'some-keys', keys: ['main'] },
      keys: [
        { alias: 'main', state: { kind: 'resting' } },
        { alias: 'spare', state: { kind: 'ready' } },
      ],
    })
  })
})

describe('one provider', () => {
  const broken: [string, MockReply][] = [
    ['answers 503', fail(503)],
    ['answers 529', fail(529)],
    ['answers 408', fail(408)],
    ['talks nonsense', garbage('nonsense\r\n\r\n')],
    ['resets the connection', say('half', { as: 'json', breakOff: { after: 0, how: 'reset' } })],
  ]
  it.each(
    broken.flatMap(([what, reply]) =>
      [chatEntry, messagesEntry].map((door) => ({ what, reply, door, entry: door.entry })),
    ),
  )('that $what: one of another protocol answers over $entry', async ({ reply, door }) => {
    const all = await fleet()
    always(all.glm, reply)
    const answer = await ask(door)
    expect([answer.status, answer.body.toString()]).toEqual([200, expect.stringContaining('I am anth.')])
    const { route, tried = [] } = await recordOf(answer)
    expect(route).toMatchObject({ provider: 'anth' })
    expect(tried.length).toBeGreaterThan(0)
    expect(tried.every(({ provider }) => provider === 'glm')).toBe(true)
  })

  it('that is not there: the same, as a stream of the client’s own protocol', async () => {
    const all = await fleet()
    await all.glm.dispose()
    const answer = await ask(chatEntry, { stream: true })
    expect(answer.whole).toBe(true)
    expect(answer.body.toString().endsWith('data: [DONE]\n\n')).toBe(true)
    expect(answer.headers['x-onward-tried']).toMatch(/glm[./]g \(key main\): upstream-unreachable/)
    expect((await recordOf(answer)).route).toMatchObject({ provider: 'anth' })
  })

  it('that fails three times rests, and the others serve without asking it', async () => {
    const all = await fleet()
    always(all.glm, fail(503))
    while (all.glm.turns().length < 3) await ask()
    const before = counts(all)
    for (let i = 0; i < 5; i++) expect((await ask()).headers['x-onward-tried']).toBeUndefined()
    expect(counts(all)).toEqual([before[0], (before[1] ?? 0) + 5, 0])
    expect((await health('glm'))?.health).toMatchObject({ kind: 'resting', rest: { why: 'failures', count: 3 } })
    expect(
      await engine.control.api.routeCheck.query({
        entry: 'chat',
        model: null,
        tokens: 0,
        thinking: false,
        image: false,
        webSearch: false,
        kind: 'turn',
        session: null,
      }),
    ).toMatchObject({
      kind: 'goes',
      route: { provider: 'anth', skipped: [{ candidate: 'glm.g', why: { code: 'resting' } }] },
    })
  })

  it('that flaps is tried by one call at a time after each rest', async () => {
    const all = await fleet({ routing: { failures: 1, coolDownSeconds: 1 } })
    const trial = gate()
    always(all.glm, fail(503))
    expect((await ask()).body.toString()).toContain('I am anth.')
    await waitFor(
      'the end of its rest',
      async () =>
        (
          (await engine.control.api.routeCheck.query({
            entry: 'chat',
            model: null,
            tokens: 0,
            thinking: false,
            image: false,
            webSearch: false,
            kind: 'turn',
            session: null,
          })) as { route?: { provider: string } }
        ).route?.provider === 'glm',
    )
    const before = all.glm.turns().length
    all.glm.script(async () => {
      await trial.opened
      return undefined
    })
    const burst = Array.from({ length: 16 }, () => ask())
    await all.anth.turn(16)
    expect(all.glm.turns().length - before).toBe(1)
    trial.open()
    const answers = (await Promise.all(burst)).map(({ body }) => body.toString())
    expect(answers.filter((text) => text.includes('I am glm.'))).toHaveLength(1)
    expect(answers.filter((text) => text.includes('I am anth.'))).toHaveLength(15)
    expect((await ask()).body.toString()).toContain('I am glm.')
    // All that was asked of it before the trial failed.
    const calls = all.glm.turns().length
    // A call is noted when its answer has ended on both sides.
    const noted = async () => (await health('glm'))?.health
    await waitFor('the last call', async () => {
      const now = await noted()
      return now?.kind === 'answers-again' && now.calls === calls
    })
    expect(await noted()).toEqual({ kind: 'answers-again', failed: before, calls })
  })

  it('that is slow is waited for, others need not wait', async () => {
    const all = await fleet()
    const until = gate()
    all.glm.script(({ lastUserText }) =>
      lastUserText?.includes('slow') ? say('At last.', { hold: { at: 'head', until } }) : undefined,
    )
    const slow = ask(chatEntry, { session: 'slow-one', stream: true })
    await all.glm.turn(1)
    expect((await ask()).body.toString()).toContain('I am glm.')
    until.open()
    expect((await slow).body.toString()).toContain('At last.')
    expect(counts(all)).toEqual([2, 0, 0])
  })

  it('that never begins to answer is given up after its time', async () => {
    const all = await fleet()
    always(all.glm, say('never', { hold: { at: 'head', until: gate() } }))
    const { providers = {}, ...rest } = configOf(all)
    await engine.use({
      ...rest,
      providers: {
        quick: {
          type: 'openai-chat',
          baseUrl: `${all.glm.baseUrl}/v1`,
          keys: [{ alias: 'main', value: 'sk-glm-1' }],
          models: { g: {} },
          quirks: { timeouts: { firstByteMs: 300 } },
        },
        ...providers,
      },
      routes: { default: ['quick.g', 'anth.a'] },
    })
    const answer = await ask()
    expect(answer.headers['x-onward-tried']).toMatch(/^quick[./]g \(key main\): upstream-timeout$/)
    expect(answer.body.toString()).toContain('I am anth.')
  })

  it('that begins and says nothing is given up after its time', async () => {
    const all = await fleet()
    always(all.glm, say('never', { hold: { at: 1, until: gate() } }))
    const { providers = {}, ...rest } = configOf(all)
    await engine.use({
      ...rest,
      providers: {
        quick: {
          type: 'openai-chat',
          baseUrl: `${all.glm.baseUrl}/v1`,
          keys: [{ alias: 'main', value: 'sk-glm-1' }],
          models: { g: { timeouts: { silentMs: 300 } } },
        },
        ...providers,
      },
      routes: { default: ['quick.g', 'anth.a'] },
    })
    const answer = await ask(chatEntry, { stream: true })
    expect(answer.headers['x-onward-tried']).toMatch(/^quick[./]g \(key main\): upstream-silent$/)
    expect(answer.body.toString()).toContain('I am anth.')
    expect((await recordOf(answer)).tried).toMatchObject([{ code: 'upstream-silent' }])
  })
})

describe('all providers', () => {
  it('fail: the client gets the last one’s status and reads of every one', async () => {
    const all = await fleet()
    always(all.glm, fail(503))
    always(all.anth, fail(529))
    always(all.resp, fail(500, { message: 'the last word' }))
    for (const door of [chatEntry, messagesEntry]) {
      const answer = await ask(door)
      const said = `${answer.body.toString()} ${String(answer.headers['x-onward-tried'])}`
      expect(answer.status).toBeGreaterThanOrEqual(500)
      for (const name of [/glm[./]g \(key main\): 503/, /anth[./]a \(key main\): 529/]) expect(said).toMatch(name)
      expect((await recordOf(answer)).tried?.map(({ provider }) => provider)).toEqual(
        expect.arrayContaining(['glm', 'anth']),
      )
    }
  })

  it('are not there: 502, with a sentence', async () => {
    const all = await fleet()
    for (const mock of [all.glm, all.anth, all.resp]) await mock.dispose()
    const answer = await ask()
    expect(answer.status).toBe(502)
    expect(errorOf(answer)).toMatchObject({
      code: 'upstream-unreachable',
      message: expect.stringMatching(/Tried: glm[./]g .*anth[./]a .*resp[./]r /),
    })
  })

  it('say 429 with a time: it is passed on, and until then nobody is asked', async () => {
    const all = await fleet()
    for (const mock of [all.glm, all.anth, all.resp]) always(mock, fail(429, { headers: { 'retry-after': '40' } }))
    const first = await ask()
    expect([first.status, first.headers['retry-after']]).toEqual([429, '40'])
    expect(counts(all)).toEqual([2, 1, 1])
    const second = await ask()
    expect(second.status).toBe(429)
    expect(Number(second.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(second.headers['retry-after'])).toBeLessThanOrEqual(40)
    expect(errorOf(second)).toMatchObject({
      code: 'all-resting',
      message: expect.stringMatching(/glm[./]g: .*asked too fast.*anth[./]a: .*resp[./]r: /s),
    })
    expect(counts(all)).toEqual([2, 1, 1])
  })

  it('say 429 without a time: one is asked, not one after the other', async () => {
    const all = await fleet()
    for (const mock of [all.glm, all.anth, all.resp]) always(mock, fail(429))
    expect((await ask()).status).toBe(429)
    const second = await ask()
    expect([second.status, second.headers['retry-after'], counts(all)]).toEqual([429, undefined, [3, 1, 1]])
  })

  it('are at a limit, each in its vendor’s words: views and the answer name the time it lifts', async () => {
    const all = await fleet()
    const lifts = Math.ceil(Date.now() / 1_000) + 7_200
    always(
      all.glm,
      fail(429, {
        headers: {
          'x-ratelimit-limit-requests': '60',
          'x-ratelimit-remaining-requests': '0',
          'x-ratelimit-reset-requests': '2h',
        },
      }),
    )
    always(
      all.anth,
      fail(429, {
        headers: {
          'anthropic-ratelimit-unified-status': 'rejected',
          'anthropic-ratelimit-unified-representative-claim': 'five_hour',
          'anthropic-ratelimit-unified-reset': String(lifts),
        },
      }),
    )
    always(
      all.resp,
      fail(429, {
        body: JSON.stringify({
          error: { type: 'usage_limit_reached', message: 'The usage limit has been reached', resets_at: lifts },
        }),
      }),
    )
    expect((await ask()).status).toBe(429)
    const next = await ask()
    expect([next.status, errorOf(next).code, counts(all)]).toEqual([429, 'all-resting', [2, 1, 1]])
    expect(Number(next.headers['retry-after'])).toBeGreaterThan(7_000)
    for (const id of ['anth', 'resp'])
      expect((await health(id))?.health).toMatchObject({
        kind: 'resting',
        rest: { why: 'limit', lifts: lifts * 1_000 },
      })
    expect((await health('glm'))?.health).toMatchObject({ kind: 'resting', rest: { why: 'limit' } })
  })
})

describe('a stream', () => {
  it.each([chatEntry, messagesEntry])(
    'that breaks off after its first event over $entry ends in an error, and nobody else speaks on',
    async (door) => {
      const all = await fleet()
      always(all.glm, say('A long answer that will not end well.', { breakOff: { after: 3, how: 'cut' } }))
      const answer = await ask(door, { stream: true })
      expect(answer.status).toBe(200)
      expect(answer.body.toString()).toMatch(/"error"/)
      expect(answer.body.toString()).not.toContain('I am')
      expect(counts(all)).toEqual([1, 0, 0])
      expect(await recordOf(answer)).toMatchObject({ route: { provider: 'glm' }, finish: 'broken-off' })
    },
  )

  it('falls back before its first byte for the vendors’ own clients', async () => {
    const all = await fleet()
    always(all.glm, fail(503))
    const openai = new OpenAI({ baseURL: `${engine.baseUrl}/v1`, apiKey: engine.key, maxRetries: 0 })
    let text = ''
    for await (const chunk of await openai.chat.completions.create({
      model: 'any',
      stream: true,
      messages: [{ role: 'user', content: 'Hi' }],
    }))
      text += chunk.choices[0]?.delta.content ?? ''
    expect(text).toBe('I am anth.')
    const anthropic = new Anthropic({ baseURL: engine.baseUrl, apiKey: engine.key, maxRetries: 0 })
    const message = await anthropic.messages
      .stream({ model: 'any', max_tokens: 50, messages: [{ role: 'user', content: 'Hi' }] })
      .finalMessage()
    expect(message.content).toMatchObject([{ type: 'text', text: 'I am anth.' }])
  })
})

describe('a session', () => {
  it('stays where it went after a failure, though its first choice is back', async () => {
    const all = await fleet()
    all.glm.queue(fail(503))
    expect((await ask(chatEntry, { session: 'stays' })).body.toString()).toContain('I am anth.')
    for (let i = 0; i < 4; i++)
      expect((await ask(chatEntry, { session: 'stays' })).body.toString()).toContain('I am anth.')
    expect((await ask()).body.toString()).toContain('I am glm.')
    const { route } = await recordOf(await ask(chatEntry, { session: 'stays' }))
    expect(route?.why).toEqual(expect.arrayContaining([expect.objectContaining({ code: 'sticky', target: 'anth.a' })]))
  })

  it('goes with its share of all', async () => {
    const all = await fleet({
      routes: {
        default: [
          { target: 'glm.g', weight: 3 },
          { target: 'anth.a', weight: 1 },
        ],
      },
    })
    const names = Array.from({ length: 80 }, (_, i) => `shared-${i}`)
    for (const session of names) await ask(chatEntry, { session })
    const [glm = 0, anth = 0] = counts(all)
    expect(glm + anth).toBe(80)
    expect(glm).toBeGreaterThan(45)
    expect(anth).toBeGreaterThan(8)
    const servedBy = (mock: MockUpstream) => new Set(mock.turns().map(({ lastUserText }) => lastUserText))
    for (const session of names) await ask(chatEntry, { session })
    expect([...servedBy(all.glm)].filter((text) => servedBy(all.anth).has(text))).toEqual([])
  })
})

describe('a client’s own login', () => {
  const own = 'sk-ant-oat01-a-persons-own-login'
  const everything = (request: MockRequest): string =>
    request.rawHeaders.join('\n') + request.body.toString() + request.path + request.query

  it('reaches the provider that takes it and nobody else, when that fails, too', async () => {
    const all = await fleet()
    const { providers = {} } = configOf(all)
    const anth = providers['anth']
    if (!anth) throw new Error('no anth')
    const other = await startMockUpstream()
    mocks.push(other)
    other.otherwise = say('I am other.')
    await engine.use({
      providers: {
        ...providers,
        anth: { ...anth, keys: [], auth: 'client' },
        other: { ...anth, baseUrl: other.baseUrl, keys: [{ alias: 'main', value: 'sk-other' }] },
      },
      routes: { default: ['anth.a', 'other.a', 'glm.g', 'resp.r'] },
    })
    const headers = { 'x-onward-key': engine.key, authorization: `Bearer ${own}` }
    const asked = () => ask(messagesEntry, { headers })
    expect((await asked()).body.toString()).toContain('I am anth.')
    expect(all.anth.turns()[0]?.headers['authorization']).toBe(`Bearer ${own}`)
    always(all.anth, fail(529))
    expect((await asked()).body.toString()).toContain('I am other.')
    always(other, fail(503))
    expect((await asked()).body.toString()).toContain('I am glm.')
    always(all.glm, fail(503))
    expect((await asked()).body.toString()).toContain('I am resp.')
    for (const mock of [other, all.glm, all.resp]) {
      expect(mock.requests.length).toBeGreaterThan(0)
      for (const request of mock.requests) expect(everything(request)).not.toContain('persons-own-login')
    }
    for (const request of all.anth.requests) expect(everything(request)).not.toContain(engine.key)
  })
})

describe('an edit while requests run', () => {
  it('that is wrong changes nothing; a right one counts from the next request on', async () => {
    const all = await fleet()
    const until = gate()
    all.glm.queue(say('The old one speaks to its end.', { hold: { at: 1, until } }))
    const running = call(engine, chatEntry.path, bodyOf(chatEntry, ['Hi'], { stream: true }))
    await all.glm.turn(1)
    engine.edit('{ "providers": { "glm": { "type": "no-such-type" } } }')
    await waitFor('word of the mistake', async () => (await engine.control.api.status.query()).configProblem)
    expect((await ask()).body.toString()).toContain('I am glm.')
    await engine.use({
      ...configOf(all),
      providers: { anth: configOf(all).providers?.['anth'] ?? { type: 'anthropic' } },
      routes: { default: ['anth.a'] },
    })
    expect((await ask()).body.toString()).toContain('I am anth.')
    until.open()
    const answer = await running.answer
    expect([answer.whole, answer.body.toString().includes('[DONE]')]).toEqual([true, true])
  })
})
