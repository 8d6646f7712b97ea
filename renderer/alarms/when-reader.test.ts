import { describe, expect, it } from 'vitest'
import type { ReadTime } from '../../shared/alarms/alarms.ts'
import type { Outcome } from '../control/outcome.ts'
import { settleMs, whenReader, type WhenRead } from './when-reader.ts'

function scene() {
  const asked: { text: string; answer(outcome: Outcome<ReadTime>): Promise<void> }[] = []
  const timers: { ms: number; run: () => void; gone: boolean }[] = []
  const read: WhenRead[] = []
  const reader = whenReader({
    ask: (text) =>
      new Promise((resolve) => {
        asked.push({
          text,
          async answer(outcome) {
            resolve(outcome)
            await Promise.resolve()
            await Promise.resolve()
          },
        })
      }),
    after(ms, run) {
      const timer = { ms, run, gone: false }
      timers.push(timer)
      return () => {
        timer.gone = true
      }
    },
    onRead: (one) => read.push(one),
  })
  const settle = () => {
    for (const timer of timers.splice(0)) if (!timer.gone) timer.run()
  }
  return { reader, asked, timers, read, settle }
}
const at = (n: number): Outcome<ReadTime> => ({
  ok: true,
  value: { ok: true, at: n, echo: '', zone: 'UTC', there: null },
})

describe('reading a time as it is typed', () => {
  it('asks once typing pauses', async () => {
    const s = scene()
    for (const text of ['i', 'in', 'in 2', 'in 20 min']) s.reader.read(text)
    expect(s.timers.map(({ ms, gone }) => [ms, gone])).toEqual([
      [settleMs, true],
      [settleMs, true],
      [settleMs, true],
      [settleMs, false],
    ])
    s.settle()
    expect(s.asked.map(({ text }) => text)).toEqual(['in 20 min'])
    await s.asked[0]?.answer(at(1))
    expect(s.read).toEqual([{ text: 'in 20 min', result: { ok: true, at: 1, echo: '', zone: 'UTC', there: null } }])
  })

  it('drops answers to older texts, in whatever order they come', async () => {
    const s = scene()
    s.reader.read('in 2 min')
    s.settle()
    s.reader.read('in 20 min')
    s.settle()
    await s.asked[1]?.answer(at(20))
    await s.asked[0]?.answer(at(2))
    expect(s.read.map(({ text }) => text)).toEqual(['in 20 min'])
    s.reader.read('in 200 min')
    s.settle()
    s.reader.read('in 2000 min')
    await s.asked[2]?.answer(at(200))
    expect(s.read.map(({ text }) => text)).toEqual(['in 20 min'])
  })

  it('says at once that nothing is written, and asks nobody', async () => {
    const s = scene()
    s.reader.read('x')
    s.settle()
    s.reader.read('  ')
    s.settle()
    await s.asked[0]?.answer(at(1))
    expect(s.asked).toHaveLength(1)
    expect(s.read).toEqual([{ text: '  ', result: { ok: false, code: 'empty', at: null } }])
  })

  it('tells why nobody could read it, and nothing once it is over', async () => {
    const s = scene()
    s.reader.read('x')
    s.settle()
    await s.asked[0]?.answer({ ok: false, problem: { code: 'offline', message: 'No engine.' } })
    expect(s.read).toEqual([{ text: 'x', result: { ok: false, code: 'failed', message: 'No engine.' } }])
    s.reader.read('y')
    s.settle()
    s.reader.dispose()
    await s.asked[1]?.answer(at(1))
    expect(s.read).toHaveLength(1)
  })
})
