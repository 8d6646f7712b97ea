import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { QuietHours } from '../../../shared/config/notifications.ts'
import { silentLog } from '../base/log.ts'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { createStore } from '../store/create-store.ts'
import { diskFiles } from '../store/disk-files.ts'
import { tempFolders } from '../store/testing/temp-folder.ts'
import { createQuiet, type QuietOver } from './quiet.ts'

const temp = tempFolders()
const minute = 60_000
const hour = 60 * minute

/** A night in Berlin on the real disk; the wall clock can be set while timers run on, as after sleep. */
async function night(root = join(temp(), 'state')) {
  let shift = 0
  let zone = 'Europe/Berlin'
  const clock = virtualClock(Date.parse('2026-11-24T22:00:00Z'))
  const told: QuietOver[] = []
  let hours: QuietHours = { on: true, from: '22:00', to: '07:30', needsYou: false, ownAlarms: false }
  const shifted = { ...clock, now: () => clock.now() + shift }
  const open = async () => {
    const files = diskFiles()
    const store = createStore({ root, files, clock: shifted, log: silentLog, onProblem() {} })
    return createQuiet({
      clock: shifted,
      log: silentLog,
      store,
      hours: () => hours,
      zone: () => zone,
      tell: (over) => told.push(over),
      onChange() {},
    })
  }
  return {
    clock,
    told,
    open,
    jump: (ms: number) => void (shift += ms),
    set: (next: Partial<QuietHours>) => void (hours = { ...hours, ...next }),
    travel: (to: string) => void (zone = to),
  }
}

describe('what comes in quiet hours', () => {
  it('is told as one when they end, and only then', async () => {
    const { clock, told, open } = await night()
    const quiet = await open()
    quiet.start()
    expect(quiet.keeps({ class: 'needs-you' })).toBe(true)
    expect(quiet.keeps({ class: 'limit' })).toBe(true)
    expect(quiet.keeps({ class: 'needs-you' })).toBe(true)
    expect(quiet.held()).toBe(3)
    await clock.advance(8 * hour + 29 * minute)
    expect(told).toEqual([])
    await clock.advance(minute)
    expect(told).toEqual([{ class: 'quiet-over', count: 3, classes: ['needs-you', 'limit'] }])
    expect(quiet.held()).toBe(0)
    expect(quiet.keeps({ class: 'limit' })).toBe(false)
    await clock.advance(24 * hour)
    expect(told).toHaveLength(1)
    expect(clock.pending()).toBe(0)
  })

  it('is told after a restart in the night, or long after it', async () => {
    const { clock, told, open } = await night()
    const first = await open()
    first.start()
    first.keeps({ class: 'budget' })
    await first.flush()
    first.dispose()
    const second = await open()
    second.start()
    second.keeps({ class: 'budget' })
    await second.flush()
    second.dispose()
    await clock.advance(36 * hour)
    expect(told).toEqual([])
    const third = await open()
    expect(told).toEqual([])
    third.start()
    await clock.advance(0)
    expect(told).toEqual([{ class: 'quiet-over', count: 2, classes: ['budget'] }])
    await third.flush()
    third.dispose()
    const fourth = await open()
    fourth.start()
    await clock.advance(minute)
    expect(told).toHaveLength(1)
  })

  it('is told within a minute when the clock jumped over their end, and at once where somebody says so', async () => {
    const { clock, told, open, jump } = await night()
    const quiet = await open()
    quiet.start()
    quiet.keeps({ class: 'limit' })
    jump(12 * hour)
    await clock.advance(minute)
    expect(told).toHaveLength(1)
    jump(13 * hour)
    expect(quiet.keeps({ class: 'limit' })).toBe(true)
    jump(12 * hour)
    quiet.look()
    expect(told).toHaveLength(2)
  })

  it('is told once when the clock is set back into the night after it', async () => {
    const { clock, told, open, jump } = await night()
    const quiet = await open()
    quiet.start()
    quiet.keeps({ class: 'limit' })
    await clock.advance(9 * hour)
    expect(told).toHaveLength(1)
    jump(-2 * hour)
    quiet.look()
    await clock.advance(3 * hour)
    expect(told).toHaveLength(1)
  })

  it('is told at once when a person ends the hours, or is in another zone where it is day', async () => {
    const { told, open, set, travel } = await night()
    const quiet = await open()
    quiet.start()
    quiet.keeps({ class: 'limit' })
    set({ to: '23:00' })
    quiet.look()
    expect(told).toHaveLength(1)
    set({ to: '07:30' })
    quiet.keeps({ class: 'limit' })
    travel('America/Los_Angeles')
    quiet.look()
    expect(told).toHaveLength(2)
  })

  it('starts no timer while nothing came', async () => {
    const { clock, open } = await night()
    const quiet = await open()
    quiet.start()
    expect(clock.pending()).toBe(0)
    quiet.dispose()
  })
})
