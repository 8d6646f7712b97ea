import { describe, expect, it } from 'vitest'
import { settle, T } from '../../terminals/outbox/testing/bench.ts'
import { eachWorld } from './testing/each-world.ts'

const w = eachWorld()
const { arm, typed, status, view } = w

describe('started now', () => {
  it('types the first message of a goal that was set while the agent was idle, and counts it', async () => {
    await w.world.turn('do it')
    await arm()
    await w.world.settled()
    expect(typed()).toEqual([])
    await w.world.stop.startNow(T)
    await w.world.settled()
    expect(typed()).toEqual(['go on'])
    await w.world.turn('go on')
    await w.world.settled()
    expect(typed()).toEqual(['go on', 'go on'])
    expect(view()).toMatchObject({ used: 2, max: 3 })
  })

  it('is what a fresh terminal begins with, and the goal belongs to what begins so', async () => {
    await arm({ sessionId: null, max: 2 })
    await w.world.stop.startNow(T)
    await w.world.settled()
    expect(typed()).toEqual(['go on'])
    expect(w.world.stop.view(T).sessionId).toBeNull()
    await w.world.turn('go on')
    expect(w.world.stop.view(T).sessionId).toBe('s1')
    await w.round()
    await w.world.settled()
    expect(typed()).toEqual(['go on', 'go on'])
    expect(status()?.kind).toBe('done')
  })

  it('a goal that was set before anything was said says nothing to a later conversation', async () => {
    await arm({ sessionId: null })
    await w.world.turn('do it')
    await w.world.settled()
    await w.world.turn('go on')
    await w.world.settled()
    expect(typed()).toEqual(['go on', 'go on'])
    await w.world.turn('something new', { sessionId: 's2' })
    await w.world.settled()
    expect(typed()).toEqual(['go on', 'go on'])
  })

  it('leaves it to the end of a turn that runs', async () => {
    const request = await w.world.begin('do it')
    await arm()
    await w.world.stop.startNow(T)
    expect(await w.states()).toEqual([])
    await w.world.end(request)
    await w.world.settled()
    expect(typed()).toEqual(['go on'])
  })

  it('sends the goal’s own words and asks no reviewer before there is anything to see', async () => {
    w.world.goal.says = [{ kind: 'send', text: 'fix it' }]
    await w.world.turn('do it')
    await arm({ review: true })
    await w.world.stop.startNow(T)
    await w.world.settled()
    expect(typed()).toEqual(['go on'])
    expect(w.world.goal.asked).toEqual([])
    await w.world.turn('go on')
    await settle(w.world.clock)
    expect(w.world.goal.asked).toHaveLength(1)
  })

  it('types nothing while it is paused, and says why', async () => {
    await arm()
    await w.world.stop.pause(T)
    await w.world.stop.startNow(T)
    await w.world.settled()
    expect(await w.states()).toEqual([])
    expect(status()?.kind).toBe('paused')
    expect(w.types()).toContain('skipped')
  })

  it('types it once, however often it is asked for', async () => {
    await w.world.turn('do it')
    await arm()
    await Promise.all([w.world.stop.startNow(T), w.world.stop.startNow(T)])
    await w.world.settled()
    await w.world.stop.startNow(T)
    await w.world.settled()
    expect(typed()).toEqual(['go on'])
  })

  it('gives way to what a person says meanwhile', async () => {
    w.world.target().answer = () => ({ kind: 'held', reason: { code: 'typing' } })
    await w.world.turn('do it')
    await arm()
    await w.world.stop.startNow(T)
    await w.world.settled()
    w.world.target().answer = () => ({ kind: 'submitted', extraEnter: false })
    await w.world.begin('do that first')
    expect(await w.states()).toEqual(['superseded'])
    expect(view()).toMatchObject({ used: 0, status: { kind: 'armed' } })
  })

  it('is refused where nothing is armed', async () => {
    await expect(w.world.stop.startNow(T)).rejects.toMatchObject({ code: 'nothing-armed' })
  })
})
