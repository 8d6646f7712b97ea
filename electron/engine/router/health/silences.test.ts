import { describe, expect, it } from 'vitest'
import { silentLog } from '../../base/log.ts'
import { virtualClock } from '../../base/testing/virtual-clock.ts'
import { createStore } from '../../store/create-store.ts'
import { memoryFiles } from '../../store/testing/memory-files.ts'
import { createSilences, openSilences } from './silences.ts'

const noted = (times: number, silentMs: number, idleMs: number | null = silentMs, silences = createSilences()) => {
  for (let i = 0; i < times; i++) silences.note('m', { silentMs, idleMs })
  return silences
}

describe('the silence of a model', () => {
  it('is not known before twenty answers', () => {
    expect(createSilences().of('m')).toBeNull()
    expect(noted(19, 500).of('m')).toEqual({ answers: 19, silentMs: null, idleMs: null })
    expect(noted(20, 500).of('m')).toMatchObject({ answers: 20 })
  })

  it.each([1, 100, 700, 5_000, 45_000, 600_000])(
    'of %d ms at most gives ten times that, a fifth more at most',
    (ms) => {
      const { silentMs, idleMs } = noted(100, ms).of('m') ?? {}
      expect(silentMs).toBeGreaterThanOrEqual(10 * ms)
      expect(silentMs).toBeLessThanOrEqual(12 * Math.max(100, ms))
      expect(idleMs).toBe(silentMs)
    },
  )

  it('is that of 99 answers in a hundred', () => {
    const silences = noted(200, 1_000)
    const usual = silences.of('m')?.idleMs
    noted(2, 60_000, 60_000, silences)
    expect(silences.of('m')?.idleMs).toBe(usual)
    noted(1, 60_000, 60_000, silences)
    expect(silences.of('m')?.idleMs).toBeGreaterThan(500_000)
    // Slow answers of the past are forgotten.
    noted(1_000, 1_000, 1_000, silences)
    expect(silences.of('m')?.idleMs).toBe(usual)
    expect(silences.of('m')?.answers).toBeLessThanOrEqual(400)
  })

  it('before it speaks and after are two things, and models are apart', () => {
    const silences = noted(50, 8_000, 200)
    noted(50, 8_000, null, silences)
    silences.note('other', { silentMs: 1, idleMs: 1 })
    const { silentMs, idleMs } = silences.of('m') ?? {}
    expect(silentMs).toBeGreaterThan(80_000)
    expect(idleMs).toBeLessThan(3_000)
    expect(silences.names()).toEqual(['m', 'other'])
  })

  it('of hundreds of models is remembered, not of more', () => {
    const silences = createSilences()
    for (let i = 0; i < 2_000; i++) silences.note(`m${i}`, { silentMs: 1, idleMs: 1 })
    expect(silences.names()).toHaveLength(500)
    expect(silences.of('m1999')).not.toBeNull()
  })
})

it('keeps what was measured over a crash but for a minute of it, and bears a file it can’t read', async () => {
  const files = memoryFiles()
  const clock = virtualClock()
  const open = () => {
    const store = createStore({ root: '/r', files, clock, log: silentLog, onProblem: () => undefined })
    return openSilences({ store, clock, log: silentLog })
  }
  const first = await open()
  for (let i = 0; i < 500; i++) first.note('one.m', { silentMs: 800, idleMs: i % 2 ? 200 : null })
  const known = first.of('one.m')
  await clock.advance(60_000)
  first.note('one.m', { silentMs: 600_000, idleMs: 600_000 })
  expect((files.content.get('/r/silences.json') ?? '').length).toBeLessThan(300)
  first.dispose()
  const second = await open()
  expect([second.of('one.m'), second.names()]).toEqual([known, ['one.m']])
  second.note('two.m', { silentMs: 1, idleMs: 1 })
  await second.flush()
  expect((await open()).names()).toEqual(['one.m', 'two.m'])
  files.content.set('/r/silences.json', '{"version":7,"state":{}}')
  const third = await open()
  third.note('two.m', { silentMs: 1, idleMs: 1 })
  await third.flush()
  expect([third.names(), files.content.get('/r/silences.json')]).toEqual([['two.m'], '{"version":7,"state":{}}'])
})
