import { describe, expect, it } from 'vitest'
import { createInFlight, fairShare, ownTurn } from './work.ts'

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

const untilOver = () => {
  while (fairShare.hasTime());
}
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

it('work that has had its time waits for another turn of the loop, one piece of work in each', async () => {
  const turns: number[] = []
  let now = 0
  const counting = (async () => {
    while (turns.length < 3) {
      await turn()
      now += 1
    }
  })()
  untilOver()
  for (let i = 0; i < 3; i++)
    fairShare.wait(() => {
      turns.push(now)
      expect(fairShare.hasTime()).toBe(true)
      untilOver()
    })
  expect(turns).toEqual([])
  await counting
  expect(new Set(turns).size).toBe(3)
  await turn()
  await turn()
  expect(fairShare.hasTime()).toBe(true)
})

describe('a turn of the event loop of its own', () => {
  it('is given to one at a time, in the order they asked', async () => {
    const seen: string[] = []
    let over = false
    const watch = () => {
      seen.push('|')
      if (!over) setImmediate(watch)
    }
    const worker = async (name: string) => {
      for (let slice = 1; slice <= 3; slice++) {
        await ownTurn()
        seen.push(`${name}${slice}`)
      }
    }
    setImmediate(watch)
    await Promise.all([worker('a'), worker('b')])
    over = true
    expect(seen.join('').replace(/\|+/g, '|')).toBe('|a1|b1|a2|b2|a3|b3')
  })
})
