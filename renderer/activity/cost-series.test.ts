import { describe, expect, it } from 'vitest'
import { sceneCosts } from '../../e2e/dashboard/fake/scene-costs.ts'
import { costOfAll } from '../../shared/cost/cost.ts'
import { costCsv } from '../../shared/cost/cost-csv.ts'
import { seriesOf, stackings } from './cost-series.ts'

const view = sceneCosts(new Date(2026, 10, 21, 14, 12).getTime(), 7)

describe('the series of the cost chart', () => {
  it.each(stackings)('by %s hold all that was spent, the dearest first, in five colours', (by) => {
    const series = seriesOf(view, by)
    expect(series.length).toBeLessThanOrEqual(5)
    expect(new Set(series.map(({ tone }) => tone)).size).toBe(series.length)
    const named = series.filter(({ name }) => name !== null).map(({ costUsd }) => costUsd)
    expect(named).toEqual(named.toSorted((a, b) => b - a))
    const total = costOfAll(view.cells).costUsd ?? 0
    expect(series.reduce((sum, { costUsd }) => sum + costUsd, 0)).toBeCloseTo(total, 6)
    const drawn = view.buckets.flatMap((bucket) => series.map(({ of }) => of(bucket)))
    expect(drawn.reduce((sum, usd) => sum + usd, 0)).toBeCloseTo(total, 6)
  })
})

describe('the file of costs', () => {
  it('has a line for each session and model, with what is not in the cost', () => {
    const [head, ...lines] = costCsv(view).trim().split('\r\n')
    expect(head?.split(',')).toHaveLength(15)
    expect(lines).toHaveLength(view.cells.length)
    expect(lines.some((line) => line.startsWith('weekly-01,周报整理,openrouter,glm-5v,'))).toBe(true)
    expect(lines.find((line) => line.includes('claude-login'))).toMatch(/,plan,0,4\.\d+,0,,$/)
  })
})
