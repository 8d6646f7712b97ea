import { describe, expect, it } from 'vitest'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { watch, type Waiting } from './watch.ts'

function watched() {
  const clock = virtualClock()
  const late: [Waiting, number][] = []
  return {
    clock,
    late,
    patience: watch(clock, (what, ms) => late.push([what, ms])),
  }
}

describe('the patience with an exchange', () => {
  it('waits as long as the last thing it waits for may take, whatever it waited for before', async () => {
    const { clock, late, patience } = watched()
    patience.waitFor('connect', 1_000)
    await clock.advance(900)
    patience.waitFor('first-byte', 5_000)
    await clock.advance(4_900)
    expect(late).toEqual([])
    patience.waitFor('idle', 300)
    await clock.advance(299)
    patience.touch()
    await clock.advance(299)
    expect(late).toEqual([])
    await clock.advance(1)
    expect(late).toEqual([['idle', 300]])
  })
  it('has one timer, which a longer wait does not set anew', async () => {
    const { clock, late, patience } = watched()
    patience.waitFor('connect', 1_000)
    patience.waitFor('first-byte', 5_000)
    patience.waitFor('idle', 3_000)
    expect(clock.pending()).toBe(1)
    await clock.advance(2_999)
    expect(late).toEqual([])
    await clock.advance(1)
    expect(late).toEqual([['idle', 3_000]])
    expect(clock.pending()).toBe(0)
  })
  it('takes another limit in the middle of a wait', async () => {
    const { clock, late, patience } = watched()
    patience.waitFor('idle', 5_000)
    await clock.advance(1_000)
    patience.touch()
    patience.limit(3_000)
    expect(clock.pending()).toBe(1)
    await clock.advance(2_999)
    expect(late).toEqual([])
    await clock.advance(1)
    expect(late).toEqual([['idle', 3_000]])
    patience.waitFor('idle', 5_000)
    patience.limit(9_000)
    await clock.advance(8_999)
    expect(late).toHaveLength(1)
    patience.limit(0)
    await clock.advance(100_000)
    expect(late).toHaveLength(1)
  })
  it('knows the longest wait since it was asked, without the time of a slow reader', async () => {
    const { clock, patience } = watched()
    await clock.advance(1_000)
    patience.waitFor('first-byte', 0)
    expect(patience.longest()).toBe(1_000)
    for (const ms of [200, 700, 300]) {
      await clock.advance(ms)
      patience.touch()
    }
    patience.hold()
    await clock.advance(50_000)
    patience.release()
    await clock.advance(100)
    patience.touch()
    expect(patience.longest()).toBe(700)
    expect(patience.longest()).toBe(0)
    patience.waitFor('idle', 2_000)
    await clock.advance(2_000)
    expect(patience.longest()).toBe(2_000)
  })
  it('waits for ever where nothing limits it', async () => {
    const { clock, late, patience } = watched()
    patience.waitFor('connect', 1_000)
    patience.waitFor('first-byte', 0)
    expect(clock.pending()).toBe(0)
    await clock.advance(100_000)
    expect(late).toEqual([])
  })
})
