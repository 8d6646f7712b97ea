import { mkdir, mkdtemp, readFile, rename, rm, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../base/clock.ts'
import { silentLog } from '../base/log.ts'
import { skippingClock } from '../base/testing/skipping-clock.ts'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { nodeConfigFiles } from './node-files.ts'
import { openConfig } from './open.ts'
import type { ConfigFiles, ConfigHandle } from './types.ts'
import { writeSchema } from './write-schema.ts'
import { runs } from '../../../shared/testing/runs.ts'
import { waitFor } from '../../../shared/testing/wait-for.ts'

let home = ''
const opened: ConfigHandle[] = []
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'onward-config-'))
})
afterEach(async () => {
  for (const config of opened.splice(0)) {
    config.dispose()
    // what it was writing is there before the folder goes
    await config.read().catch(() => undefined)
  }
  await rm(home, { recursive: true, force: true })
})

const file = () => join(home, 'config.json')
const withPort = (port: number) => `{ "server": { "port": ${port} } }`
async function open(env: Record<string, string> = {}): Promise<ConfigHandle> {
  const config = await openConfig({ home, files: nodeConfigFiles(), env, clock: systemClock(), log: silentLog })
  opened.push(config)
  return config
}
describe('a real config file', () => {
  it('that is not there: the defaults run, without a problem', async () => {
    const config = await open()
    expect([config.current().server.port, config.problem(), config.path]).toEqual([5520, null, file()])
  })

  it('that is wrong from the start, and never was right: nothing may run, and it says so', async () => {
    await writeFile(file(), '{ "server": { "port": "many" } }')
    const config = await open()
    expect(config.problem()).toBe(
      'config.json, line 1, column 23 (server.port): This must ' +
        'be a number. Onward refuses all calls until it is mended.',
    )
    expect(config.refusal()).toBe(config.problem())
    await writeFile(file(), withPort(1001))
    await waitFor('mended', () => config.refusal() === null)
    expect([config.current().server.port, config.problem()]).toEqual([1001, null])
  })

  it('is followed: written over, renamed over, deleted, made again', async () => {
    await writeFile(file(), withPort(1001))
    const config = await open()
    const told: number[] = []
    config.onChange(() => told.push(config.current().server.port))
    expect(config.current().server.port).toBe(1001)
    await writeFile(file(), withPort(1002))
    await waitFor('written over', () => config.current().server.port === 1002)
    for (let i = 0; i < 3; i++) {
      await writeFile(join(home, 'config.json.tmp'), withPort(1003 + i))
      await rename(join(home, 'config.json.tmp'), file())
      await waitFor('renamed over', () => config.current().server.port === 1003 + i)
    }
    await unlink(file())
    await waitFor('deleted', () => config.current().server.port === 5520)
    await writeFile(file(), withPort(1009))
    await waitFor('made again', () => config.current().server.port === 1009)
    expect(told).toEqual([1002, 1003, 1004, 1005, 5520, 1009])
  })

  it('made wrong keeps the running config and says where; mended, it runs', async () => {
    await writeFile(file(), withPort(1001))
    const config = await open()
    const problems: (string | null)[] = []
    config.onChange(() => problems.push(config.problem()))
    await writeFile(file(), '{\n  "server": { "port": 1002,, }\n}')
    await waitFor('the problem is seen', () => config.problem() !== null)
    expect(config.current().server.port).toBe(1001)
    expect(config.problem()).toMatch(/^config\.json, line 2, column 28: /)
    await writeFile(file(), withPort(1003))
    await waitFor('mended', () => config.current().server.port === 1003)
    expect(config.problem()).toBeNull()
    expect(problems.at(-1)).toBeNull()
  })

  it('set back to what runs ends the problem', async () => {
    await writeFile(file(), withPort(1001))
    const config = await open()
    await writeFile(file(), '{')
    await waitFor('the problem is seen', () => config.problem() !== null)
    await writeFile(file(), withPort(1001))
    await waitFor('the problem is gone', () => config.problem() === null)
    expect(config.current().server.port).toBe(1001)
  })

  it('that is a folder, or not UTF-8, is a problem, not a crash', async () => {
    await mkdir(file())
    const config = await open()
    expect(config.problem()).toMatch(/can't be read/)
    await rm(file(), { recursive: true })
    await writeFile(file(), Buffer.from([0xff, 0xfe, 0x7b, 0x00]))
    await waitFor('read', () => /line 1/.test(config.problem() ?? ''))
    expect(config.current().server.port).toBe(5520)
  })

  it('in a home that is made later', async () => {
    const later = join(home, 'later')
    const clock = skippingClock()
    const config = await openConfig({ home: later, files: nodeConfigFiles(), env: {}, clock, log: silentLog })
    opened.push(config)
    await mkdir(later)
    await writeFile(join(later, 'config.json'), withPort(1001))
    clock.skip(60_000)
    await waitFor('found', () => config.current().server.port === 1001)
  })

  it('after dispose nothing is told any more', async () => {
    const clock = virtualClock()
    const config = await openConfig({ home, files: nodeConfigFiles(), env: {}, clock, log: silentLog })
    config.dispose()
    expect(clock.pending()).toBe(0)
    await writeFile(file(), withPort(1001))
    await clock.advance(60_000)
    expect(config.current().server.port).toBe(5520)
  })

  it('checks a text without touching what runs', async () => {
    const config = await open()
    expect(config.check(withPort(1))).toEqual({ ok: true, problems: [] })
    expect(config.check('{"port": 1}')).toMatchObject({ ok: false, problems: [{ line: 1, column: 2, path: '' }] })
    expect(config.current().server.port).toBe(5520)
  })
})

/** A disk in memory whose watch can be deaf. */
const isConfig = (path: string): boolean => path.endsWith('config.json')
function disk(text: string | null) {
  const state = {
    text,
    version: 0,
    deaf: false,
    listeners: new Set<(name: string | null) => void>(),
    write(next: string | null) {
      this.text = next
      this.version++
      if (!this.deaf) for (const listener of this.listeners) listener('config.json')
    },
  }
  const files: ConfigFiles = {
    keep: async () => true,
    read: async (path) => (state.text === null || !isConfig(path) ? null : Buffer.from(state.text)),
    leadsNowhere: async () => false,
    stamp: async () => (state.text === null ? null : String(state.version)),
    // the copy of the last good one is not what these tests look at
    write: async (path, text) => (isConfig(path) ? state.write(text) : undefined),
    remove: async (path) => (isConfig(path) ? state.write(null) : undefined),
    watch(_folder, onChange, onFail) {
      if (state.deaf) {
        onFail(new Error('deaf'))
        return { dispose() {} }
      }
      state.listeners.add(onChange)
      return {
        dispose: () => {
          state.listeners.delete(onChange)
        },
      }
    },
  }
  return { state, files }
}

describe('following by the clock', () => {
  it('reads once it has been quiet', async () => {
    const clock = virtualClock()
    const { state, files } = disk(withPort(1))
    const config = await openConfig({ home, files, env: {}, clock, log: silentLog })
    opened.push(config)
    for (let i = 0; i < 5; i++) {
      state.write('{')
      await clock.advance(50)
    }
    state.write(withPort(2))
    expect([config.current().server.port, config.problem()]).toEqual([1, null])
    await clock.advance(150)
    expect([config.current().server.port, config.problem()]).toEqual([2, null])
  })

  it('looks at the file from time to time where watching says nothing', async () => {
    const clock = virtualClock()
    const { state, files } = disk(withPort(1))
    state.deaf = true
    const config = await openConfig({ home, files, env: {}, clock, log: silentLog })
    opened.push(config)
    await clock.advance(2950)
    state.write('')
    await clock.advance(100)
    state.write(withPort(2))
    await clock.advance(100)
    expect([config.current().server.port, config.problem()]).toEqual([2, null])
  })

  it('whatever is written in whatever order, the last valid text runs', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            fc.integer({ min: 1, max: 9 }).map(withPort),
            fc.string(),
            fc.constantFrom('{', '{"server":{"port":"x"}}'),
          ),
          { maxLength: 12 },
        ),
        async (texts) => {
          const clock = virtualClock()
          const { state, files } = disk(null)
          const config = await openConfig({ home, files, env: {}, clock, log: silentLog })
          let port = 5520
          for (const text of texts) {
            state.write(text)
            await clock.advance(200)
            if (config.check(text).ok) port = config.current().server.port
            expect(config.current().server.port).toBe(port)
            expect(config.problem() === null).toBe(config.check(text).ok)
          }
          config.dispose()
        },
      ),
      runs(40),
    )
  })
})

describe('keys', () => {
  const text = JSON.stringify({
    providers: {
      p: {
        type: 'anthropic',
        baseUrl: 'http://127.0.0.1:1',
        keys: [
          { alias: 'value', value: ' sk-1 ' },
          { alias: 'env', env: 'P_KEY' },
          { alias: 'gone', env: 'NO_KEY' },
          { alias: 'kept', secretRef: 'p' },
          { alias: 'lost', secretRef: 'q' },
          { alias: 'broken', secretRef: 'r' },
          { alias: 'bad', value: 'a\nb' },
        ],
      },
    },
  })
  const secrets: Record<string, string> = { p: 'sk-3' }
  const secret = async (ref: string) => {
    if (ref === 'r') throw new Error('locked')
    return secrets[ref] ?? null
  }

  it('come from the text, the environment and the store of secrets, or say why not', async () => {
    const { files } = disk(text)
    const config = await openConfig({
      home,
      files,
      env: { P_KEY: 'sk-2' },
      clock: virtualClock(),
      log: silentLog,
      secret,
    })
    opened.push(config)
    expect(config.problem()).toBeNull()
    expect(['value', 'env', 'kept'].map((alias) => config.key('p', alias))).toEqual([
      { ok: true, value: 'sk-1' },
      { ok: true, value: 'sk-2' },
      { ok: true, value: 'sk-3' },
    ])
    const why = (alias: string) => {
      const key = config.key('p', alias)
      return key.ok ? null : key.why
    }
    expect(why('gone')).toBe('the environment variable NO_KEY is not set')
    expect(why('lost')).toBe('there is no stored secret “q”')
    expect(why('broken')).toBe("the secret “r” can't be read: locked")
    expect(why('bad')).toMatch(/characters that no key has/)
    expect(why('other')).toBe('there is no key “other”')
    expect(config.key('other', 'main').ok).toBe(false)
  })

  it('are looked up again when asked to', async () => {
    const { files } = disk(text)
    const config = await openConfig({ home, files, env: {}, clock: virtualClock(), log: silentLog, secret })
    opened.push(config)
    let told = 0
    config.onChange(() => told++)
    secrets['q'] = 'sk-4'
    await config.reload()
    expect([config.key('p', 'lost'), told]).toEqual([{ ok: true, value: 'sk-4' }, 1])
  })
})

describe('the published JSON Schema', () => {
  it('is put beside the config, and only written when it changed', async () => {
    let writes = 0
    const files = {
      read: nodeConfigFiles().read,
      writeAtomic: async (path: string, data: string) => {
        writes++
        await writeFile(path, data)
      },
    }
    await writeSchema(home, files)
    await writeSchema(home, files)
    const schema: unknown = JSON.parse(await readFile(join(home, 'config.schema.json'), 'utf8'))
    expect(schema).toMatchObject({ type: 'object', properties: { providers: {}, routes: {}, server: {} } })
    expect(writes).toBe(1)
  })
})
