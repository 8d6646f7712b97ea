import { afterEach, describe, expect, it } from 'vitest'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { announceEngine, findRunningEngine } from '../engine/control/attach.ts'
import { OnwardError } from '../engine/base/errors.ts'
import { onward } from '../cli/testing/test-cli.ts'
import type { CliParts } from '../cli/cli.ts'
import { createNodeHost } from './node-host.ts'
import { systemClock, type Clock } from '../engine/base/clock.ts'
import { virtualClock } from '../engine/base/testing/virtual-clock.ts'
import { endWithinMs, type ServeDeps, type ServedEngine, type StartOptions } from './serve.ts'

const cleanUp: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const clean of cleanUp.splice(0).reverse()) await clean()
})

async function newHome() {
  const folder = await mkdtemp(join(tmpdir(), 'onward-serve-'))
  cleanUp.push(() => rm(folder, { recursive: true, force: true }))
  return join(folder, 'home')
}

/** Serves with the real host and an engine of the test's own. */
function serving(
  home: string,
  startEngine: (options: StartOptions) => Promise<Partial<ServedEngine>>,
  words: string[] = [],
  clock: Clock = systemClock(),
) {
  const end = new AbortController()
  const steps: string[] = []
  const deps: ServeDeps = {
    findRunningEngine,
    async createHost(at) {
      const host = await createNodeHost({ home: at, env: {}, version: '0.1.0' })
      return {
        host: { ...host.host, clock },
        dispose: async () => {
          steps.push('host closed')
          await host.dispose()
        },
      }
    },
    startEngine: async (_host, options) => ({
      address: { host: '127.0.0.1', port: 5520 },
      dashboardLink: () => 'http://127.0.0.1:5520/dashboard/#token=abc',
      controlTokenFile: join(home, 'control-token'),
      finish: async () => {
        steps.push('answers out')
      },
      dispose: () => {
        steps.push('engine ended')
      },
      ...(await startEngine(options)),
    }),
  }
  let ready: (text: string) => void = () => undefined
  const isReady = new Promise<string>((resolve) => {
    ready = resolve
  })
  const no = () => {
    throw new Error('not part of this test')
  }
  const parts: CliParts = {
    sentencesOf: no,
    checkConfig: no,
    policiesFor: no,
    serviceSystem: no,
    installed: no,
    runWrapped: no,
    resumeArgv: no,
    openLink: no,
    installer: no,
    relay: no,
    serve: async () => deps,
  }
  const ended = onward(['serve', '--home', home, ...words], {
    parts,
    out: (text) => ready(text),
    untilInterrupted: () => end.signal,
  })
  return { end, steps, isReady, ended }
}

describe('serve', () => {
  it('prints the one dashboard link, its token in the fragment, and ends cleanly', async () => {
    const { end, steps, isReady, ended } = serving(await newHome(), async () => ({}))
    const said = await isReady
    expect(said.match(/http:\S+/g)).toEqual(['http://127.0.0.1:5520', 'http://127.0.0.1:5520/dashboard/#token=abc'])
    end.abort()
    expect((await ended).code).toBe(0)
    expect(steps).toEqual(['answers out', 'engine ended', 'host closed'])
  })

  it('prints one line of JSON when ready, with the token’s place and not the token', async () => {
    const home = await newHome()
    const { end, isReady, ended } = serving(home, async () => ({ address: { host: '127.0.0.1', port: 40123 } }), [
      '--json',
    ])
    const said = await isReady
    expect(said.endsWith('}\n')).toBe(true)
    expect(JSON.parse(said)).toEqual({
      port: 40123,
      url: 'http://127.0.0.1:40123',
      dashboard: 'http://127.0.0.1:40123/dashboard/',
      controlTokenFile: join(home, 'control-token'),
      pid: process.pid,
    })
    end.abort()
    await ended
  })

  it('hands the port over, and null where none was said', async () => {
    const asked: (number | null)[] = []
    for (const words of [['--port', '0'], ['--port', '1234'], []]) {
      const { end, isReady, ended } = serving(
        await newHome(),
        async ({ port }) => {
          asked.push(port)
          return {}
        },
        words,
      )
      await isReady
      end.abort()
      await ended
    }
    expect(asked).toEqual([0, 1234, null])
  })

  it('waits for a home that an engine which says nothing of itself any more is about to let go', async () => {
    const clock = virtualClock()
    let tries = 0
    const { end, isReady, ended } = serving(
      await newHome(),
      async () => {
        void clock.advance(100)
        if (++tries < 3) throw new OnwardError('root-locked', 'Another engine (pid 77) holds the folder.')
        return {}
      },
      [],
      clock,
    )
    await isReady
    end.abort()
    expect((await ended).code).toBe(0)
  })

  it('ends when another host takes over', async () => {
    let handOver = () => {}
    const { isReady, ended, steps } = serving(await newHome(), async (options) => {
      handOver = options.onHandOver
      return {}
    })
    await isReady
    handOver()
    expect((await ended).code).toBe(0)
    expect(steps).toEqual(['answers out', 'engine ended', 'host closed'])
  })

  it('does not wait for ever for an engine that won’t end', async () => {
    const clock = virtualClock()
    const { end, isReady, ended, steps } = serving(
      await newHome(),
      async () => ({ dispose: () => new Promise(() => {}) }),
      [],
      clock,
    )
    await isReady
    end.abort()
    await clock.advance(endWithinMs)
    const { code, err } = await ended
    expect(code).toBe(0)
    expect(err).toContain('did not end in time')
    expect(steps).toEqual(['answers out', 'host closed'])
  })
})

describe('serve says why it can’t', () => {
  it('a second engine: with its pid', async () => {
    const home = await newHome()
    const { host, dispose } = await createNodeHost({ home, env: {}, version: '0.1.0' })
    cleanUp.push(dispose)
    await announceEngine(host.home, {
      pid: process.ppid,
      host: '127.0.0.1',
      port: 5520,
      socket: '/run/onward/engine.sock',
      startedAt: 1,
      version: '0.1.0',
    })
    const { code, err } = await serving(home, async () => ({})).ended
    expect(code).toBe(6)
    expect(err).toContain(`pid ${process.ppid}`)
  })

  it('a folder held by another engine', async () => {
    const clock = virtualClock()
    const { code, err } = await serving(
      await newHome(),
      async () => {
        void clock.advance(endWithinMs * 2)
        throw new OnwardError('root-locked', 'Another engine (pid 77) holds the folder.')
      },
      [],
      clock,
    ).ended
    expect(code).toBe(6)
    expect(err).toContain('pid 77')
  })

  it('a taken port, whoever found out', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    cleanUp.push(() => new Promise((resolve) => other.close(resolve)))
    const address = other.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const { steps, ended } = serving(
      await newHome(),
      () =>
        new Promise((_, reject) => {
          const server = createServer()
          server.once('error', (error) =>
            reject(new OnwardError('listen-failed', `can’t listen on port ${port}`, { cause: error })),
          )
          server.listen(port, '127.0.0.1')
        }),
    )
    const { code, err } = await ended
    expect(code).toBe(7)
    expect(err).toContain(`Port ${port} is taken`)
    expect(err).toContain('--port')
    expect(steps).toEqual(['host closed'])
  })

  it('a home that can’t be made', async () => {
    const { code, err } = await serving('/dev/null/home', async () => ({})).ended
    expect(code).toBe(1)
    expect(err).toContain('/dev/null/home can’t be made')
  })
})
