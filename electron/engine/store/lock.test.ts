import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../base/clock.ts'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { diskFiles, tempPrefix } from './disk-files.ts'
import { lockRoot, startFromStat, systemProcesses, type Processes } from './lock.ts'
import { lockHome, openRoot, sessionRoot } from './root.ts'
import { bundleChild, startChild, type Child } from './testing/child.ts'
import { tempFolders } from './testing/temp-folder.ts'

const temp = tempFolders()
const clock = systemClock()

/** A machine on which only these processes live, with these starts. */
const machine = (living: Record<number, string | null>): Processes => ({
  alive: (pid) => pid in living,
  startOf: async (pid) => living[pid] ?? null,
})
const lockAs = (root: string, pid: number, living: Record<number, string | null>) =>
  lockRoot({ root, clock, pid, processes: machine(living) })

describe('lockRoot', () => {
  it('refuses a second engine and says which process holds the folder', async () => {
    const root = temp()
    await lockAs(root, 10, { 10: 'a' })
    await expect(lockAs(root, 11, { 10: 'a', 11: 'b' })).rejects.toMatchObject({
      code: 'root-locked',
      details: { pid: 10 },
      message: expect.stringContaining('process 10'),
    })
  })

  it('refuses a second engine in the same process', async () => {
    const root = temp()
    await lockRoot({ root, clock })
    await expect(lockRoot({ root, clock })).rejects.toMatchObject({
      code: 'root-locked',
      details: { pid: process.pid },
    })
  })

  it.each([
    ['the holder is dead', { 11: 'b' }],
    ['its number was given to another process', { 10: 'later', 11: 'b' }],
  ])('takes over when %s', async (_, living) => {
    const root = temp()
    await lockAs(root, 10, { 10: 'a' })
    await lockAs(root, 11, living)
    await expect(lockAs(root, 12, { ...living, 12: 'c' })).rejects.toMatchObject({ details: { pid: 11 } })
    expect(readdirSync(root)).toEqual(['engine-2.lock'])
  })

  it('trusts that a process of that number is the holder where starts are unknown', async () => {
    const root = temp()
    await lockAs(root, 10, { 10: null })
    await expect(lockAs(root, 11, { 10: null, 11: null })).rejects.toMatchObject({ details: { pid: 10 } })
  })

  it('can be had again after a release, also while the first process lives', async () => {
    const root = temp()
    const first = await lockAs(root, 10, { 10: 'a' })
    await first.release()
    await first.release()
    await lockAs(root, 11, { 10: 'a', 11: 'b' })
    await expect(lockAs(root, 10, { 10: 'a', 11: 'b' })).rejects.toMatchObject({ details: { pid: 11 } })
  })

  it('waits for a lock that is just being written, and takes one over that never was', async () => {
    const root = temp()
    const time = virtualClock()
    /** moves time on until the work is done; the files are real, so the number of steps is unknown */
    const drive = async <T>(work: Promise<T>): Promise<T> => {
      let done = false
      const watched = work.finally(() => {
        done = true
      })
      watched.catch(() => undefined)
      while (!done) await time.advance(50)
      return watched
    }
    writeFileSync(join(root, 'engine-4.lock'), '')
    const refused = lockRoot({ root, clock: time, pid: 11, processes: machine({ 10: null, 11: 'b' }) })
    writeFileSync(join(root, 'engine-4.lock'), JSON.stringify({ pid: 10, start: null, since: 0, released: false }))
    await expect(drive(refused)).rejects.toMatchObject({ details: { pid: 10 } })

    writeFileSync(join(root, 'engine-5.lock'), 'rubbish')
    const before = time.now()
    await drive(lockRoot({ root, clock: time, pid: 12, processes: machine({ 10: null, 12: 'c' }) }))
    expect(time.now() - before).toBeGreaterThanOrEqual(1000)
    expect(readdirSync(root)).toEqual(['engine-6.lock'])
  })

  it('lets exactly one of many win, started at once over a dead holder', async () => {
    for (let round = 0; round < 20; round++) {
      const root = temp()
      await lockAs(root, 10, { 10: 'a' })
      const pids = [21, 22, 23, 24, 25]
      const living = Object.fromEntries(pids.map((pid) => [pid, `start ${pid}`]))
      const results = await Promise.allSettled(pids.map((pid) => lockAs(root, pid, living)))
      const winners = pids.filter((_, i) => results[i]?.status === 'fulfilled')
      expect(winners).toHaveLength(1)
      for (const result of results)
        if (result.status === 'rejected')
          expect(result.reason).toMatchObject({ code: 'root-locked', details: { pid: winners[0] } })
    }
  })

  it('gives way when it comes late: the dead holder it saw was followed by another already', async () => {
    const root = temp()
    await lockAs(root, 10, { 10: 'a' })
    const living = { 11: 'b', 30: 'c' }
    const late: Processes = {
      ...machine(living),
      alive(pid) {
        if (pid === 10) {
          // between the look and the attempt, process 30 took over from one that took over
          rmSync(join(root, 'engine-1.lock'))
          writeFileSync(join(root, 'engine-3.lock'), JSON.stringify({ pid: 30, start: 'c', since: 0, released: false }))
        }
        return pid in living
      },
    }
    await expect(lockRoot({ root, clock, pid: 11, processes: late })).rejects.toMatchObject({
      code: 'root-locked',
      details: { pid: 30 },
    })
    expect(readdirSync(root)).toEqual(['engine-3.lock'])
  })

  it('holds between real processes: one wins, and after kill -9 the next one does', async () => {
    const file = await bundleChild(join(import.meta.dirname, 'testing/lock-child.ts'), temp())
    const root = temp()
    const children: Child[] = []
    try {
      children.push(...[1, 2, 3].map(() => startChild(file, [root])))
      const said = await Promise.all(children.map((child) => child.line(() => true)))
      expect(said.filter((line) => line === 'held')).toHaveLength(1)
      const holder = children[said.indexOf('held')]
      expect(said.filter((line) => line !== 'held')).toEqual(Array(2).fill(`refused ${holder?.process.pid}`))
      await holder?.kill()
      const next = startChild(file, [root])
      children.push(next)
      expect(await next.line(() => true)).toBe('held')
    } finally {
      await Promise.all(children.map((child) => child.kill()))
    }
  })
})

describe('systemProcesses', () => {
  it('knows this process as alive and a number that no process can have as dead', async () => {
    const processes = systemProcesses()
    expect(processes.alive(process.pid)).toBe(true)
    expect(processes.alive(2 ** 30)).toBe(false)
    expect(await processes.startOf(process.pid)).toBe(await processes.startOf(process.pid))
    expect(await processes.startOf(2 ** 30)).toBeNull()
  })

  it('finds the start behind any process name', () => {
    const fields = Array.from({ length: 40 }, (_, i) => String(i + 3))
    expect(startFromStat(`77 (odd) name (x) ${fields.join(' ')}`, 'boot\n')).toBe('boot:22')
    expect(startFromStat('77 (x) S', 'boot')).toBeNull()
  })
})

describe('openRoot', () => {
  it('makes the folder, locks it and sweeps what killed engines left', async () => {
    const root = join(temp(), 'deep', 'root')
    mkdirSync(join(root, 'outbox'), { recursive: true })
    for (const path of [`${tempPrefix}99-1.tmp`, `outbox/${tempPrefix}99-2.tmp`, 'keep.json'])
      writeFileSync(join(root, path), 'x')
    const lock = await openRoot({ root, files: diskFiles(), clock })
    expect(readdirSync(root).sort()).toEqual(['engine-1.lock', 'keep.json', 'outbox'])
    expect(readdirSync(join(root, 'outbox'))).toEqual([])
    await expect(openRoot({ root, files: diskFiles(), clock })).rejects.toMatchObject({ code: 'root-locked' })
    await lock.release()
    expect(JSON.parse(readFileSync(join(root, 'engine-1.lock'), 'utf8'))).toMatchObject({
      pid: process.pid,
      released: true,
    })
  })

  it('says what is wrong when the folder can not be made', async () => {
    const file = join(temp(), 'file')
    writeFileSync(file, '')
    await expect(openRoot({ root: join(file, 'root'), files: diskFiles(), clock })).rejects.toMatchObject({
      code: 'store-failed',
      details: { system: 'ENOTDIR' },
    })
  })
})

describe('lockHome', () => {
  it('keeps a second engine out of a home, whatever its session root', async () => {
    const home = join(temp(), 'home')
    const lock = await lockHome({ home, files: diskFiles(), clock })
    await expect(lockHome({ home, files: diskFiles(), clock })).rejects.toMatchObject({
      code: 'root-locked',
      details: { pid: process.pid },
      message:
        `Another Onward engine (process ${process.pid}) is using ` +
        `${home}. Stop it first, or start this one with another home.`,
    })
    await lock.release()
    await (await lockHome({ home, files: diskFiles(), clock })).release()
  })

  it('leaves the home free to be the session root as well', async () => {
    const home = temp()
    const locks = [
      await lockHome({ home, files: diskFiles(), clock }),
      await openRoot({ root: home, files: diskFiles(), clock }),
    ]
    expect(readdirSync(home).sort()).toEqual(['engine-1.lock', 'home-1.lock'])
    for (const lock of locks) await lock.release()
  })

  it('says what is wrong with a home that can not be made', async () => {
    const file = join(temp(), 'file')
    writeFileSync(file, '')
    await expect(lockHome({ home: join(file, 'home'), files: diskFiles(), clock })).rejects.toMatchObject({
      code: 'store-failed',
      details: { system: 'ENOTDIR' },
    })
  })
})

describe('sessionRoot', () => {
  it.each([
    [{}, '127.0.0.1', 5520, '/home/p/.onward/sessions/127.0.0.1_5520'],
    [{}, '::1', 5520, '/home/p/.onward/sessions/%3a%3a1_5520'],
    [{ ROUTECODEX_SESSION_DIR: '' }, 'localhost', 1, '/home/p/.onward/sessions/localhost_1'],
    [{ ROUTECODEX_SESSION_DIR: '/elsewhere' }, '127.0.0.1', 5520, '/elsewhere'],
  ])('with %j and %s:%i is %s', (env, host, port, root) => {
    expect(sessionRoot(env, '/home/p/.onward', host, port)).toBe(root)
  })

  it('refuses a relative folder', () => {
    expect(() => sessionRoot({ ROUTECODEX_SESSION_DIR: 'here' }, '/h', 'x', 1)).toThrow(/absolute/)
  })
})
