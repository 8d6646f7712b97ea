import { describe, expect, it } from 'vitest'
import type { ClockSync } from '../../../../shared/alarms/alarms.ts'
import { failed, isWorthAnnouncing, offsetAfterJump, restored, unheard } from '../time-sync.ts'

const at = Date.UTC(2026, 10, 22, 12)
const day = 24 * 3_600_000
const synced: ClockSync = { status: 'synced', offsetMs: 5000, at, lastError: null }

describe('what an earlier run learnt', () => {
  it.each<[string, ClockSync | null, number, ClockSync]>([
    ['nothing', null, at, unheard],
    ['only an error', { status: 'error', offsetMs: 0, at: null, lastError: 'x' }, at, unheard],
    ['just now', synced, at - 5000, { ...synced, status: 'stale' }],
    ['a week ago', synced, at - 5000 + 7 * day, { ...synced, status: 'stale' }],
    ['longer ago', synced, at - 5000 + 7 * day + 1, unheard],
    ['in what is the future since the clock was set back', synced, at - 7000, unheard],
  ])('%s', (_, kept, wall, expected) => expect(restored(kept, wall)).toEqual(expected))
})

describe('no answer', () => {
  it.each<[string, ClockSync, boolean, ClockSync['status']]>([
    ['before any', unheard, false, 'error'],
    ['after a good one', synced, false, 'synced'],
    ['after an old one', { ...synced, status: 'stale' }, false, 'stale'],
    ['after the clock was set', synced, true, 'stale'],
  ])('%s', (_, sync, doubted, status) =>
    expect(failed(sync, 'why', doubted)).toEqual({ ...sync, status, lastError: 'why' }),
  )
})

describe('a clock that jumps', () => {
  it.each<[string, number, number, number]>([
    ['back is set, and true time goes on', 0, -3_600_000, 3_600_000],
    ['forwards by what was missing was put right', 3_600_000, 3_600_400, -400],
    ['back by what was too much was put right', -60_000, -60_000, 0],
    ['forwards may have slept', 300, 3_600_000, 300],
    ['far back is not believed', 0, -2 * day, 0],
  ])('%s', (_, offset, jump, expected) => expect(offsetAfterJump(offset, jump)).toBe(expected))
})

describe('news', () => {
  it.each<[string, Partial<ClockSync>, boolean]>([
    ['nothing but the time of the answer', { at: at + 1 }, false],
    ['an error that changed nothing', { lastError: 'x' }, false],
    ['50 ms', { offsetMs: 5050 }, false],
    ['51 ms', { offsetMs: 4949 }, true],
    ['the status', { status: 'stale' }, true],
  ])('%s', (_, change, expected) => expect(isWorthAnnouncing(synced, { ...synced, ...change })).toBe(expected))
})
