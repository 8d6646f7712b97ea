import { describe, expect, it } from 'vitest'
import type { CostView } from '../../shared/cost/cost.ts'
import { noSums, type ReportView, type SessionReport } from '../../shared/report.ts'
import type { ActivityBucket, ActivityView } from '../../shared/state.ts'
import { joinCosts, joinReports, sumActivity } from './all-machines.ts'

const HOUR = 3_600_000
const bucket = (at: number, over: Partial<ActivityBucket> = {}): ActivityBucket => ({
  at,
  ms: HOUR,
  continued: 0,
  byPerson: 0,
  failed: 0,
  input: 0,
  cachedInput: 0,
  output: 0,
  costUsd: null,
  ttfb: { median: 1, p95: 2 },
  ...over,
})
const activity = (buckets: readonly ActivityBucket[], total: Partial<ActivityBucket>): ActivityView => ({
  hours: 24,
  buckets,
  total: bucket(0, total),
})

describe('figures of all machines', () => {
  it('sum turns, tokens and costs by time, each in the hour that has its middle, and have no median', () => {
    const here = activity([bucket(0, { byPerson: 1, costUsd: 1 }), bucket(HOUR)], { byPerson: 1, costUsd: 1 })
    // half an hour off, as some zones are
    const there = activity(
      [bucket(-HOUR / 2 - 1, { failed: 2 }), bucket(HOUR / 2, { byPerson: 3 }), bucket(1.5 * HOUR, { continued: 4 })],
      { failed: 2, byPerson: 3, continued: 4, unpricedTokens: 7 },
    )
    const sum = sumActivity([here, there])
    expect(sum?.buckets.map(({ byPerson, failed, continued }) => [byPerson, failed, continued])).toEqual([
      [1, 2, 0],
      [3, 0, 4],
    ])
    expect(sum?.total).toMatchObject({
      byPerson: 4,
      failed: 2,
      continued: 4,
      costUsd: 1,
      unpricedTokens: 7,
      ttfb: null,
    })
    expect(sum?.buckets.every(({ ttfb }) => ttfb === null)).toBe(true)
  })

  it('of one machine are what that has told, and of none are not known', () => {
    const here = activity([bucket(0)], {})
    expect(sumActivity([here])).toBe(here)
    expect([sumActivity([]), joinCosts([]), joinReports([])]).toEqual([null, null, null])
  })

  it('have costs of which each part says its machine', () => {
    const costs = (session: string, costUsd: number | null): CostView => {
      const sums = { provider: 'p', model: 'm', requests: 1, input: 1, cachedInput: 0, output: 1, costUsd }
      return {
        days: 1,
        buckets: [{ at: 0, ms: HOUR, parts: [sums] }],
        cells: [{ ...sums, session }],
        names: { s: session },
      }
    }
    const all = joinCosts([{ view: costs('s', 1) }, { machine: 'box', view: costs('s', null) }])
    expect(all?.buckets.map(({ parts }) => parts.map(({ machine, costUsd }) => [machine, costUsd]))).toEqual([
      [
        [undefined, 1],
        ['box', null],
      ],
    ])
    expect(all?.cells.map(({ session, machine }) => [session, machine])).toEqual([
      ['s', undefined],
      ['s', 'box'],
    ])
    expect([...(all?.namesAt.keys() ?? [])]).toEqual([undefined, 'box'])
  })

  it('have reports with those first that need a person, or machine by machine', () => {
    const report = (from: number, sessions: readonly [id: string, needsYou: boolean][], lines: number): ReportView => ({
      since: 0,
      from,
      until: 10,
      sessions: sessions.map(([id, needsYou]) => ({ id, needsYou }) as SessionReport),
      outages: [],
      limits: [],
      stalls: [{ session: 'a', from: 1, until: null }],
      recoveries: [],
      revivals: [],
      total: {
        sums: { ...noSums, working: 5 },
        turns: 2,
        rounds: 1,
        followups: { sent: 2, confirmed: 1 },
        alarms: 1,
        checks: { passed: 1, all: 2 },
        diff: lines === 0 ? null : { files: 1, added: lines, removed: 0 },
        spent: { tokens: 3, costUsd: 1 },
      },
    })
    const told = [
      { view: report(4, [['a', false]], 0) },
      {
        machine: 'box',
        view: report(
          2,
          [
            ['a', true],
            ['b', false],
          ],
          6,
        ),
      },
    ]
    const order = (byMachine: boolean) => joinReports(told, byMachine)?.sessions.map((one) => [one.machine, one.id])
    expect(order(false)).toEqual([
      ['box', 'a'],
      [undefined, 'a'],
      ['box', 'b'],
    ])
    expect(order(true)).toEqual([
      [undefined, 'a'],
      ['box', 'a'],
      ['box', 'b'],
    ])
    const all = joinReports(told)
    expect(all).toMatchObject({ from: 2, until: 10, stalls: [{ machine: undefined }, { machine: 'box' }] })
    expect(all?.total).toMatchObject({
      sums: { working: 10, idle: 0 },
      turns: 4,
      followups: { sent: 4, confirmed: 2 },
      diff: { files: 1, added: 6, removed: 0 },
      spent: { tokens: 6, costUsd: 2 },
    })
  })
})
