/** What README and docs show of the bench is what its kept results give, and what a figure has reached. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { figureRows } from './bench/figure-rows.mjs'
import { writtenDocs } from './bench/write-docs.mjs'

const root = resolve(import.meta.dirname, '..')

describe('what the bench writes', () => {
  it.each(Object.entries(writtenDocs()))('%s is as `npm run bench -- --write-docs` leaves it', (path, text) => {
    expect(readFileSync(join(root, path), 'utf8').replaceAll('\r\n', '\n')).toBe(text)
  })
})

describe('a figure', () => {
  const cell = (round: number, target: string, cpuPerRequest: number) => ({
    lane: 'edit-200k-c4',
    round,
    target,
    cpuPerRequest,
  })
  const rowOf = (cells: ReturnType<typeof cell>[]) => figureRows({ cells, engine: [] })[0]

  it('is the median of the ratios within a round, with their range', () => {
    const cells = [1, 2, 4].flatMap((reference, round) => [
      cell(round, 'node-parse', reference),
      cell(round, 'onward', reference * ([0.4, 0.8, 2][round] ?? NaN)),
    ])
    expect(rowOf(cells)).toMatchObject({ value: 0.8, range: [0.4, 2], must: 1.4, goal: 0.5, reached: 'must' })
  })
  it.each([
    [0.5, 'goal'],
    [1.4, 'must'],
    [1.5, 'MISSED'],
  ])('of %f has reached: %s', (ratio, reached) => {
    expect(rowOf([cell(0, 'node-parse', 1), cell(0, 'onward', ratio)])).toMatchObject({ reached })
  })
  it('that nobody took is not taken for reached', () => {
    const rows = figureRows({ cells: [], engine: [] })
    expect(rows.length).toBeGreaterThan(0)
    expect(new Set(rows.map(({ reached }) => reached))).toEqual(new Set(['not measured']))
  })
})
