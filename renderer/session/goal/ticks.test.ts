import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { goalFacts, stopMessage } from '../../testing/views.ts'
import { ticksOf } from './ticks.ts'
import { runs } from '../../../shared/testing/runs.ts'

const rounds = [
  { n: 1, progress: true },
  { n: 2, progress: false },
  { n: 3, progress: null },
]

describe('ticks of the rounds', () => {
  it.each([
    ['armed', { kind: 'armed' }, ['progress', 'none', 'progress', 'free', 'free']],
    ['reviewing', { kind: 'reviewing', since: 0, round: 4 }, ['progress', 'none', 'progress', 'now', 'free']],
    ['injecting', { kind: 'injecting', entryId: 'e' }, ['progress', 'none', 'progress', 'now', 'free']],
  ] as const)('while it is %s', (_, status, ticks) =>
    expect(ticksOf(stopMessage({ used: 3, max: 5, status, goal: goalFacts({ rounds }) }))).toEqual(ticks),
  )

  it('are as many as there are rounds, and as many used as were', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.nat(40),
        fc.array(fc.record({ n: fc.integer({ min: 1, max: 50 }), progress: fc.option(fc.boolean()) })),
        (max, used, told) => {
          const ticks = ticksOf(stopMessage({ used, max, goal: goalFacts({ rounds: told }) }))
          expect(ticks).toHaveLength(max)
          expect(ticks.filter((tick) => tick === 'free')).toHaveLength(Math.max(0, max - used))
        },
      ),
      runs(100),
    )
  })

  it('are none without a number of rounds', () => expect(ticksOf(stopMessage({ used: 3, max: null }))).toEqual([]))
})
