import { describe, expect, it } from 'vitest'
import { durationMs } from './parts.ts'

describe('durations', () => {
  it.each<[string, number | null]>([
    ['20ms', 20],
    ['1s', 1000],
    ['6m0s', 360_000],
    ['1h2m3.5s', 3_723_500],
    ['2m59.56s', 179_560],
    ['34.07s', 34_070],
    ['1d', 86_400_000],
    ['479.417207ms', 479.417207],
    ['3 days 2 hours 10 minutes', 267_000_000],
    ['1 minute and 2 seconds', 62_000],
    ['5 milliseconds', 5],
    ['10 mins, 1 sec', 601_000],
    ['', null],
    ['s', null],
    ['10', null],
    ['1 month', null],
    ['1s?', null],
    ['-1s', null],
    ['1..5s', null],
  ])('%j is %s ms', (text, ms) => {
    const read = durationMs(text)
    if (ms === null) expect(read).toBeNull()
    else expect(read).toBeCloseTo(ms, 6)
  })
})
