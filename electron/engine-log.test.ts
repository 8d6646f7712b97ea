import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { engineLogFile, openEngineLog } from './engine-log.ts'

let home: string
beforeEach(async () => { home = await mkdtemp(join(tmpdir(), 'onward-log-')) })
afterEach(() => rm(home, { recursive: true, force: true }))
const linesOf = async (file: string) => (await readFile(file, 'utf8')).trim().split('\n').map((line) => JSON.parse(line) as { msg: string; level: number; part?: string })

describe('the engine’s log', () => {
  it('keeps what was said, for the owner only', async () => {
    const { log, dispose } = await openEngineLog(home)
    log.debug({}, 'too quiet')
    log.child({ part: 'gateway' }).warn({ code: 'x' }, 'said')
    await dispose()
    const file = engineLogFile(home)
    expect(await linesOf(file)).toMatchObject([{ msg: 'said', level: 40, part: 'gateway', code: 'x' }])
    expect((await stat(file)).mode & 0o077).toBe(0)
  })

  it('goes on behind what an earlier run wrote', async () => {
    for (const word of ['one', 'two']) {
      const { log, dispose } = await openEngineLog(home)
      log.info({}, word)
      await dispose()
    }
    expect((await linesOf(engineLogFile(home))).map(({ msg }) => msg)).toEqual(['one', 'two'])
  })

  it('is rotated by size, and no line is lost or split', async () => {
    const { log, dispose } = await openEngineLog(home, { rotateAt: 4_000 })
    for (let n = 0; n < 60; n++) {
      log.info({ n }, 'x'.repeat(40))
      // a pause of the event loop, as between turns
      await new Promise((resolve) => setImmediate(resolve))
    }
    await dispose()
    expect(existsSync(`${engineLogFile(home)}.1`)).toBe(true)
    for (const file of [engineLogFile(home), `${engineLogFile(home)}.1`]) if ((await stat(file)).size > 0) await linesOf(file)
    expect((await stat(engineLogFile(home))).size).toBeLessThan(5_000)
    expect((await linesOf(`${engineLogFile(home)}.1`)).length).toBeGreaterThan(20)
  })
})
