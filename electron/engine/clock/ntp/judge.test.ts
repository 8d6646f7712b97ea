import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { judge, mostOffsetMs } from './judge.ts'
import { runs } from '../../../../shared/testing/runs.ts'

const at = Date.UTC(2026, 10, 22, 12)

describe('an answer', () => {
  it('is at most half its delay from the truth', () => {
    const way = fc.double({ min: 0, max: 5000, noNaN: true })
    fc.assert(
      fc.property(fc.integer({ min: -80_000_000, max: 80_000_000 }), way, way, way, (offset, there, think, back) => {
        const received = at + there + offset
        const judged = judge(
          { kind: 'time', received, answered: received + think },
          { sent: at, heard: at + there + think + back },
        )
        if (judged.kind !== 'offset') throw new Error(judged.why)
        expect(judged.delayMs).toBeCloseTo(there + back, 1)
        expect(Math.abs(judged.offsetMs - offset)).toBeLessThanOrEqual(judged.delayMs / 2 + 0.01)
      }),
      runs(100),
    )
  })
  it.each<[string, number, string | null]>([
    ['a day', mostOffsetMs, null],
    ['a day back', -mostOffsetMs, null],
    [
      'more than a day',
      mostOffsetMs + 1,
      "it says that this computer's time is off by 24.0 hours; more than 24 are not believed",
    ],
    [
      'two days back',
      -2 * mostOffsetMs,
      "it says that this computer's time is off by 48.0 hours; more than 24 are not believed",
    ],
  ])('that is off by %s', (_, offset, why) => {
    expect(
      judge({ kind: 'time', received: at + offset, answered: at + offset }, { sent: at, heard: at }),
    ).toMatchObject(why === null ? { kind: 'offset', offsetMs: offset } : { kind: 'refused', why })
  })
  it.each<[string, number, number, number]>([
    ['was answered before it was asked', at + 5, at, at + 10],
    ['was thought of for longer than it took', at, at + 1000, at + 10],
  ])('that %s contradicts itself', (_, received, answered, heard) => {
    expect(judge({ kind: 'time', received, answered }, { sent: at, heard })).toEqual({
      kind: 'refused',
      why: 'its answer contradicts itself',
    })
  })
})
