import { describe, expect, it } from 'vitest'
import type { TurnRecord } from '../../../shared/state.ts'
import { gate } from '../base/work.ts'
import { silentLog } from '../base/log.ts'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { createStore } from '../store/create-store.ts'
import { faultyFiles } from '../store/testing/faulty-files.ts'
import { memoryFiles } from '../store/testing/memory-files.ts'
import { sum } from './cost-totals.ts'
import { createTurnRecords } from './turn-records.ts'

function bench() {
  const disk = memoryFiles()
  const files = faultyFiles(disk)
  const clock = virtualClock(new Date(2026, 10, 21, 23, 59).getTime())
  const open = (limit?: number, readFrom?: Promise<void>) =>
    createTurnRecords({
      ...(readFrom ? { readFrom } : {}),
      files,
      clock,
      log: silentLog,
      root: '/r',
      ...(limit ? { limit } : {}),
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
    ttfbMs: 1,
    durationMs: 2,
    bytesIn: 1,
    bytesOut: 1,
    error: null,
    ...more,
  })
  return { disk, files, clock, open, record }
}

describe('turn records', () => {
  it('are listed newest first, told, and there again after a restart', async () => {
    const { open, record } = bench()
    const first = await open()
    const told: string[] = []
    first.onRecord(({ requestId }) => told.push(requestId))
    for (const requestId of ['a', 'b', 'c']) first.add(record({ requestId }))
    expect(told).toEqual(['a', 'b', 'c'])
    expect(first.list(2).map(({ requestId }) => requestId)).toEqual(['c', 'b'])
    expect([first.recent('a')?.requestId, first.recent('nobody')]).toEqual(['a', null])
    await first.flush()
    const second = await open(2)
    await second.loaded
    expect(second.list(5).map(({ requestId }) => requestId)).toEqual(['c', 'b'])
  })

  it('of earlier runs are read when it is time, and none of this run twice', async () => {
    const { clock, open, record } = bench()
    const first = await open()
    for (const requestId of ['a', 'b']) first.add(record({ requestId }))
    await first.flush()
    const time = gate()
    const second = await open(10, time.opened)
    second.add(record({ requestId: 'c' }))
    await clock.advance(1000)
    expect(second.list(5).map(({ requestId }) => requestId)).toEqual(['c'])
    time.open()
    await second.loaded
    expect(second.list(5).map(({ requestId }) => requestId)).toEqual(['c', 'b', 'a'])
  })

  it('sum up a day: main turns, tokens and cost of every request', async () => {
    const { clock, open, record } = bench()
    const records = await open()
    expect(records.today()).toEqual({ turns: 0, tokens: 0, costUsd: null })
    records.add(record())
    records.add(record({ kind: 'title', costUsd: 0.25 }))
    records.add(record({ usage: null, costUsd: 0.5 }))
    expect(records.today()).toEqual({ turns: 2, tokens: 26, costUsd: 0.75, unpricedTokens: 13 })
    await records.flush()
    const later = await bench1(open)
    expect(later).toEqual({ turns: 2, tokens: 26, costUsd: 0.75, unpricedTokens: 13 })
    await clock.advance(2 * 60_000)
    expect(records.today()).toEqual({ turns: 0, tokens: 0, costUsd: null })
    records.add(record())
    expect(records.today().turns).toBe(1)
  })

  it('write the sums by themselves, a little later', async () => {
    const { disk, clock, open, record } = bench()
    const records = await open()
    records.add(record())
    records.add(record())
    expect(disk.content.has('/r/day-totals.json')).toBe(false)
    await clock.advance(5000)
    expect(JSON.parse(disk.content.get('/r/day-totals.json') ?? '').state.days['2026-11-21'].turns).toBe(2)
    // those of the hour follow
    await clock.advance(10_000)
    expect(disk.content.has('/r/hour-totals.json')).toBe(true)
    expect(clock.pending()).toBe(0)
  })

  it('go on without sums that can not be read or written', async () => {
    const { disk, files, clock, open, record } = bench()
    disk.content.set('/r/day-totals.json', '{"version":7,"state":{}}')
    const records = await open()
    records.add(record())
    await clock.advance(5000)
    expect(records.today().turns).toBe(1)
    expect(disk.content.get('/r/day-totals.json')).toBe('{"version":7,"state":{}}')
    disk.content.delete('/r/day-totals.json')
    const other = await open()
    files.fail('ENOSPC', 'writeAtomic')
    other.add(record())
    await clock.advance(15_000)
    expect(other.today().turns).toBe(1)
    await other.flush()
  })
})

describe('sums per hour', () => {
  it('begin with what is recorded where there are none yet, and only then', async () => {
    const { disk, clock, open, record } = bench()
    const first = await open()
    for (const by of ['onward', 'person', 'person'] as const) first.add(record({ by }))
    await first.flush()
    disk.content.delete('/r/hour-totals.json')
    for (let i = 0; i < 2; i++) {
      const again = await open()
      await again.loaded
      expect(again.activity(24).total).toMatchObject({ continued: 1, byPerson: 2, input: 30 })
      again.dispose()
      if (i === 0) await again.flush()
    }
    const later = await open()
    await later.loaded
    later.add(record())
    expect(later.activity(24).buckets.at(-1)?.byPerson).toBe(3)
    await clock.advance(40 * 60_000)
    expect(later.activity(24).buckets.at(-1)?.byPerson).toBe(0)
    expect(later.activity(168).total.byPerson).toBe(3)
  })
})

describe('one record', () => {
  it('is found by its request, in memory or in the files', async () => {
    const { open, record } = bench()
    const records = await open(2)
    for (const requestId of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])
      records.add(record({ requestId, durationMs: requestId.charCodeAt(0) }))
    expect((await records.find('h'))?.durationMs).toBe(104)
    expect(await records.find('z')).toBeNull()
    await records.flush()
    const later = await open(2)
    await later.loaded
    expect(later.list(10).map(({ requestId }) => requestId)).toEqual(['h', 'g'])
    expect((await later.find('a'))?.durationMs).toBe(97)
    // looking back does not disturb what is written next
    later.add(record({ requestId: 'i' }))
    await later.flush()
    expect((await later.find('a'))?.durationMs).toBe(97)
    later.add(record({ requestId: 'j' }))
    await later.flush()
    const last = await open()
    await last.loaded
    expect(
      last
        .list(20)
        .map(({ requestId }) => requestId)
        .join(''),
    ).toBe('jihgfedcba')
  })
})

const bench1 = async (open: ReturnType<typeof bench>['open']) => (await open()).today()

describe('sum', () => {
  it('adds no cost where none is known, and keeps what is', () => {
    const none = { turns: 0, tokens: 0, costUsd: null }
    expect(sum(none, { kind: 'turn', usage: null, costUsd: null })).toEqual({ turns: 1, tokens: 0, costUsd: null })
    expect(sum({ ...none, costUsd: 1 }, { kind: 'probe', usage: null, costUsd: null })).toEqual({
      turns: 0,
      tokens: 0,
      costUsd: 1,
    })
  })
})
