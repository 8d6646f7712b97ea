import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  spendOf,
  type ColdCache,
  type PriceFact,
  costBy,
  costDays,
  costOfAll,
  mostCostDays,
} from '../../../shared/cost/cost.ts'
import type { TurnRecord } from '../../../shared/state.ts'
import { runs } from '../../../shared/testing/runs.ts'
import { silentLog } from '../base/log.ts'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { createStore } from '../store/create-store.ts'
import { faultyFiles } from '../store/testing/faulty-files.ts'
import { memoryFiles } from '../store/testing/memory-files.ts'
import { openCostTotals } from './cost-totals.ts'

const hour = 3_600_000
const day = 24 * hour

function bench(start = new Date(2026, 10, 21, 14, 30).getTime()) {
  const disk = memoryFiles()
  const files = faultyFiles(disk)
  const clock = virtualClock(start)
  const open = () =>
    openCostTotals({
      clock,
      log: silentLog,
      store: createStore({ root: '/r', files, clock, log: silentLog, onProblem: () => undefined }),
    })
  const record = (more: Partial<TurnRecord> = {}): TurnRecord => ({
    requestId: 'r',
    at: clock.now(),
    sessionId: 's',
    scope: null,
    client: 'codex',
    entry: 'responses',
    kind: 'turn',
    model: 'm',
    route: { provider: 'p', model: 'm', keyAlias: null, category: null, why: [], skipped: [] },
    status: 200,
    finish: 'stop',
    usage: { input: 10, cachedInput: 5, output: 3, reasoning: 1 },
    costUsd: null,
    ttfbMs: 100,
    durationMs: 2,
    bytesIn: 1,
    bytesOut: 1,
    error: null,
    ...more,
  })
  return { disk, files, clock, open, record }
}

const prices = fc.constantFrom<{ costUsd: number | null; price?: PriceFact }>(
  { costUsd: 0.5, price: { from: 'list', taken: '2026-10-24' } },
  { costUsd: 0.25, price: { from: 'config' } },
  { costUsd: null },
  { costUsd: null, price: { from: 'local' } },
  { costUsd: null, price: { from: 'plan', worth: { usd: 2, taken: '2026-10-24' } } },
)
const turns = fc.array(
  fc.record({
    back: fc.integer({ min: 0, max: 40 * 24 }),
    session: fc.constantFrom('a', 'b', null),
    provider: fc.constantFrom('x', 'y'),
    model: fc.constantFrom('m', 'n'),
    priced: prices,
    input: fc.integer({ min: 0, max: 1_000_000 }),
    cold: fc.constantFrom<ColdCache | null>(
      null,
      { why: 'idle', tokens: 2000, costUsd: 0.125 },
      { why: 'message-edited', message: 3, tokens: 4000, costUsd: null, worthUsd: 1 },
    ),
  }),
  { maxLength: 60 },
)

describe('what was spent', () => {
  it('adds up: by time, session, provider and model it is what records say, before a restart and after', async () => {
    await fc.assert(
      fc.asyncProperty(turns, fc.constantFrom(...costDays, 14, mostCostDays), async (all, days) => {
        const { clock, open, record } = bench()
        const records = all.map(({ back, session, provider, model, priced, input, cold }) =>
          record({
            at: clock.now() - back * hour,
            sessionId: session,
            route: { provider, model, keyAlias: null, category: null, why: [], skipped: [] },
            usage: { input, cachedInput: 0, output: 1, reasoning: 0 },
            ...priced,
            ...(cold ? { cold } : {}),
          }),
        )
        const costs = await open()
        for (const one of records) costs.add(one)
        const before = await costs.costs(days)
        await costs.flush()
        costs.dispose()
        const view = await (await open()).costs(days)
        expect(view).toEqual(before)
        const from = view.buckets[0]?.at ?? 0
        const within = records.filter(({ at }) => at >= from)
        const dollars = within.reduce((sum, one) => sum + (one.costUsd ?? 0), 0)
        const unpriced = within.reduce((sum, one) => sum + (spendOf(one).unpricedTokens ?? 0), 0)
        const worth = within.reduce((sum, one) => sum + (spendOf(one).worthUsd ?? 0), 0)
        const cold = within.flatMap((one) => one.cold ?? [])
        const parts = view.buckets.flatMap((bucket) => bucket.parts)
        for (const sums of [
          parts,
          view.cells,
          costBy(view.cells, ({ session }) => session ?? ''),
          costBy(view.cells, ({ provider }) => provider),
          costBy(view.cells, ({ model }) => model),
          costBy(parts, ({ provider }) => provider),
        ]) {
          const total = costOfAll(sums)
          expect(total.requests).toBe(within.length)
          expect(total.costUsd ?? 0).toBeCloseTo(dollars, 6)
          expect(total.unpricedTokens ?? 0).toBe(unpriced)
          expect(total.worthUsd ?? 0).toBeCloseTo(worth, 6)
          expect(total.cold?.tokens ?? 0).toBe(cold.reduce((sum, { tokens }) => sum + tokens, 0))
          expect(total.cold?.costUsd ?? 0).toBeCloseTo(
            cold.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0),
            6,
          )
          expect(total.cold?.why.idle ?? 0).toBe(cold.filter(({ why }) => why === 'idle').length)
          expect(total.input).toBe(within.reduce((sum, one) => sum + (one.usage?.input ?? 0), 0))
        }
      }),
      runs(60),
    )
  })

  it('has the hours of today, or days', async () => {
    const { open, record } = bench()
    const costs = await open()
    costs.add(record({ costUsd: 1 }))
    const today = await costs.costs(1)
    expect(today.buckets).toHaveLength(24)
    expect(today.buckets[14]?.parts).toMatchObject([{ provider: 'p', model: 'm', costUsd: 1 }])
    const month = await costs.costs(30)
    expect(month.buckets).toHaveLength(30)
    expect(month.buckets.at(-1)?.parts).toHaveLength(1)
    expect(new Date(month.buckets[0]?.at ?? 0).getHours()).toBe(0)
  })

  it('does not count what went nowhere, nor the tokens of a count', async () => {
    const { open, record } = bench()
    const costs = await open()
    costs.add(record({ route: null }))
    costs.add(record({ usage: null }))
    costs.add(record({ kind: 'count' }))
    const { cells } = await costs.costs(1)
    expect(cells).toEqual([
      { session: 's', provider: 'p', model: 'm', requests: 1, input: 0, cachedInput: 0, output: 0, costUsd: null },
    ])
  })

  it('adds to a file that is there already, and to yesterday’s after midnight', async () => {
    const { clock, open, record } = bench()
    const first = await open()
    expect(first.fresh).toBe(true)
    first.add(record({ costUsd: 1 }))
    await first.flush()
    const second = await open()
    expect(second.fresh).toBe(false)
    await clock.advance(day)
    second.add(record({ costUsd: 2, at: clock.now() - day }))
    second.add(record({ costUsd: 4 }))
    await clock.advance(20_000)
    const { buckets } = await (await open()).costs(7)
    expect(buckets.map(({ parts }) => costOfAll(parts).costUsd).slice(-3)).toEqual([null, 3, 4])
  })

  it('goes on where a file can’t be read or written, and lets old days go', async () => {
    const { disk, files, clock, open, record } = bench()
    disk.content.set('/r/costs/2026-11-21.json', '{"version":7,"state":{}}')
    for (let i = 0; i < 100; i++)
      disk.content.set(`/r/costs/2025-${String(1 + Math.floor(i / 25)).padStart(2, '0')}-${10 + (i % 25)}.json`, '{}')
    const costs = await open()
    expect(
      [...disk.content.keys()].filter((name) => name.startsWith('/r/costs/2025') && name.endsWith('.json')),
    ).toHaveLength(91)
    files.fail('ENOSPC', 'writeAtomic')
    costs.add(record({ costUsd: 1 }))
    await clock.advance(20_000)
    expect(costOfAll((await costs.costs(1)).cells).costUsd).toBe(1)
  })
})
