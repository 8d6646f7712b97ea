import { describe, expect, it } from 'vitest'
import { T } from '../../terminals/outbox/testing/bench.ts'
import { eachWorld } from './testing/each-world.ts'

const w = eachWorld()
const { arm, outbox, states, status, typed, view } = w

describe('a receipt that does not come', () => {
  const lose = async () => {
    await arm()
    await w.world.turn('do it')
    await w.world.settled()
    await w.world.clock.advance(w.world.settings.receiptMs)
  }
  it('pauses the session, text kept, told once', async () => {
    await lose()
    expect(view()).toMatchObject({
      text: 'go on',
      used: 1,
      status: { kind: 'paused', reason: { code: 'not-received' } },
    })
    expect((await outbox()).paused()).toEqual({ code: 'not-received' })
    expect(w.world.notices).toEqual([{ class: 'injection-failed', reason: { code: 'not-received' } }])
  })
  it('resumed, the next round goes out', async () => {
    await lose()
    await w.world.stop.resume(T)
    await w.world.settled()
    expect(view()).toMatchObject({ used: 2, status: { kind: 'injecting' } })
    expect(typed()).toHaveLength(2)
  })
  it('comes late: what it was paused for has not happened, and it goes on by itself', async () => {
    await lose()
    await w.world.turn('go on')
    expect((await outbox()).paused()).toBeNull()
    expect(view()).toMatchObject({ used: 1, status: { kind: 'injecting' } })
    await w.world.settled()
    expect(typed()).toHaveLength(2)
  })
  it('after a crash in the middle of typing: asks after a minute, counts only if it was submitted', async () => {
    w.world.target().answer = () => new Promise(() => {})
    await arm()
    await w.world.turn('do it')
    await w.world.settled()
    w.world = await w.world.kill()
    // the composer is empty: Enter may have gone out
    w.world.target().answer = () => ({ kind: 'removed' })
    await w.world.settled()
    await w.world.clock.advance(w.world.settings.sentMs)
    expect(await states()).toEqual(['unknown'])
    expect(status()?.kind).toBe('injecting')
    await w.world.clock.advance(w.world.settings.receiptMs)
    expect(view()).toMatchObject({ used: 0, status: { kind: 'paused', reason: { code: 'not-received' } } })
    await w.world.turn('go on')
    expect(view()).toMatchObject({ used: 1, status: { kind: 'injecting' } })
  })
  it('after a crash, the person going on settles it without a question', async () => {
    w.world.target().answer = (_order, _control, what) =>
      what === 'take-out' ? { kind: 'removed' } : new Promise(() => {})
    await arm()
    await w.world.turn('do it')
    await w.world.settled()
    w.world = await w.world.kill()
    const request = await w.world.begin('I am here')
    await w.world.clock.advance(600_000)
    expect(status()).toEqual({ kind: 'armed' })
    w.world.target().answer = () => ({ kind: 'submitted', extraEnter: false })
    await w.world.end(request)
    await w.world.settled()
    expect(view()?.used).toBe(1)
  })
})
