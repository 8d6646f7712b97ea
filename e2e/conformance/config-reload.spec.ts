/** The config file is edited while the engine works. */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { bodyOf, chatEntry, bodyEntries, providersFor } from '../support/entries.ts'
import { removeHomes } from '../support/engine-process.ts'
import { startEngineForTest, type EngineForTest } from '../support/engine.ts'
import { gate, raw, say, startMockUpstream, type MockUpstream } from '../support/mock-upstream/index.ts'
import { call, post } from '../support/post.ts'
import { waitFor } from '../../shared/testing/wait-for.ts'

let engine: EngineForTest
const mocks: MockUpstream[] = []
beforeAll(async () => {
  engine = await startEngineForTest({})
})
afterAll(async () => {
  await engine.dispose()
  removeHomes()
})
afterEach(async () => {
  // The doctor only knocks at a provider's door.
  const problems = mocks.flatMap((mock) => mock.problems).filter((problem) => !/HEAD \//.test(problem))
  for (const mock of mocks.splice(0)) await mock.dispose()
  expect(problems).toEqual([])
})
async function upstream(): Promise<MockUpstream> {
  const mock = await startMockUpstream()
  mocks.push(mock)
  return mock
}
const status = () => engine.control.api.status.query()
const ask = (key = engine.key) => post({ ...engine, key }, chatEntry.path, bodyOf(chatEntry, ['Hi']))

describe('an edit', () => {
  it('counts from the next request on, while streams of the old config run to their end', async () => {
    const [before, after] = [await upstream(), await upstream()]
    await engine.use(providersFor(before, 'old-key'))
    const until = gate()
    const first = 'data: {"a":1}\n\n'
    before.script(() =>
      raw([first, { until }, ': later\n\n', { pauseMs: 1 }], { headers: { 'content-type': 'text/event-stream' } }),
    )
    const streams = bodyEntries.map((door) => ({
      door,
      asked: call(engine, door.path, bodyOf(door, ['Hi'], { stream: true }), { headers: door.headers }),
    }))
    await waitFor('all first events', () => streams.every(({ asked }) => asked.received().toString() === first))

    await engine.use(providersFor(after, 'new-key'))
    for (const door of bodyEntries)
      expect((await post(engine, door.path, bodyOf(door, ['Hi']), { headers: door.headers })).status).toBe(200)
    expect(after.requests.map((r) => r.headers['x-api-key'] ?? r.headers['authorization'])).toEqual([
      'Bearer new-key',
      'Bearer new-key',
      'new-key',
    ])
    until.open()
    for (const { asked } of streams) {
      const { whole, body } = await asked.answer
      expect(whole).toBe(true)
      expect(body.toString().startsWith(`${first}: later\n\n`)).toBe(true)
    }
    expect(before.requests).toHaveLength(3)
  })

  it('of keys, limits and aliases is obeyed at once', async () => {
    const mock = await upstream()
    await engine.use(providersFor(mock))
    engine.edit(
      JSON.stringify({
        ...providersFor(mock),
        server: { keys: ['another-key'], maxBodyBytes: 1000 },
        aliases: { 'm-1': 'chat.m-2' },
      }),
    )
    await waitFor('the new key', async () => (await ask('another-key')).status === 200)
    expect((await ask()).status).toBe(401)
    expect(mock.requests.at(-1)?.json).toMatchObject({ model: 'm-2' })
    const large = await post({ ...engine, key: 'another-key' }, chatEntry.path, bodyOf(chatEntry, ['x'.repeat(2000)]))
    expect([large.status, JSON.parse(large.body.toString())]).toMatchObject([
      413,
      { error: { code: 'body-too-large' } },
    ])
    engine.edit(providersFor(mock))
    await waitFor('the old key', async () => (await ask()).status === 200)
  })

  it('that takes the file away leaves the simulator', async () => {
    await engine.use(providersFor(await upstream()))
    rmSync(join(engine.home, 'config.json'))
    await waitFor('the defaults', async () => (await status()).simulator)
    const answer = await ask()
    expect([answer.status, answer.headers['x-simulator']]).toEqual([200, 'Onward'])
    await engine.use(providersFor(await upstream()))
    expect((await status()).simulator).toBe(false)
  })
})

describe('an edit that is wrong', () => {
  const wrong: readonly (readonly [string, (good: string) => string, RegExp])[] = [
    ['no JSON', (good) => good.replace('"providers"', 'providers'), /config\.json, line \d+, column \d+/],
    ['cut short', (good) => good.slice(0, -40), /line \d+/],
    ['empty', () => '', /empty/],
    ['an unknown setting', (good) => good.replace('{', '{"sevrer": {},'), /“sevrer” is not a setting here/],
    ['a wrong type', (good) => good.replace('{', '{"longContextThreshold": "many",'), /longContextThreshold.*must be/],
    ['a route to nobody', (good) => good.replace('"chat.m-1"', '"nobody.m-1"'), /“nobody”, which is not configured/],
    ['a provider without an address', (good) => good.replace(/"baseUrl": "[^"]*",/, ''), /needs a baseUrl/],
  ]
  it('keeps the running config and says what is wrong and where, each time anew', async () => {
    const mock = await upstream()
    mock.otherwise = say('still here')
    await engine.use({ ...providersFor(mock), routes: { default: ['chat.m-1'] } })
    const good = readFileSync(join(engine.home, 'config.json'), 'utf8')
    let before: string | null = null
    for (const [name, spoil, says] of wrong) {
      expect([name, spoil(good)]).not.toEqual([name, good])
      const seen = engine.control.events.length
      engine.edit(spoil(good))
      const problem = await waitFor(`the problem of ${name}`, async () => {
        const { configProblem } = await status()
        return configProblem !== before && configProblem
      })
      expect(problem).toMatch(says)
      expect(problem).toMatch(/The config that ran before goes on\.$/)
      expect(problem).not.toContain(engine.key)
      await waitFor('its event', () =>
        engine.control.events
          .slice(seen)
          .some(({ body }) => body.type === 'config-problem' && body.message === problem),
      )
      expect((await ask()).body.toString()).toContain('still here')
      before = problem
    }
    expect((await engine.control.api.doctor.query()).find((finding) => finding.check === 'config')).toMatchObject({
      ok: false,
      say: `${engine.home}/config.json is not what runs: ${before}`,
    })
    engine.edit(`// a person's note\n${good}`)
    await waitFor('a good config', async () => (await status()).configProblem === null)
    expect((await ask()).status).toBe(200)
    expect(mock.turns()).toHaveLength(wrong.length + 1)
  })

  it('from the start, with none before it, serves nobody and says so', async () => {
    const fresh = await startEngineForTest({ nonsense: true } as object)
    try {
      expect(await fresh.control.api.status.query()).toMatchObject({
        simulator: false,
        configProblem: expect.stringMatching(/“nonsense” is not a setting here.* Onward refuses all calls/),
      })
      const { status, body } = await post(fresh, chatEntry.path, bodyOf(chatEntry, ['Hi']))
      expect([status, body.toString()]).toEqual([503, expect.stringContaining('config-unreadable')])
    } finally {
      await fresh.dispose()
    }
  })
})
