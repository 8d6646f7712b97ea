import { describe, expect, it } from 'vitest'
import { switchedOff, waitFor } from '../time-sync.ts'

const minute = 60_000

describe('the wait for the next round', () => {
  it.each<[number, number, number]>([
    [0, 0.5, 60],
    [0, 0, 54],
    [0, 1, 66],
    [1, 0.5, 0.5],
    [2, 0.5, 1],
    [3, 0.5, 2],
    [7, 0.5, 32],
    [8, 0.5, 60],
    [5000, 0.5, 60],
    [1, 0, 0.45],
  ])('after %d failures, at %d: %d min', (failures, fraction, minutes) => {
    expect(waitFor({ failures, fraction, refreshMs: 60 * minute })).toBeCloseTo(minutes * minute, 6)
  })
  it('is never longer than a refresh', () =>
    expect(waitFor({ failures: 1, fraction: 0.5, refreshMs: 10_000 })).toBe(10_000))
})

describe('ROUTECODEX_CLOCK_NTP', () => {
  it.each<[string | undefined, boolean]>([
    ['off', true],
    ['OFF', true],
    [' Off ', true],
    ['0', true],
    ['false', true],
    ['False', true],
    [undefined, false],
    ['', false],
    ['on', false],
    ['1', false],
    ['offline', false],
  ])('%s: %s', (value, expected) => {
    expect(switchedOff({ ROUTECODEX_CLOCK_NTP: value })).toBe(expected)
  })
})
