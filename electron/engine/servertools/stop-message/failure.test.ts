import { describe, expect, it } from 'vitest'
import { T } from '../../terminals/outbox/testing/bench.ts'
import { eachWorld } from './testing/each-world.ts'
import { openWorld } from './testing/world.ts'

const w = eachWorld()
const { arm, round, status, typed, types, view } = w

describe('failure', () => {
  it('clears, keeps the text for one click, tells once; the client was served long before', async () => {
    w.world.target().answer = () => ({ kind: 'failed', reason: { code: 'dialog-took-text' } })
    await arm()
    await w.world.turn('do it')
    await w.world.settled()
    expect(view()).toMatchObject({
      text: 'go on',
      used: 0,
      max: 3,
      status: { kind: 'failed', reason: { code: 'dialog-took-text' } },
    })
    expect(w.world.notices).toEqual([{ class: 'injection-failed', reason: { code: 'dialog-took-text' } }])
    expect(types()).toContain('stop-message-failed')
    await w.world.turn('never mind')
    await w.world.clock.advance(600_000)
    expect(typed()).toEqual(['go on'])
    expect(w.world.stop.view(T)).toMatchObject({
      stopMessage: null,
      lastStopMessage: { text: 'go on', clearedBy: 'failure' },
    })
  })
  it('of an input line that loses every text pauses the goal and costs no round; going on types again', async () => {
    w.world.target().answer = () => ({ kind: 'removed' })
    await arm()
    await w.world.turn('do it')
    await w.world.clock.advance(60_000)
    expect(typed()).toHaveLength(5)
    expect(view()).toMatchObject({ used: 0, status: { kind: 'paused', reason: { code: 'not-submitted' } } })
    w.world.target().answer = () => ({ kind: 'submitted', extraEnter: false })
    await w.world.stop.resume(T)
    await w.world.clock.advance(10_000)
    expect(view()).toMatchObject({ used: 1, status: { kind: 'injecting' } })
  })
  it('armed again by one click, it goes on where it was', async () => {
    await arm()
    await w.world.turn('do it')
    await round()
    w.world.target().answer = () => ({ kind: 'failed', reason: { code: 'dialog-took-text' } })
    await w.world.settled()
    w.world.target().answer = () => ({ kind: 'submitted', extraEnter: false })
    await w.world.stop.rearm(T)
    await w.world.settled()
    expect(view()).toMatchObject({ used: 2, max: 3 })
    expect(typed()).toHaveLength(3)
  })
  it('of a terminal that is gone is not typed after', async () => {
    w.world.target().reading = { kind: 'gone', reason: { code: 'terminal-gone', why: 'pane closed' } }
    await arm()
    await w.world.turn('do it')
    await w.world.settled()
    expect(status()).toMatchObject({ kind: 'failed', reason: { code: 'terminal-gone' } })
    await w.world.stop.rearm(T)
    await w.world.settled()
    expect(typed()).toEqual([])
    expect(status()).toEqual({ kind: 'armed' })
  })
  it('a terminal found gone when the turn ends: cleared, failed', async () => {
    await arm()
    const request = await w.world.begin('do it')
    w.world.gone.set(T, 'pane closed')
    await w.world.end(request, { clientLeft: true })
    expect(status()).toMatchObject({ kind: 'failed', reason: { code: 'terminal-gone', why: 'pane closed' } })
    expect(w.world.stop.view(T).lastStopMessage).toMatchObject({ clearedBy: 'terminal-gone' })
  })
  it('nothing to arm again is said', async () => {
    await expect(w.world.stop.rearm(T)).rejects.toMatchObject({ code: 'nothing-to-rearm' })
  })
  it('of a text that cannot be typed gives up', async () => {
    w.world = await openWorld({ safeText: () => '' })
    await arm()
    await w.world.turn('do it')
    expect(status()).toMatchObject({ kind: 'failed', reason: { code: 'typing-failed' } })
  })
})
