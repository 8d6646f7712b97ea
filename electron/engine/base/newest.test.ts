import { expect, it } from 'vitest'
import { putNewest } from './newest.ts'

it('forgets what was put there longest ago, and what is put again is new', () => {
  const map = new Map<string, number>()
  for (const [key, value] of [
    ['a', 1],
    ['b', 2],
    ['a', 3],
    ['c', 4],
    ['d', 5],
  ] as const)
    putNewest(map, key, value, 3)
  expect([...map]).toEqual([
    ['a', 3],
    ['c', 4],
    ['d', 5],
  ])
  putNewest(map, 'c', 6, 3)
  expect([...map]).toEqual([
    ['a', 3],
    ['d', 5],
    ['c', 6],
  ])
})
