import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Quota } from '../../../shared/routing.ts'
import { runs } from '../../../shared/testing/runs.ts'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { createBench, T, type Bench, type BenchOptions } from '../terminals/outbox/testing/bench.ts'
import { createDisk, memoryStore } from '../terminals/outbox/testing/memory-store.ts'
import type { Outbox } from '../terminals/outbox/outbox.ts'
import { createPauseAtLimit, type PauseAtLimit } from './pause-at-limit.ts'

const hour = 3_600_000
const margin = 5_000

let bench: Bench
let pause: PauseAtLimit
let outbox: Outbox
let pauseAt: number
let opened: boolean[]

async function open(options: BenchOptions = {}) {
  const made = createBench({ ...options, nearLimit: (session) => pause.of(session) })
  bench = made
  opened = []
  pause = createPauseAtLimit({
    store: made.store,
    clock: made.clock,
    record: made.deps.record,
    pauseAt: () => pauseAt,
    onOpen: (session) => opened.push(pause.isOpen(session)),
  })
  await pause.load()
  await made.start()
  outbox = await made.outboxes.of(T)
}
const close = () => {
  pause.dispose()
  bench.outboxes.dispose()
}
const restart = () => {
  const left = bench.kill()
  pause.dispose()
  return open(left)
}
/** a main turn whose answer reports these windows */
async function turn(text: string, ...windows: Quota[]) {
  const requestId = await bench.begin(text)
  pause.answered('s1', 'plan', () => windows)
  outbox.requestEnded(requestId)
}
const used = (usedPercent: number, ms: number, window = '5h'): Quota => ({
  window,
  usedPercent,
  resetsAt: bench.clock.now() + ms,
})
const add = (text: string, source: 'stopMessage' | 'recover' | 'user' | 'clock') =>
  outbox.add({ sessionId: 's1', text, source, round: null })
const typed = () => bench.target().typed.map(({ text }) => text)
const after = (ms: number) => bench.clock.advance(ms)

beforeEach(async () => {
  pauseAt = 90
  await open()
})
afterEach(close)

describe('a session whose turn came near its provider’s limit', () => {
  it.each(['stopMessage', 'recover'] as const)('goes on once, after the reset (%s)', async (source) => {
    await turn('hello', used(92, 2 * hour), used(40, 80 * hour, '7d'))
    await add('go on', source)
    await after(hour)
    const until = bench.clock.now() + hour + margin
    expect(outbox.list()[0]?.hold).toEqual({
      code: 'near-limit',
      provider: 'plan',
      window: '5h',
      usedPercent: 92,
      at: until - margin - 2 * hour,
      until,
    })
    await after(hour + margin - 1)
    expect(typed()).toEqual([])
    await after(1_000)
    expect(typed()).toEqual(['go on'])
    await turn('go on', used(3, 5 * hour))
    await after(24 * hour)
    expect(typed()).toEqual(['go on'])
    expect(bench.events.filter(({ type }) => type === 'held')).toHaveLength(1)
  })

  it('does not keep back what its person and its alarms say', async () => {
    await turn('hello', used(95, hour))
    await add('go on', 'stopMessage')
    await add('ring', 'clock')
    await after(bench.settings.settleMs)
    expect(typed()).toEqual(['ring'])
    await turn('ring', used(95, hour))
    await add('my words', 'user')
    await after(bench.settings.settleMs)
    expect(typed()).toEqual(['ring', 'my words'])
  })

  it('is sent on by its person', async () => {
    await turn('hello', used(95, hour))
    const { id } = await add('go on', 'stopMessage')
    await after(bench.settings.settleMs)
    await outbox.sendNow(id)
    await after(0)
    expect(typed()).toEqual(['go on'])
  })

  it('is left to its agent, where that goes on by itself at the reset', async () => {
    await turn('hello', used(95, hour))
    await add('go on', 'stopMessage')
    await after(hour)
    await turn('Your claude.ai usage limit has reset. Continue the task', used(1, 5 * hour))
    await after(hour)
    expect([typed(), outbox.list().map(({ state }) => state)]).toEqual([[], ['superseded']])
  })

  it('waits for the window that comes back last', async () => {
    await turn('hello', used(91, hour), used(99, 3 * hour, '7d'), used(89, 9 * hour, 'x'))
    expect(pause.of('s1')).toMatchObject({ window: '7d', until: bench.clock.now() + 3 * hour + margin })
    expect(pause.of('s2')).toBeNull()
  })

  it('goes on where another key answers, or where the config says so', async () => {
    await turn('hello', used(95, hour))
    await turn('hello', used(10, hour))
    expect(pause.of('s1')).toBeNull()
    await turn('hello', used(95, hour))
    await add('go on', 'stopMessage')
    await after(bench.settings.settleMs)
    expect(typed()).toEqual([])
    pauseAt = 96
    outbox.check()
    await after(0)
    expect(typed()).toEqual(['go on'])
  })

  it('is asked for no windows while this is off', async () => {
    pauseAt = 0
    pause.answered('s1', 'plan', () => expect.unreachable())
    expect(bench.disk.writes).toBe(0)
  })

  it('goes on seconds after the one before it, where several wait for one reset, over a restart too', async () => {
    const names = Array.from({ length: 6 }, (_, n) => `s${n}`)
    const typedAt: [string, number][] = []
    const listen = (session: string) => {
      bench.target(`tmux:${session}`).answer = () => {
        typedAt.push([session, bench.clock.now()])
        return { kind: 'submitted', extraEnter: false }
      }
    }
    const reset = bench.clock.now() + hour
    for (const sessionId of names) {
      listen(sessionId)
      const queue = await bench.outboxes.of(`tmux:${sessionId}`)
      await bench.begin('hello', { requestId: sessionId, scope: `tmux:${sessionId}`, sessionId })
      const provider = sessionId === 's5' ? 'other' : 'plan'
      pause.answered(sessionId, provider, () => [{ window: '5h', usedPercent: 93, resetsAt: reset }])
      queue.requestEnded(sessionId)
      await queue.add({ sessionId, text: 'go on', source: 'stopMessage', round: null })
    }
    await after(hour + margin + 4_000)
    expect(typedAt.map(([session]) => session)).toEqual(['s0', 's5', 's1'])
    // An answer of one that goes on drops none of those that wait.
    pause.answered('s0', 'plan', () => [])
    await restart()
    await after(30_000)
    expect(typedAt.map(([session]) => session).toSorted()).toEqual(names)
    const times = typedAt.filter(([session]) => session !== 's5').map(([, at]) => at)
    // The next engine does not know when the one before it let a session go.
    expect(times.slice(1).map((at, n) => at - (times[n] ?? 0) >= 2_000)).toEqual([true, false, true, true])
    expect(times[0]).toBeGreaterThanOrEqual(reset + margin)
  })

  it('keeps an open answer until the reset, and no longer than its client stays', async () => {
    await turn('hello', used(95, hour))
    const left = new AbortController()
    const gone = pause.waitOpen('s1', left.signal)
    let over: boolean | null = null
    void pause.waitOpen('s1', new AbortController().signal).then((may) => (over = may))
    await after(30 * 60_000)
    left.abort()
    expect([await gone, over, pause.isOpen('s1'), pause.isOpen('s2')]).toEqual([false, null, true, false])
    await after(30 * 60_000 + margin)
    expect([over, opened]).toEqual([true, [true, true, true, false]])
  })

  it('waits over a restart, and on a disk that refuses', async () => {
    bench.disk.fate = (path) => (path === 'pause-at-limit.json' ? 'fail' : 'ok')
    await turn('hello', used(95, hour))
    await after(1_000)
    expect(pause.of('s1')).not.toBeNull()
    bench.disk.fate = () => 'ok'
    await after(5_000)
    await add('go on', 'stopMessage')
    await after(1_000)
    await restart()
    await after(30 * 60_000)
    expect([typed(), outbox.list()[0]?.hold?.code]).toEqual([[], 'near-limit'])
    await after(hour)
    expect(typed()).toEqual(['go on'])
  })
})

it('waits where, and as long as, a window is used up so far and has a reset', async () => {
  const window = fc.record({
    window: fc.string(),
    usedPercent: fc.option(fc.integer({ min: 0, max: 100 })),
    resetsAt: fc.option(fc.integer({ min: 1, max: 100 }).map((minutes) => minutes * 60_000)),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(window),
      fc.integer({ min: 0, max: 100 }),
      fc.nat(110),
      async (windows, from, minutes) => {
        const clock = virtualClock()
        const start = clock.now()
        const told = windows.map((one) => ({ ...one, resetsAt: one.resetsAt === null ? null : start + one.resetsAt }))
        const made = createPauseAtLimit({
          store: memoryStore(createDisk()),
          clock,
          record: () => {},
          pauseAt: () => from,
          onOpen: () => {},
        })
        made.answered('s', 'plan', () => told)
        await clock.advance(minutes * 60_000)
        const waits = told.flatMap(({ usedPercent, resetsAt }) =>
          from > 0 && usedPercent !== null && usedPercent >= from && resetsAt !== null ? [resetsAt + margin] : [],
        )
        const last = Math.max(0, ...waits)
        expect(made.of('s')?.until ?? null).toBe(last > clock.now() ? last : null)
        made.dispose()
      },
    ),
    runs(300),
  )
})
