/** An engine that ends under working agents: by signals, by a hand-over, in time and not in time. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { unless } from '../shared/testing/unless.ts'
import { waitFor } from '../shared/testing/wait-for.ts'
import { findRunningEngine } from '../electron/engine/control/attach.ts'
import { noBrowser, openPage } from './support/browser.ts'
import { allEntries, bodyOf, pathOf, providersFor, type TestEntry } from './support/entries.ts'
import { onwardBin, removeHomes, startEngine, type EngineProcess } from './support/engine-process.ts'
import { gate, say, startMockUpstream, type Gate, type MockUpstream } from './support/mock-upstream/index.ts'
import { onward } from './support/onward-cli.ts'
import { call, connects, post, type Call } from './support/post.ts'

let mock: MockUpstream
const started: EngineProcess[] = []
beforeAll(async () => {
  mock = await startMockUpstream()
})
afterEach(async () => {
  for (const engine of started.splice(0)) await engine.kill()
})
afterAll(async () => {
  await mock?.dispose()
  removeHomes()
})

const words = 'All of this is said before the engine ends.'
const key = `owk_${'k'.repeat(43)}`

interface Scene {
  engine: EngineProcess
  calls: { door: TestEntry; stream: boolean; call: Call }[]
  until: Gate
}

/** Answers in every protocol, each in the middle: half of a stream has come, or nothing of a body. */
async function midway(drainSeconds = 60): Promise<Scene> {
  const engine = await startEngine({
    config: {
      ...providersFor(mock, 'sk-upstream', allEntries),
      server: { keys: [key], drainSeconds },
    },
  })
  started.push(engine)
  const until = gate()
  const before = mock.requests.length
  mock.otherwise = say(words, { piece: 5, hold: { at: 6, until } })
  const calls = allEntries.flatMap((door) =>
    [true, false].map((stream) => ({
      door,
      stream,
      call: call(
        { baseUrl: engine.baseUrl, key },
        pathOf(door, stream),
        bodyOf(door, ['Hi'], stream ? { stream } : {}),
        { headers: door.headers },
      ),
    })),
  )
  await waitFor('all requests', () => mock.requests.length - before === calls.length)
  for (const { door, stream, call } of calls)
    if (stream) await waitFor(`a first piece of ${door.entry}`, () => call.received().length > 0)
  return { engine, calls, until }
}

const saysThatItEnds = ({ home }: EngineProcess) =>
  waitFor('its word that it ends', async () => (await findRunningEngine(home))?.endsBy !== undefined)

const exitOf = (pid: number) =>
  waitFor('its end', () => {
    try {
      return !process.kill(pid, 0)
    } catch {
      return true
    }
  })

async function allWhole(calls: Scene['calls']): Promise<void> {
  for (const { door, stream, call } of calls) {
    const { status, whole, body } = await call.answer
    expect({ entry: door.entry, stream, status, whole }).toEqual({
      entry: door.entry,
      stream,
      status: 200,
      whole: true,
    })
    const said = [...body.toString().matchAll(/"(?:content|text|delta)":\s*"((?:[^"\\]|\\.)*)"/g)].map(([, one]) => one)
    expect(said.join('')).toContain(words)
  }
}

const refused = (engine: EngineProcess): Promise<string> =>
  post({ baseUrl: engine.baseUrl, key }, '/v1/models', '').then(
    () => 'answered',
    (error: NodeJS.ErrnoException) => error.code ?? 'failed',
  )

describe('an engine that ends', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('by %s cuts no answer', async (signal) => {
    const { engine, calls, until } = await midway()
    process.kill(engine.pid, signal)
    await saysThatItEnds(engine)
    expect((await engine.control.api.status.query()).finishing).toMatchObject({ answers: calls.length })
    expect(await refused(engine)).toBe('ECONNREFUSED')
    until.open()
    await allWhole(calls)
    await exitOf(engine.pid)
    expect(await findRunningEngine(engine.home)).toBeNull()
  })

  it('by a hand-over cuts no answer, and the one that takes over starts when they are out', async () => {
    const { engine, calls, until } = await midway()
    const next = spawn(
      process.execPath,
      [onwardBin, 'serve', '--take-over', '--json', '--home', engine.home, '--port', String(engine.port)],
      { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ONWARD_KEYCHAIN: '0' } },
    )
    const ready = once(next.stdout, 'data')
    await saysThatItEnds(engine)
    until.open()
    await allWhole(calls)
    await ready
    expect((await findRunningEngine(engine.home))?.pid).toBe(next.pid)
    next.kill()
    await once(next, 'exit')
  })

  it('has one that is started meanwhile wait for it', async () => {
    const { engine, calls, until } = await midway()
    process.kill(engine.pid, 'SIGTERM')
    await saysThatItEnds(engine)
    const next = engine.restart()
    await waitFor('it to listen', () => connects(engine.port))
    // asked of the one, answered by the other
    const early = post({ baseUrl: engine.baseUrl, key }, '/v1/messages', bodyOf(messages, ['Early']))
    until.open()
    await allWhole(calls)
    const after = await next
    expect((await early).status).toBe(200)
    expect((await post({ baseUrl: after.baseUrl, key }, '/v1/messages', bodyOf(messages, ['Hi']))).status).toBe(200)
    await after.stop()
  })

  it('says on its page and to `onward status` how many it finishes', unless(noBrowser), async () => {
    const { engine, calls, until } = await midway()
    const { page, close } = await openPage({}, /WebSocket|Failed to load/)
    await page.goto(await engine.dashboard())
    const bar = page.locator('.statusbar')
    await bar.getByText(`127.0.0.1:${engine.port}`).waitFor()
    process.kill(engine.pid, 'SIGTERM')
    await bar.getByText(`Finishing ${calls.length} answers`).waitFor()
    const { out } = await onward(['status', '--home', engine.home])
    expect(out).toContain(`It ends: ${calls.length} answers to finish, at most `)
    until.open()
    await page.locator('.app.stale').waitFor()
    await allWhole(calls)
    await close()
  })

  it('leaves what takes too long with an error that has its client ask again', async () => {
    const { engine, calls } = await midway(0)
    process.kill(engine.pid, 'SIGTERM')
    const seen = await Promise.all(
      calls.map(async ({ door, stream, call }) => {
        const { status, whole, body } = await call.answer
        return { entry: door.entry, stream, status, whole: stream || whole, told: body.includes('engine-ending') }
      }),
    )
    expect(seen).toEqual(
      calls.map(({ door, stream }) => ({
        entry: door.entry,
        stream,
        status: stream ? 200 : 503,
        whole: true,
        told: true,
      })),
    )
    await exitOf(engine.pid)
  })

  it('waits for nothing after a second signal', async () => {
    const { engine, calls } = await midway()
    process.kill(engine.pid, 'SIGTERM')
    await saysThatItEnds(engine)
    process.kill(engine.pid, 'SIGTERM')
    await exitOf(engine.pid)
    for (const { call } of calls)
      expect(
        await call.answer.then(
          ({ whole }) => whole,
          () => false,
        ),
      ).toBe(false)
  })
})

const [messages] = allEntries.filter(({ entry }) => entry === 'messages') as [TestEntry]
