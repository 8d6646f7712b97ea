import { describe, expect, it } from 'vitest'
import type { TerminalReading } from '../../types.ts'
import { createIdleSign } from './idle-sign.ts'
import { settle } from '../testing/bench.ts'
import { eachBench } from '../testing/each-bench.ts'

const b = eachBench()
const { add, states } = b
const busy: TerminalReading = { kind: 'hold', reason: { code: 'agent-busy' } }
const ready: TerminalReading = { kind: 'ready', bracketedPaste: true }
const typed = () => b.bench.target().typed.map((order) => order.text)
const show = (reading: TerminalReading) => {
  b.bench.target().reading = reading
}

describe('an agent that shows that it came to rest', () => {
  it('was at work after its response and is idle now: its settle time is over', async () => {
    show(busy)
    await add('go on')
    await b.bench.clock.advance(150)
    show(ready)
    await b.bench.clock.advance(b.bench.settings.screenPauseMs)
    expect(typed()).toEqual(['go on'])
  })

  it('is at rest a moment after its response as a rule: the text waits for no longer pause', async () => {
    show(busy)
    await add('go on')
    await settle(b.bench.clock)
    show(ready)
    await b.bench.clock.advance(b.bench.settings.restPauseMs - 1)
    expect(typed()).toEqual([])
    await b.bench.clock.advance(1)
    expect(typed()).toEqual(['go on'])
  })

  it('was idle from the start: that may be a screen that is late, and the settle time passes', async () => {
    show(ready)
    await add('go on')
    await b.bench.clock.advance(b.bench.settings.settleMs - 1)
    expect(typed()).toEqual([])
    await b.bench.clock.advance(1)
    expect(typed()).toEqual(['go on'])
  })

  it('tells it by its hook: an idle screen is believed at once, and no busy one', async () => {
    show(busy)
    b.outbox.atRest()
    await add('go on')
    await settle(b.bench.clock)
    expect(typed()).toEqual([])
    show(ready)
    await b.bench.clock.advance(b.bench.settings.restPauseMs)
    expect(typed()).toEqual(['go on'])
  })

  it('told it of the turn before, or while a request runs: that says nothing of this one', async () => {
    b.outbox.atRest()
    await b.turn('hello again')
    const request = await b.begin('and more')
    b.outbox.atRest()
    b.outbox.requestEnded(request)
    await add('go on')
    await b.bench.clock.advance(b.bench.settings.settleMs - 1)
    expect(typed()).toEqual([])
  })

  it('was seen at work while it answered a text of ours: its rest is believed at once', async () => {
    await add('go on')
    await b.bench.clock.advance(b.bench.settings.settleMs)
    show(busy)
    const answer = await b.begin('go on')
    await settle(b.bench.clock)
    show(ready)
    await add('and on')
    b.outbox.requestEnded(answer)
    await settle(b.bench.clock)
    expect(typed()).toEqual(['go on', 'and on'])
  })

  it('is not looked at without end where its screen never says that it works', async () => {
    await add('go on')
    await b.bench.clock.advance(b.bench.settings.settleMs)
    const before = b.bench.target().reads
    show({ kind: 'hold', reason: { code: 'screen-unknown' } })
    await b.begin('go on')
    await b.bench.clock.advance(3_600_000)
    expect(b.bench.target().reads - before).toBeLessThanOrEqual(7)
  })

  it('was at work before another turn: that says nothing of this one', async () => {
    show(busy)
    await add('go on')
    await settle(b.bench.clock)
    show(ready)
    await b.turn('a request of its own')
    await b.bench.clock.advance(b.bench.settings.settleMs - 1)
    expect(typed()).toEqual([])
  })

  it('begins again before anything was typed: its next response is waited for', async () => {
    show(busy)
    await add('go on')
    await settle(b.bench.clock)
    const next = await b.begin('a step of its own')
    show(ready)
    await b.bench.clock.advance(3_000)
    expect(typed()).toEqual([])
    b.outbox.requestEnded(next)
    await b.bench.clock.advance(b.bench.settings.settleMs)
    expect(typed()).toEqual(['go on'])
  })

  it('is looked at often while it is about to, and seldom once that takes long', async () => {
    show(busy)
    await add('go on')
    await b.bench.clock.advance(b.bench.settings.restMs)
    const often = b.bench.target().reads
    await b.bench.clock.advance(10 * b.bench.settings.checkAgainMs)
    expect(often).toBeGreaterThan(20)
    expect(b.bench.target().reads - often).toBeLessThanOrEqual(12)
    show(ready)
    await b.bench.clock.advance(b.bench.settings.checkAgainMs)
    expect(states()).toEqual(['submitted'])
  })

  it('that does not answer holds the text no longer than the settle time', async () => {
    const { read } = b.bench.target()
    b.bench.target().read = () => new Promise(() => {})
    await add('go on')
    await b.bench.clock.advance(b.bench.settings.settleMs - 1)
    b.bench.target().read = read
    await b.bench.clock.advance(1)
    expect(typed()).toEqual(['go on'])
  })
})

describe('the sign of rest', () => {
  it('is gone when the agent goes on by itself, and stays through the tools of a turn', () => {
    const sign = createIdleSign()
    sign.saw(busy, 1)
    sign.requestBegan()
    sign.saw(ready, 0)
    expect(sign.given()).toBe(true)
    sign.requestBegan()
    expect(sign.given()).toBe(false)
    sign.saw(ready, 0)
    expect(sign.given()).toBe(false)
  })

  it('is not taken from an idle screen while a request runs', () => {
    const sign = createIdleSign()
    sign.saw(busy, 1)
    sign.saw(ready, 1)
    expect(sign.given()).toBe(false)
  })
})
