import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { clusters } from './clusters.ts'
import { runs } from '../../shared/testing/runs.ts'

const of = (places: number[], gap: number) => clusters(places, (place) => place, gap)

describe('clusters', () => {
  it.each([
    [
      [10, 20],
      [[10], [20]],
    ],
    [[10, 12], [[10, 12]]],
    [[12, 10, 10], [[10, 10, 12]]],
    [
      [0, 2, 4, 6, 8, 10],
      [
        [0, 2, 4, 6],
        [8, 10],
      ],
    ],
  ])('of %j', (places, members) => expect(of(places, 3).map((cluster) => cluster.members)).toEqual(members))

  it('hold everything once, in order, and never touch each other', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 100, noNaN: true }), { maxLength: 60 }),
        fc.double({ min: 0.1, max: 20, noNaN: true }),
        (places, gap) => {
          const found = of(places, gap)
          expect(found.flatMap(({ members }) => members)).toEqual(places.toSorted((a, b) => a - b))
          for (const [i, { place }] of found.entries())
            if (i > 0) expect(place - (found[i - 1]?.place ?? 0)).toBeGreaterThanOrEqual(gap - 1e-9)
        },
      ),
      runs(100),
    )
  })
})
