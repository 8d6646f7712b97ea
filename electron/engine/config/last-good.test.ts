import { mkdir, mkdtemp, readFile, rm, stat, symlink, truncate, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentLog } from '../base/log.ts'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { nodeConfigFiles } from './node-files.ts'
import { openConfig } from './open.ts'
import type { ConfigFiles, ConfigHandle } from './types.ts'

let home = ''
const opened: ConfigHandle[] = []
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'onward-last-good-'))
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
const copy = () => join(home, 'config.last-good.json')
const good = `{
  // kept as written
  "server": { "host": "0.0.0.0", "keys": ["\${LOCAL_KEY}"] },
  "providers": { "p": { "type": "openai-chat", "baseUrl": "http://127.0.0.1:1",
    "keys": [{ "alias": "a", "env": "P" }] } }
}`

/** One run of an engine: the config as it is read at its start. */
async function start(
  env: Record<string, string> = { LOCAL_KEY: 'k1', P: 'sk-p' },
  files: ConfigFiles = nodeConfigFiles(),
) {
  for (const config of opened.splice(0)) config.dispose()
  const config = await openConfig({ home, files, env, clock: virtualClock(), log: silentLog })
  opened.push(config)
  return config
}

describe('a start with a config that was right before', () => {
  beforeEach(async () => {
    await writeFile(file(), good)
    expect((await start()).problem()).toBeNull()
  })

  it('has kept a copy of it as it was written, for its owner only', async () => {
    expect(await readFile(copy(), 'utf8')).toBe(good)
    expect((await stat(copy())).mode & 0o777).toBe(0o600)
  })

  it.each<[string, () => Promise<void>]>([
    ['cut to nothing', () => truncate(file(), 0)],
    ['cut in its middle', () => truncate(file(), 40)],
    ['overwritten with another shape', () => writeFile(file(), '[1]')],
    [
      'a folder in its place',
      async () => {
        await unlink(file())
        await mkdir(file())
      },
    ],
    [
      'a link to a file that is not there',
      async () => {
        await unlink(file())
        await symlink(join(home, 'nowhere', 'config.json'), file())
      },
    ],
  ])('%s: the keys, host and providers of the last good one count', async (_name, breakIt) => {
    await breakIt()
    const config = await start()
    expect(config.current().server).toMatchObject({ host: '0.0.0.0', keys: ['k1'] })
    expect(config.key('p', 'a')).toEqual({ ok: true, value: 'sk-p' })
    expect(config.problem()).toMatch(/The last one that was right runs, from config\.last-good\.json\.$/)
    expect(config.refusal()).toBeNull()
    expect(await readFile(copy(), 'utf8')).toBe(good)
  })

  it('that can not be read: the same', async () => {
    const real = nodeConfigFiles()
    const files: ConfigFiles = {
      ...real,
      read: async (path) => {
        if (path === file()) throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' })
        return real.read(path)
      },
    }
    const config = await start(undefined, files)
    expect(config.current().server.keys).toEqual(['k1'])
    expect(config.problem()).toMatch(/can't be read \(EACCES/)
  })

  it('mended, it runs again, and is the copy', async () => {
    await truncate(file(), 0)
    const config = await start()
    const mended = '{ "server": { "keys": ["k2"] } }'
    await writeFile(file(), mended)
    await config.reload()
    expect([config.problem(), config.current().server.keys]).toEqual([null, ['k2']])
    expect(await readFile(copy(), 'utf8')).toBe(mended)
  })

  it('nothing may run when the copy does not hold here either', async () => {
    await truncate(file(), 0)
    expect((await start({})).refusal()).toMatch(/Onward refuses all calls until it is mended\.$/)
    await writeFile(copy(), '{')
    expect((await start()).refusal()).not.toBeNull()
    await rm(copy())
    expect((await start()).refusal()).not.toBeNull()
  })

  it('deleted by its owner, it does not come back: the defaults run, and the copy goes', async () => {
    await unlink(file())
    const config = await start()
    expect([config.problem(), config.refusal(), config.current().server.keys]).toEqual([null, null, []])
    await expect(stat(copy())).rejects.toMatchObject({ code: 'ENOENT' })
    await writeFile(file(), '{')
    expect((await start()).refusal()).not.toBeNull()
  })

  it('a link that leads nowhere while it runs opens nothing', async () => {
    const config = await start()
    await unlink(file())
    await symlink(join(home, 'nowhere'), file())
    await config.reload()
    expect(config.current().server.keys).toEqual(['k1'])
    expect(config.problem()).toMatch(/link to a file that is not there\. The config that ran before goes on\.$/)
  })
})

it('a copy that can not be written costs nobody the start', async () => {
  await writeFile(file(), good)
  const real = nodeConfigFiles()
  const config = await start(undefined, {
    ...real,
    write: () => Promise.reject(Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' })),
  })
  expect([config.problem(), config.current().server.keys]).toEqual([null, ['k1']])
})
