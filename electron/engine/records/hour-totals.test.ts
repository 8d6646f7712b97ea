import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { TurnRecord } from '../../../shared/state.ts'
import { silentLog } from '../base/log.ts'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { createStore } from '../store/create-store.ts'
import { faultyFiles } from '../store/testing/faulty-files.ts'
import { memoryFiles } from '../store/testing/memory-files.ts'
import { hourOf, rangesOf, openHourTotals, sumWith, count, merge, ttfbOf, type TtfbCounts } from './hour-totals.ts'
import { runs } from '../../../shared/testing/runs.ts'

const hour = 3_600_000
const day = 24 * hour

function bench(start = new Date(2026, 10, 21, 14, 30).getTime()) {
  const disk = memoryFiles()
  const files = faultyFiles(disk)
  const clock = virtualClock(start)
  const open = () =>
    openHourTotals({
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
    route: null,
    status: 200,
    finish: 'stop',
    usage: { input: 10, cachedInput: 5, output: 3, reasoning: 1 },
    costUsd: null,
    ttfbMs: 100,
    durationMs: 2,
    bytesIn: 1,
    bytesOut: 1,
    error: null,
    by: 'person',
    ...more,
  })
  return { disk, files, clock, open, record }
}
const empty = { continued: 0, byPerson: 0, failed: 0, input: 0, cachedInput: 0, output: 0, costUsd: null, ttfb: null }

describe('a record', () => {
  const error = { code: 'x', message: 'x' }
  it.each<[Partial<TurnRecord>, 'continued' | 'byPerson' | 'failed' | null]>([
    [{ by: 'onward' }, 'continued'],
    [{ by: 'person' }, 'byPerson'],
    [{ kind: 'subagent', by: 'onward' }, 'continued'],
    [{ by: 'onward', finish: 'tool-calls' }, 'continued'],
    [{ finish: 'length' }, 'byPerson'],
    [{ by: 'onward', finish: 'error' }, 'failed'],
    [{ finish: 'broken-off' }, 'failed'],
    [{ finish: 'stop', error }, 'failed'],
    [{ kind: 'title' }, null],
    [{ kind: 'count', error }, null],
    [{ kind: 'compaction', by: 'onward' }, null],
    [{ kind: 'probe' }, null],
  ])('%j counts as %s', (more, expected) => {
    const { record } = bench()
    const sums = sumWith(
      { continued: 0, byPerson: 0, failed: 0, input: 0, cachedInput: 0, output: 0, costUsd: null },
      record(more),
    )
    expect(sums).toEqual({
      continued: 0,
      byPerson: 0,
      failed: 0,
      ...(expected ? { [expected]: 1 } : {}),
      input: 10,
      cachedInput: 5,
      output: 3,
      costUsd: null,
      ...(more.kind === 'count' ? {} : { unpricedTokens: 13 }),
    })
  })

  it('of an earlier version, without `by`, is a person’s', () => {
    const { record } = bench()
    const { by: _, ...old } = record()
    expect(
      sumWith({ continued: 0, byPerson: 0, failed: 0, input: 0, cachedInput: 0, output: 0, costUsd: null }, old)
        .byPerson,
    ).toBe(1)
  })
})

describe('activity', () => {
  it('has every bucket, the running one last, and a total', async () => {
    const { clock, open, record } = bench()
    const hours = await open()
    hours.add(record({ costUsd: 0.5, by: 'onward' }))
    hours.add(record({ at: clock.now() - 2 * hour, usage: null, ttfbMs: null }))
    hours.add(record({ at: clock.now() - 2 * hour, kind: 'title', costUsd: 0.25, ttfbMs: 7000 }))
    hours.add(record({ at: clock.now() - 25 * hour }))
    const view = hours.activity(24)
    expect(view.hours).toBe(24)
    expect(view.buckets).toHaveLength(24)
    expect(view.buckets.at(-1)).toEqual({
      ...empty,
      at: hourOf(clock.now()),
      ms: hour,
      continued: 1,
      input: 10,
      cachedInput: 5,
      output: 3,
      costUsd: 0.5,
      ttfb: { median: expect.closeTo(100, -1), p95: expect.closeTo(100, -1) },
    })
    // a title is no turn, and how long it took is not what people wait for
    expect(view.buckets.at(-3)).toEqual({
      ...empty,
      at: hourOf(clock.now()) - 2 * hour,
      ms: hour,
      byPerson: 1,
      input: 10,
      cachedInput: 5,
      output: 3,
      costUsd: 0.25,
    })
    expect(view.buckets.filter((b) => b.byPerson + b.continued + b.failed === 0)).toHaveLength(22)
    expect(view.total).toMatchObject({
      at: view.buckets[0]?.at,
      ms: day,
      continued: 1,
      byPerson: 1,
      failed: 0,
      input: 20,
      costUsd: 0.75,
    })
  })

  it('of nothing is all zeroes', async () => {
    const { open } = bench()
    for (const range of [24, 168, 720] as const) {
      const { buckets, total } = (await open()).activity(range)
      for (const { at: _at, ms: _ms, ...bucket } of [...buckets, total]) expect(bucket).toEqual(empty)
    }
  })

  it('is there again after a restart, and after a crash but for the last seconds', async () => {
    const { disk, clock, open, record } = bench()
    const first = await open()
    first.add(record())
    expect(disk.content.has('/r/hour-totals.json')).toBe(false)
    await clock.advance(15_000)
    expect(clock.pending()).toBe(0)
    first.add(record({ ttfbMs: 400 }))
    expect((await open()).activity(24).total.byPerson).toBe(1)
    await first.flush()
    first.dispose()
    expect((await open()).activity(24).total).toEqual(first.activity(24).total)
    expect(first.activity(24).total.byPerson).toBe(2)
  })

  it('keeps 31 days and no more', async () => {
    const { disk, clock, open, record } = bench()
    const hours = await open()
    for (let i = 0; i < 40; i++) {
      for (let h = 0; h < 24; h++) hours.add(record({ at: clock.now() + h * hour }))
      await clock.advance(day)
    }
    hours.add(record())
    await hours.flush()
    const kept = JSON.parse(disk.content.get('/r/hour-totals.json') ?? '').state.hours
    expect(kept.length).toBeLessThanOrEqual(32 * 24 + 1)
    const { buckets, total } = hours.activity(720)
    expect(buckets).toHaveLength(30)
    // all thirty days are still whole, whatever was let go
    expect(buckets.slice(0, -1).map((b) => b.byPerson)).toEqual(Array.from({ length: 29 }, () => 24))
    expect(total.byPerson).toBe(buckets.reduce((sum, b) => sum + b.byPerson, 0))
  })

  it('goes on without a file that can be read or written', async () => {
    const { disk, files, clock, open, record } = bench()
    disk.content.set('/r/hour-totals.json', '{"version":7,"state":{}}')
    const hours = await open()
    hours.add(record())
    await clock.advance(15_000)
    expect(hours.activity(24).total.byPerson).toBe(1)
    expect(disk.content.get('/r/hour-totals.json')).toBe('{"version":7,"state":{}}')
    disk.content.delete('/r/hour-totals.json')
    const other = await open()
    files.fail('ENOSPC', 'writeAtomic')
    other.add(record())
    await clock.advance(15_000)
    expect(other.activity(24).total.byPerson).toBe(1)
  })
})

describe('buckets', () => {
  afterEach(() => {
    vi.unstubAllEnvs()
  })
  const at = (range: 24 | 168 | 720, now: Date) => rangesOf(range, now.getTime())

  it.each([
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'Asia/Kolkata',
    'Asia/Kathmandu',
    'Australia/Lord_Howe',
    'Asia/Shanghai',
  ])('follow each other without a gap and hold now, in %s', (zone) => {
    vi.stubEnv('TZ', zone)
    fc.assert(
      fc.property(
        fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 0, 1) }),
        fc.constantFrom(24 as const, 168 as const, 720 as const),
        (now, range) => {
          const buckets = rangesOf(range, now)
          for (const [i, bucket] of buckets.entries()) {
            expect(bucket.ms).toBeGreaterThan(0)
            if (i > 0) expect(bucket.at).toBe((buckets[i - 1]?.at ?? 0) + (buckets[i - 1]?.ms ?? 0))
          }
          const last = buckets.at(-1) ?? { at: 0, ms: 0 }
          expect(now).toBeGreaterThanOrEqual(last.at)
          expect(now).toBeLessThan(last.at + last.ms)
          // what an hour's sums stand under lies in the bucket that the moment itself lies in
          const begin = hourOf(now)
          expect(begin).toBeGreaterThanOrEqual(last.at)
        },
      ),
      runs(300),
    )
  })

  it('are quarters of the local day and local days, also where the clock is changed', () => {
    vi.stubEnv('TZ', 'Europe/Berlin')
    const now = new Date(2026, 9, 26, 14, 5)
    expect(at(168, now)).toHaveLength(28)
    expect(new Date(at(168, now).at(-1)?.at ?? 0).getHours()).toBe(12)
    expect(at(720, now)).toHaveLength(30)
    for (const bucket of at(720, now)) expect(new Date(bucket.at).getHours()).toBe(0)
    // 25 October 2026 has 25 hours in Berlin
    expect(at(720, now).at(-2)).toEqual({ at: new Date(2026, 9, 25).getTime(), ms: 25 * hour })
    expect(at(24, now).at(-1)?.at).toBe(new Date(2026, 9, 26, 14).getTime())
  })
})

describe('times to the first byte', () => {
  it('come out within 5 %, however they are spread over hours', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.integer({ min: 1, max: 600_000 }), { maxLength: 60 }), { minLength: 1, maxLength: 8 }),
        (hours) => {
          const all: TtfbCounts = new Map()
          for (const values of hours) {
            const counts: TtfbCounts = new Map()
            for (const value of values) count(counts, value)
            merge(all, counts)
          }
          const sorted = hours.flat().sort((a, b) => a - b)
          const found = ttfbOf(all)
          if (sorted.length === 0) return void expect(found).toBeNull()
          for (const [share, value] of [
            [0.5, found?.median],
            [0.95, found?.p95],
          ] as const) {
            const truth = sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN
            expect(Math.abs((value ?? Number.NaN) - truth) / truth).toBeLessThan(0.05)
          }
        },
      ),
      runs(100),
    )
  })

  it('of less than a millisecond are nothing, and of days an hour', () => {
    const counts: TtfbCounts = new Map()
    count(counts, 0)
    expect(ttfbOf(counts)).toEqual({ median: 0, p95: 0 })
    for (let i = 0; i < 9; i++) count(counts, 5 * day)
    expect((ttfbOf(counts)?.p95 ?? 0) / hour).toBeCloseTo(1, 1)
  })
})
