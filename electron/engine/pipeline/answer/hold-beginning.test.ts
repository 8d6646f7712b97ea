import { describe, expect, it } from 'vitest'
import { virtualClock } from '../../base/testing/virtual-clock.ts'
import { watchSilence } from './hold-beginning.ts'

function watched(limits: { silentMs?: number; evenAlone?: boolean; wordlessMs?: number }, others = false) {
  const clock = virtualClock()
  const told: string[] = []
  let sending = false
  const silence = { silentMs: 0, evenAlone: false, wordlessMs: 0, ...limits }
  const watch = watchSilence(
    { clock, silence, mayAskAnother: () => others },
    {
      isSending: () => sending,
      onLate: ({ code, message }) => told.push(`${code}: ${message}`),
      onAlone: () => told.push('alone'),
    },
  )
  return {
    clock,
    told,
    watch,
    sends(is: boolean) {
      sending = is
    },
  }
}

describe('an answer in which nothing was said', () => {
  it('is given up when no byte comes and somebody else is there', async () => {
    const { clock, told, watch } = watched({ silentMs: 60_000 }, true)
    await clock.advance(50_000)
    watch.touch()
    await clock.advance(59_999)
    expect(told).toEqual([])
    await clock.advance(1)
    expect(told).toEqual(['upstream-silent: The provider sent nothing for 60 s, and had said nothing before.'])
    expect(clock.pending()).toBe(0)
  })

  it('is waited for alone, unless its model is known to be quicker', async () => {
    const alone = watched({ silentMs: 60_000 })
    await alone.clock.advance(1_000_000)
    expect(alone.told).toEqual(['alone'])
    expect(alone.watch.mayEnd()).toBe(false)
    const known = watched({ silentMs: 60_000, evenAlone: true })
    await known.clock.advance(60_000)
    expect(known.told).toHaveLength(1)
    expect(known.told[0]).toContain('upstream-silent')
  })

  it('is not silent while its request is on its way up', async () => {
    const { clock, told, sends } = watched({ silentMs: 60_000 }, true)
    sends(true)
    await clock.advance(600_000)
    expect(told).toEqual([])
    sends(false)
    await clock.advance(60_000)
    expect(told).toHaveLength(1)
  })

  it('may show that it lives for ten minutes, counted from the first byte', async () => {
    const { clock, told, watch } = watched({ wordlessMs: 600_000 })
    await clock.advance(900_000)
    for (let i = 0; i < 60; i++) {
      watch.touch()
      expect(told).toEqual([])
      await clock.advance(10_000)
    }
    await clock.advance(300_000)
    expect(told).toEqual(['upstream-silent: The provider sent signs of life for 10 min, and said nothing.'])
  })

  it('is let go when something was said, and has no timer where nothing limits it', async () => {
    const { clock, told, watch } = watched({ silentMs: 60_000, wordlessMs: 600_000 }, true)
    expect(clock.pending()).toBe(1)
    watch.dispose()
    await clock.advance(1_000_000)
    expect(told).toEqual([])
    expect(watched({}).clock.pending()).toBe(0)
  })
})
