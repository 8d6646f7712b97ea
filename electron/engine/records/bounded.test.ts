import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../shared/testing/runs.ts'
import { bounded } from './bounded.ts'

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
