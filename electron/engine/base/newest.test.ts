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

it('leaves what is known in its place as long as there is room for as much again', () => {
  const map = new Map<string, number>()
  for (const key of ['a', 'b', 'c', 'a']) putNewest(map, key, 1, 6)
  expect([...map.keys()]).toEqual(['a', 'b', 'c'])
  putNewest(map, 'd', 1, 6)
  putNewest(map, 'a', 2, 6)
  expect([...map.keys()]).toEqual(['b', 'c', 'd', 'a'])
})
