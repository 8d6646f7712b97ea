import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { atMostEvery } from './at-most-every.ts'

describe('at most every two seconds', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('asks at once, then once for all that came meanwhile', () => {
    const runs: number[] = []
    const paced = atMostEvery(2000, () => runs.push(Date.now()))
    const begin = Date.now()
    for (let i = 0; i < 50; i++) {
      paced.ask()
      vi.advanceTimersByTime(100)
    }
    vi.advanceTimersByTime(10_000)
    expect(runs.map((at) => at - begin)).toEqual([0, 2000, 4000, 6000])
    paced.dispose()
  })

  it('does nothing more once it is let go', () => {
    let runs = 0
    const paced = atMostEvery(2000, () => {
      runs++
    })
    paced.ask()
    paced.ask()
    paced.dispose()
    vi.advanceTimersByTime(10_000)
    expect(runs).toBe(1)
  })
})
