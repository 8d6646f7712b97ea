import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { announceEngine, engineFile, findRunningEngine, type EngineInfo } from './attach.ts'

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'onward-attach-'))
})
afterEach(() => rm(home, { recursive: true, force: true }))

const me: EngineInfo = {
  pid: process.pid,
  host: '127.0.0.1',
  port: 5520,
  socket: '/run/onward/engine.sock',
  startedAt: 1,
  version: '0.1.0',
}

describe('finding the engine of a home', () => {
  it('is none before, the engine while it runs, none after', async () => {
    expect(await findRunningEngine(home)).toBeNull()
    const note = await announceEngine(home, me)
    expect(await findRunningEngine(home)).toEqual(me)
    expect((await stat(engineFile(home))).mode & 0o777).toBe(0o600)
    note.dispose()
    note.dispose()
    expect(await findRunningEngine(home)).toBeNull()
  })

  it('does not believe the note of a dead process', async () => {
    const child = spawn(process.execPath, ['-e', ''])
    await once(child, 'exit')
    await announceEngine(home, { ...me, pid: child.pid ?? 0 })
    expect(await findRunningEngine(home)).toBeNull()
  })

  it('leaves the note of the engine that came after', async () => {
    const first = await announceEngine(home, me)
    await announceEngine(home, { ...me, startedAt: 2, port: 5521 })
    first.dispose()
    expect((await findRunningEngine(home))?.port).toBe(5521)
  })

  it.each(['', '{', '[]', '{"pid":"x"}', JSON.stringify(me), JSON.stringify({ ...me, start: null, port: 0 })])(
    'takes a damaged note for none: %j',
    async (text) => {
      await writeFile(engineFile(home), text)
      expect(await findRunningEngine(home)).toBeNull()
    },
  )

  it('does not take another process of the same number for the engine', async () => {
    const processes = (start: string) => ({ alive: () => true, startOf: async () => start })
    await announceEngine(home, me, processes('boot:1'))
    expect(await findRunningEngine(home, processes('boot:1'))).toEqual(me)
    expect(await findRunningEngine(home, processes('boot:2'))).toBeNull()
  })

  it('trusts the number where the system tells no more', async () => {
    const processes = { alive: () => true, startOf: async () => null }
    await announceEngine(home, me, processes)
    expect(await findRunningEngine(home, processes)).toEqual(me)
  })

  it('says so when the note can’t be written', async () => {
    await expect(announceEngine(join(home, 'missing'), me)).rejects.toMatchObject({ code: 'announce-failed' })
  })
})
