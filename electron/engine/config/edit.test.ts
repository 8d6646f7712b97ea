import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, unlink, writeFile } from 'node:fs/promises'
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
  home = await mkdtemp(join(tmpdir(), 'onward-edit-'))
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
const text = () => readFile(file(), 'utf8')
async function open(files: ConfigFiles = nodeConfigFiles()): Promise<ConfigHandle> {
  const config = await openConfig({ home, files, env: {}, clock: virtualClock(), log: silentLog })
  opened.push(config)
  return config
}
const port = (value: unknown) => [{ path: ['server', 'port'], value }]
const start = '\uFEFF// mine\r\n{\r\n\t"server": { "port": 1001 }, // where\r\n}\r\n'

describe('editing the config file', () => {
  it('changes what is to change, runs it when it resolves, and takes it back', async () => {
    await writeFile(file(), start)
    const config = await open()
    const told: boolean[] = []
    config.onChange(() => told.push(config.canUndo()))
    expect([config.savedAt(), config.canUndo()]).toEqual([null, false])
    await config.edit(port(1002))
    expect([config.current().server.port, config.problem(), told]).toEqual([1002, null, [true]])
    expect(await text()).toBe(start.replace('1001', '1002'))
    expect([config.savedAt(), config.canUndo()]).toEqual([virtualClock().now(), true])
    await config.undo()
    expect([await text(), config.current().server.port, config.canUndo()]).toEqual([start, 1001, false])
    await expect(config.undo()).rejects.toMatchObject({ code: 'nothing-to-undo' })
  })

  it('takes back one edit after another', async () => {
    await writeFile(file(), start)
    const config = await open()
    await Promise.all([config.edit(port(1002)), config.edit(port(1003))])
    await config.undo()
    expect([config.current().server.port, config.canUndo()]).toEqual([1002, true])
    await config.undo()
    expect(await text()).toBe(start)
  })

  it('makes the file, for the owner only and with its schema, and takes that back too', async () => {
    const config = await open()
    await config.edit(port(1002))
    expect(await text()).toBe('{\n  "$schema": "./config.schema.json",\n  "server": { "port": 1002 }\n}\n')
    expect((await stat(file())).mode & 0o777).toBe(0o600)
    expect(await readdir(home)).toEqual(['config.json', 'config.last-good.json'])
    await config.undo()
    expect([await readdir(home), config.current().server.port]).toEqual([[], 5520])
  })

  it('writes nothing that is wrong, and says where it would be', async () => {
    await writeFile(file(), start)
    const config = await open()
    await expect(config.edit(port('many'))).rejects.toMatchObject({
      code: 'config-invalid',
      message:
        'The config would not be right, so it was not changed: config.json, ' +
        'line 3, column 22 (server.port): This must be a number.',
    })
    expect([await text(), config.current().server.port, config.canUndo()]).toEqual([start, 1001, false])
  })

  it('leaves a file alone that is wrong now', async () => {
    await writeFile(file(), '{ "server": { "port": 1, } ')
    const config = await open()
    await expect(config.edit(port(1))).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringMatching(/Mend it first: config\.json, line 1, column \d+: A closing } is missing here\./),
    })
    await writeFile(file(), Buffer.from([0x7b, 0x7d, 0x20, 0xff]))
    await expect(config.edit(port(1))).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringContaining('UTF-8'),
    })
    expect((await readFile(file())).length).toBe(4)
  })

  it('writes over nobody’s change', async () => {
    await writeFile(file(), start)
    const real = nodeConfigFiles()
    let reads = 0
    // another program writes between the reading and the writing
    const config = await open({
      ...real,
      read: async (path) => {
        if (path === file() && ++reads === 3) await writeFile(file(), '{}')
        return real.read(path)
      },
    })
    await expect(config.edit(port(1))).rejects.toMatchObject({ code: 'config-changed' })
    expect(await text()).toBe('{}')
    await config.edit(port(1))
    await writeFile(file(), '{ "server": { "port": 7 } }')
    await expect(config.undo()).rejects.toMatchObject({ code: 'config-changed' })
    await config.reload()
    expect([config.canUndo(), config.current().server.port]).toEqual([false, 7])
  })

  it('goes through a link, also one whose target is not there yet, and keeps the mode', async () => {
    const real = join(home, 'kept', 'onward.json')
    await mkdir(join(home, 'kept'))
    await symlink(join('kept', 'onward.json'), file())
    const config = await open()
    await config.edit(port(1001))
    await chmod(real, 0o640)
    await config.edit(port(1002))
    expect((await lstat(file())).isSymbolicLink()).toBe(true)
    expect((await stat(real)).mode & 0o777).toBe(0o640)
    expect(await readFile(real, 'utf8')).toContain('1002')
    expect([await readdir(join(home, 'kept')), config.current().server.port]).toEqual([['onward.json'], 1002])
  })

  it('says why it could not be written, and what runs goes on', async () => {
    await writeFile(file(), start)
    const config = await open({
      ...nodeConfigFiles(),
      write: async () => {
        throw Object.assign(new Error('full'), { code: 'ENOSPC' })
      },
    })
    await expect(config.edit(port(1))).rejects.toMatchObject({
      code: 'store-failed',
      message: expect.stringContaining('the disk is full'),
    })
    expect([await text(), config.current().server.port, config.savedAt(), config.canUndo()]).toEqual([
      start,
      1001,
      null,
      false,
    ])
  })

  it('that changes nothing writes nothing', async () => {
    await writeFile(file(), start)
    const config = await open()
    await config.edit(port(1001))
    expect([config.savedAt(), config.canUndo()]).toEqual([null, false])
    await unlink(file())
    config.dispose()
    await expect(config.edit(port(1))).rejects.toMatchObject({ code: 'engine-ended' })
  })
})
