import { expect, it } from 'vitest'
import { fairShare } from './fair-share.ts'

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
