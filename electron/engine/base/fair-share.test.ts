import { expect, it, describe } from 'vitest'
import { fairShare, ownTurn } from './fair-share.ts'

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
