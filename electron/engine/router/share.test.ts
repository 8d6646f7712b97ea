import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inOrder } from './share.ts'
import { runs } from '../../../shared/testing/runs.ts'

const entry = (providerId: string, weight: number | null) => ({ providerId, model: 'm', weight })
const order = (entries: readonly ReturnType<typeof entry>[], session: string) =>
  inOrder(entries, session).map((p) => p.entry.providerId)
const sessions = Array.from({ length: 4000 }, (_, i) => `session-${i}`)

describe('a pool', () => {
  it('without weights keeps its order', () => {
    expect(order([entry('a', null), entry('b', null), entry('c', null)], 's')).toEqual(['a', 'b', 'c'])
  })

  it('with weights spreads the sessions by them', () => {
    const first = sessions.map((s) => order([entry('a', 3), entry('b', 1)], s)[0])
    const share = first.filter((id) => id === 'a').length / sessions.length
    expect(share).toBeGreaterThan(0.72)
    expect(share).toBeLessThan(0.78)
  })

  it('moves only the sessions of what goes, and those that come to what is new', () => {
    const pool = [entry('a', 1), entry('b', 1), entry('c', 1)]
    for (const session of sessions.slice(0, 500)) {
      const before = order(pool, session)[0]
      const without = order(pool.slice(0, 2), session)[0]
      if (before !== 'c') expect(without).toBe(before)
    }
  })

  it('keeps plain entries in their place between the shared ones', () => {
    const mixed = [entry('a', 1), entry('b', 1), entry('last', null), entry('c', 5), entry('d', 5)]
    for (const session of sessions.slice(0, 50)) {
      const [one, two, three, ...rest] = order(mixed, session)
      expect([[one, two].toSorted(), three, rest.toSorted()]).toEqual([['a', 'b'], 'last', ['c', 'd']])
    }
  })

  it('gives every entry once and the same order again', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            providerId: fc.string(),
            weight: fc.option(fc.double({ min: 0.01, max: 1000, noNaN: true }), { nil: null }),
          }),
        ),
        fc.string(),
        (entries, session) => {
          const pool = entries.map((e) => ({ ...e, model: 'm' }))
          const placed = inOrder(pool, session)
          expect(placed.map((p) => p.entry).toSorted((a, b) => pool.indexOf(a) - pool.indexOf(b))).toEqual(pool)
          expect(inOrder(pool, session)).toEqual(placed)
        },
      ),
      runs(100),
    )
  })
})
