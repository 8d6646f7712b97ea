import { describe, expect, it } from 'vitest'
import { inBatches } from './in-batches.ts'

describe('inBatches', () => {
  it('keeps the order of its results', async () => {
    expect(await inBatches([1, 2, 3], async (n) => n * 2)).toEqual([2, 4, 6])
    expect(await inBatches([], async (n: number) => n)).toEqual([])
  })

  it('lets the event loop run between small batches, also when nothing has to be waited for', async () => {
    let done = 0
    let most = 0
    let watching = true
    const watch = (before: number) => {
      most = Math.max(most, done - before)
      if (watching) setImmediate(watch, done)
    }
    setImmediate(watch, 0)
    await inBatches(Array.from({ length: 10_000 }), async () => {
      done += 1
    })
    watching = false
    expect(done).toBe(10_000)
    expect(most).toBeLessThanOrEqual(64)
  })

  it('passes the first failure on', async () => {
    await expect(
      inBatches([1, 2], async (n) => {
        if (n === 2) throw new Error('two')
      }),
    ).rejects.toThrow('two')
  })
})
