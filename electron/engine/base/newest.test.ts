import fc from 'fast-check'
import { expect, it, describe } from 'vitest'
import { runs } from '../../../shared/testing/runs.ts'
import { putNewest, bounded } from './newest.ts'

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

describe('bounded', () => {
  it('always shows the newest, in order', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.array(fc.oneof(fc.nat(), fc.array(fc.nat(), { maxLength: 5 })), { maxLength: 200 }),
        (limit, steps) => {
          const dropped: number[] = []
          const row = bounded<number>(limit, (item) => dropped.push(item))
          let all: number[] = []
          for (const step of steps) {
            if (typeof step === 'number') {
              row.push(step)
              all.push(step)
            }
            // what came before only counts as far as the row is not full
            else {
              row.prepend(step)
              all = [...step, ...all.slice(-limit)]
            }
          }
          expect(row.items()).toEqual(all.slice(-limit))
          row.drop((item) => item % 2 === 0)
          expect(row.items().filter((item) => item % 2 === 0)).toEqual([])
          row.drop(() => true)
          expect(dropped.sort((a, b) => a - b)).toEqual(steps.flat().sort((a, b) => a - b))
        },
      ),
      runs(100),
    )
  })
})
