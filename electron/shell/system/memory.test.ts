import { afterEach, describe, expect, it } from 'vitest'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../engine/base/clock.ts'
import { silentLog } from '../../engine/base/log.ts'
import { diskFiles } from '../../engine/store/disk-files.ts'
import { openMemory } from './memory.ts'

const homes: string[] = []
afterEach(() => {
  for (const home of homes.splice(0)) rmSync(home, { recursive: true, force: true })
})
const newHome = () => {
  const home = mkdtempSync(join(tmpdir(), 'onward-memory-'))
  homes.push(home)
  return home
}
const open = (home: string, files = diskFiles()) => openMemory({ home, files, clock: systemClock(), log: silentLog })
const state = { x: 10, y: 20, width: 900, height: 700, maximized: true }

describe('what the desktop remembers', () => {
  it('is there at the next start', async () => {
    const home = newHome()
    const memory = await open(home)
    expect(memory.get()).toEqual({ hidingExplained: false, window: null })
    memory.set({ hidingExplained: true })
    memory.set({ window: state })
    await memory.flush()
    expect((await open(home)).get()).toEqual({ hidingExplained: true, window: state })
  })

  it('starts anew when the file is damaged, which is kept aside', async () => {
    const home = newHome()
    writeFileSync(join(home, 'desktop.json'), '{"version":1,"state":{"hidingExplained":7}}')
    const memory = await open(home)
    expect(memory.get()).toEqual({ hidingExplained: false, window: null })
    expect(readdirSync(home).filter((name) => name.startsWith('desktop.json.corrupt-'))).toHaveLength(1)
  })

  it('leaves a newer file alone and remembers until the app ends', async () => {
    const home = newHome()
    const newer = '{"version":99,"state":{"theme":"x"}}'
    writeFileSync(join(home, 'desktop.json'), newer)
    const memory = await open(home)
    memory.set({ hidingExplained: true })
    await memory.flush()
    expect(memory.get().hidingExplained).toBe(true)
    expect(readFileSync(join(home, 'desktop.json'), 'utf8')).toBe(newer)
  })

  it('goes on when the disk refuses', async () => {
    const home = newHome()
    const full = {
      ...diskFiles(),
      writeAtomic: () => Promise.reject(Object.assign(new Error('no space left'), { code: 'ENOSPC' })),
    }
    const memory = await open(home, full)
    memory.set({ hidingExplained: true })
    await memory.flush()
    expect(memory.get().hidingExplained).toBe(true)
  })
})
