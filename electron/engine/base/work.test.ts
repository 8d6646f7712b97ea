import { describe, expect, it } from 'vitest'
import { createInFlight } from './work.ts'

describe('work in flight', () => {
  it('is told until it has ended, well or not', async () => {
    const work = createInFlight(() => 0)
    let fail: (why: Error) => void = () => undefined
    const one = work.track('one', new Promise<void>((_, bad) => (fail = bad)))
    const two = work.track('two', Promise.resolve(2))
    expect(work.list()).toEqual(['one', 'two'])
    expect(await two).toBe(2)
    expect(work.list()).toEqual(['one'])
    fail(new Error('no'))
    await expect(one).rejects.toThrow('no')
    expect(work.list()).toEqual([])
  })

  it('that waits for a set time is at rest until then', () => {
    let now = 0
    const work = createInFlight(() => now)
    void work.track('hold', new Promise(() => undefined))
    work.waits('hold', 1_000)
    expect(work.list()).toEqual([])
    now = 1_000
    expect(work.list()).toEqual(['hold'])
    work.waits('hold', 2_000)
    work.waits('hold', null)
    work.waits('unknown', null)
    expect(work.list()).toEqual(['hold'])
  })
})
