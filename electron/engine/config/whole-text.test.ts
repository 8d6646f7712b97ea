import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentLog } from '../base/log.ts'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { nodeConfigFiles } from './node-files.ts'
import { openConfig } from './open.ts'
import type { ConfigHandle } from './types.ts'

let home = ''
const opened: ConfigHandle[] = []
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'onward-whole-'))
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
const withPort = (port: unknown) => `// mine\n{ "server": { "port": ${JSON.stringify(port)} } }\n`
async function open(): Promise<ConfigHandle> {
  const config = await openConfig({
    home,
    files: nodeConfigFiles(),
    env: {},
    clock: virtualClock(),
    log: silentLog,
  })
  opened.push(config)
  return config
}
const broken = async () => (await readdir(home)).filter((name) => name.startsWith('config.broken-')).toSorted()

describe('a config that is edited as a whole', () => {
  it('is saved where it is right, runs at once, and can be taken back', async () => {
    await writeFile(file(), withPort(1001))
    const config = await open()
    const { revision } = await config.read()
    expect(revision).toBe(config.revision())
    const saved = await config.save(withPort(1002), revision)
    expect(saved).toMatchObject({ kind: 'saved', text: withPort(1002), revision: config.revision() })
    expect([config.current().server.port, config.canUndo()]).toEqual([1002, true])
    await config.undo()
    expect(await text()).toBe(withPort(1001))
  })

  it('is refused with every place where it is wrong, and nothing is written', async () => {
    await writeFile(file(), withPort(1001))
    const config = await open()
    const { revision } = await config.read()
    const refused = await config.save('{\n  "sevrer": {},\n  "longContextThreshold": "x"\n}\n', revision)
    expect(refused.kind === 'refused' && refused.problems.map(({ line }) => line).toSorted()).toEqual([2, 3])
    expect(await text()).toBe(withPort(1001))
  })

  it('is not written over what somebody else wrote meanwhile, and says what that is', async () => {
    await writeFile(file(), withPort(1001))
    const config = await open()
    const { revision } = await config.read()
    await writeFile(file(), withPort(1009))
    const changed = await config.save(withPort(1002), revision)
    expect(changed).toMatchObject({ kind: 'changed', text: withPort(1009) })
    expect(await text()).toBe(withPort(1009))
    expect(changed.kind === 'changed' && (await config.save(withPort(1002), changed.revision))).toMatchObject({
      kind: 'saved',
    })
  })

  it('may be mended while it is wrong, or made where there was none', async () => {
    const config = await open()
    expect(await config.read()).toEqual({ text: null, revision: 'none' })
    await writeFile(file(), withPort('many'))
    await config.reload()
    expect(config.trouble()).toMatchObject({ problems: [{ line: 2, path: 'server.port' }], meanwhile: 'before' })
    await config.save(withPort(1002), (await config.read()).revision)
    expect([config.trouble(), config.current().server.port]).toEqual([null, 1002])
  })
})

describe('the last config that was right', () => {
  it('takes the place of a wrong one, which is kept beside it byte for byte, for its owner only', async () => {
    await writeFile(file(), withPort(1001))
    const config = await open()
    const wrong = Buffer.from([...Buffer.from('{ "server": '), 0xff, 0xfe])
    await writeFile(file(), wrong)
    await chmod(file(), 0o644)
    await config.reload()
    expect(config.trouble()).toMatchObject({ what: null, meanwhile: 'before', canPutBack: true })
    const kept = await config.putBack()
    expect([await text(), config.problem(), config.trouble()]).toEqual([withPort(1001), null, null])
    expect(await readFile(kept)).toEqual(wrong)
    expect((await stat(kept)).mode & 0o777).toBe(0o600)
    await writeFile(file(), 'no')
    await config.reload()
    await config.putBack()
    expect((await broken()).length).toBe(2)
  })

  it('comes from the copy after a start that found the file wrong', async () => {
    await writeFile(file(), withPort(1001))
    ;(await open()).dispose()
    await writeFile(file(), '{ "server": { "port": "many" } }')
    const config = await open()
    expect(config.trouble()).toMatchObject({ meanwhile: 'copy', canPutBack: true })
    await config.putBack()
    expect([await text(), config.problem()]).toEqual([withPort(1001), null])
  })

  it('is not put over a file that is right, that changed meanwhile, or where none is known', async () => {
    await writeFile(file(), '{ "server": 1 }')
    const none = await open()
    expect(none.trouble()).toMatchObject({ meanwhile: 'nothing', canPutBack: false })
    await expect(none.putBack()).rejects.toMatchObject({ code: 'nothing-to-put-back' })
    await writeFile(file(), withPort(1001))
    await none.reload()
    await expect(none.putBack()).rejects.toMatchObject({ code: 'nothing-to-put-back' })
    await writeFile(file(), '{ "server": 1 }')
    await none.reload()
    await writeFile(file(), withPort(1007))
    await expect(none.putBack()).rejects.toMatchObject({ code: 'config-changed' })
    expect([await text(), await broken()]).toEqual([withPort(1007), []])
  })

  it('is told of anew with every text that is wrong, also in the same way', async () => {
    await writeFile(file(), withPort(1001))
    const config = await open()
    const told: string[] = []
    config.onChange(() => told.push(config.revision()))
    for (const wrong of ['{ "server": 1 }', '{ "server": 2 }', '{ "server": 2 }']) {
      await writeFile(file(), wrong)
      await config.reload()
    }
    expect([told.length, new Set(told).size]).toEqual([2, 2])
  })
})
