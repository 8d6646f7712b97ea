import { describe, expect, it } from 'vitest'
import { figuresOf } from '../../shared/sentences/index.ts'
import { piecesOf, timeTicks } from './report-axis.ts'

const H = 3_600_000
const from = Date.UTC(2026, 10, 27, 22, 40)

describe('the axis of a report', () => {
  it.each([
    ['UTC', 9.2, ['00:00', '02:00', '04:00', '06:00']],
    ['Asia/Kolkata', 9.2, ['06:00', '08:00', '10:00', '12:00']],
    ['UTC', 0.75, ['22:45', '23:00', '23:15']],
    ['UTC', 48, ['12:00', '00:00', '12:00']],
    ['UTC', 0, []],
  ])('has full hours in %s, over %d h', (zone, hours, expected) => {
    const { minute } = figuresOf('en', zone)
    expect(timeTicks(from, from + hours * H, minute).map(({ at }) => minute(at))).toEqual(expected)
  })
})

describe('the bar of a report', () => {
  it('shows in each piece what took most of it, and leaves out what was not there yet', () => {
    const spans = [
      { kind: 'working', from: from + H, until: from + 2 * H },
      { kind: 'outage', from: from + 2 * H, until: from + 2 * H + 1 },
      { kind: 'idle', from: from + 2 * H + 1, until: from + 4 * H },
    ] as const
    expect(piecesOf(spans, from, from + 4 * H).map(({ kind, width }) => [kind, Math.round(width)])).toEqual([
      [null, 25],
      ['working', 25],
      ['idle', 50],
    ])
    expect(piecesOf([], from, from)).toEqual([])
  })
})
