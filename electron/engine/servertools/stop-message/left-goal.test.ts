import { describe, expect, it } from 'vitest'
import { T } from '../../terminals/outbox/testing/bench.ts'
import { eachWorld } from './testing/each-world.ts'
import { leftGoalIn } from './view.ts'

const w = eachWorld()
const { arm, typed, view, states } = w
const left = (conversation: string) => leftGoalIn(conversation, w.world.stop.view(T))
const carryOn = (conversation: string | null = 's2') => w.world.stop.carryOn(T, conversation)
const asked = () => w.world.notices.filter((n) => n.class === 'needs-you')
/** conversations that followups were for, in the order they were typed */
const into = async () => {
  const entries = (await w.outbox()).list()
  return w.world.target().typed.map(({ entryId }) => entries.find(({ id }) => id === entryId)?.sessionId)
}
/** A goal is armed in s1 and one round of it done; then the person says something in s2. */
const leave = async () => {
  await arm({ max: 5 })
  await w.world.turn('do it')
  await w.world.settled()
  await w.world.turn('go on')
  await w.world.turn('something else', { sessionId: 's2' })
  await w.world.settled()
}

describe('a goal whose terminal has another conversation', () => {
  it('is asked about where the agent stopped, and nothing is typed', async () => {
    await leave()
    expect(typed()).toEqual(['go on'])
    expect(left('s2')).toEqual({ sessionId: 's1', text: 'go on', used: 1, max: 5 })
    expect(left('s1')).toBeNull()
    expect(asked()).toEqual([{ class: 'needs-you', what: '', leftGoal: 'go on' }])
    expect(view()).toMatchObject({ used: 1, status: { kind: 'armed' } })
  })

  it('is asked about once in each conversation', async () => {
    await leave()
    await w.world.turn('more', { sessionId: 's2' })
    expect(asked()).toHaveLength(1)
    await w.world.turn('again something else', { sessionId: 's3' })
    expect(asked()).toHaveLength(2)
    await w.world.turn('back', { sessionId: 's2' })
    expect(asked()).toHaveLength(2)
    expect(left('s2')).not.toBeNull()
  })

  it('is not asked about before the agent has stopped there', async () => {
    await arm()
    await w.world.turn('do it')
    await w.world.turn('something else', { sessionId: 's2', finish: 'tool-calls' })
    expect(left('s2')).toBeNull()
    expect(asked()).toEqual([])
  })

  it('is not asked about while it is paused, and is when it goes on', async () => {
    await arm()
    await w.world.turn('do it')
    await w.world.stop.pause(T)
    await w.world.turn('something else', { sessionId: 's2' })
    expect(asked()).toEqual([])
    await w.world.stop.resume(T)
    await w.world.settled()
    expect(asked()).toHaveLength(1)
    expect(left('s2')).not.toBeNull()
  })

  it('goes on in its own conversation when that is back', async () => {
    await leave()
    await w.world.turn('now the parts again')
    expect(left('s1')).toBeNull()
    await w.world.settled()
    expect(typed()).toEqual(['go on', 'go on'])
    expect(await into()).toEqual(['s1', 's1'])
  })

  it('is asked about after a restart as before it, without another notification', async () => {
    await leave()
    w.world = await w.world.kill()
    expect(left('s2')).not.toBeNull()
    await w.world.turn('more', { sessionId: 's2' })
    expect(asked()).toEqual([])
  })

  it('is not paused because another conversation took its time', async () => {
    await arm({ max: null })
    await w.world.turn('do it')
    await w.world.settled()
    await w.world.turn('go on', { finish: 'length' })
    await w.world.clock.advance(9 * 3_600_000)
    await w.world.turn('something else', { sessionId: 's2' })
    expect(view()?.status.kind).toBe('armed')
    expect(left('s2')).not.toBeNull()
  })

  it('gives way to what is set in the new one', async () => {
    await leave()
    await arm({ sessionId: 's2', text: 'the new goal' })
    expect(left('s2')).toBeNull()
    expect(view()).toMatchObject({ text: 'the new goal', used: 0 })
  })

  it('ends with a clear, which can be taken back', async () => {
    await leave()
    await w.world.stop.clear(T, 'user')
    expect(left('s2')).toBeNull()
    await w.world.stop.rearm(T)
    expect(left('s2')).toMatchObject({ text: 'go on' })
    w.world = await w.world.kill()
    expect(left('s2')).toMatchObject({ text: 'go on' })
  })
})

describe('carried on', () => {
  it('it is typed into the new conversation at once, and goes on there', async () => {
    await leave()
    await carryOn()
    expect(w.world.stop.view(T).sessionId).toBe('s2')
    expect(left('s2')).toBeNull()
    await w.world.settled()
    expect(typed()).toEqual(['go on', 'go on'])
    await w.world.turn('go on', { sessionId: 's2' })
    await w.world.settled()
    expect(await into()).toEqual(['s1', 's2', 's2'])
    expect(view()).toMatchObject({ used: 3, max: 5 })
    expect(w.types()).toContain('goal-carried-on')
  })

  it('it says nothing to its first conversation any more, which asks in turn', async () => {
    await leave()
    await carryOn()
    await w.world.settled()
    await w.world.turn('go on', { sessionId: 's2', finish: 'length' })
    await w.world.turn('back again')
    await w.world.settled()
    expect(await into()).toEqual(['s1', 's2'])
    expect(left('s1')).toMatchObject({ sessionId: 's2', used: 2 })
  })

  it('it outlives a restart', async () => {
    await leave()
    await carryOn()
    w.world = await w.world.kill()
    await w.world.settled()
    await w.world.turn('go on', { sessionId: 's2' })
    await w.world.settled()
    expect(await into()).toEqual(['s1', 's2', 's2'])
    expect(view()).toMatchObject({ used: 3 })
  })

  it('it is typed once, however often it is asked for', async () => {
    await leave()
    const results = await Promise.allSettled([carryOn(), carryOn()])
    expect(results.map((r) => r.status)).toEqual(['fulfilled', 'rejected'])
    await w.world.settled()
    expect(typed()).toEqual(['go on', 'go on'])
  })

  it.each([
    ['its own conversation', 's1'],
    ['one that the terminal does not show', 's3'],
    ['none', null],
  ])('it is refused in %s', async (_, conversation) => {
    await leave()
    await expect(carryOn(conversation)).rejects.toMatchObject({ code: 'no-left-goal' })
    expect(w.world.stop.view(T).sessionId).toBe('s1')
  })

  it('it is refused where nothing is set', async () => {
    await w.world.turn('hello', { sessionId: 's2' })
    await expect(carryOn()).rejects.toMatchObject({ code: 'no-left-goal' })
  })

  it('a turn that runs comes to its end first', async () => {
    await leave()
    const request = await w.world.begin('and this', { sessionId: 's2' })
    await carryOn()
    await w.world.settled()
    expect(typed()).toEqual(['go on'])
    await w.world.end(request, { sessionId: 's2' })
    await w.world.settled()
    expect(await into()).toEqual(['s1', 's2'])
  })

  it('so does a request beside the turns', async () => {
    await leave()
    const title = { sessionId: 's2', kind: 'title', hasNewMainTurn: false } as const
    const request = await w.world.begin('name it', title)
    await carryOn()
    await w.world.settled()
    expect(typed()).toEqual(['go on'])
    await w.world.end(request, title)
    await w.world.settled()
    expect(await into()).toEqual(['s1', 's2'])
  })

  it('a followup whose receipt never came is no round of it twice, and is waited for', async () => {
    await arm({ max: 5 })
    await w.world.turn('do it')
    await w.world.settled()
    await w.world.turn('something else', { sessionId: 's2' })
    expect(await states()).toEqual(['submitted'])
    await carryOn()
    await w.world.settled()
    expect(typed()).toEqual(['go on'])
    await w.world.clock.advance(w.world.settings.receiptMs)
    await w.world.settled()
    expect(await into()).toEqual(['s1', 's2'])
    expect(view()).toMatchObject({ used: 2 })
  })

  it('a pause that a person chose outlives it', async () => {
    await leave()
    await w.world.stop.pause(T)
    await carryOn()
    await w.world.settled()
    expect(typed()).toEqual(['go on'])
    await w.world.stop.resume(T)
    await w.world.settled()
    expect(await into()).toEqual(['s1', 's2'])
  })

  it('its guards count from then on, and only what the new conversation uses', async () => {
    w.world.goal.totals = { tokens: 900, costUsd: null }
    w.world.budgets = { ...w.world.budgets, tokens: 500 }
    await leave()
    w.world.goal.totals = { tokens: 100, costUsd: null }
    await carryOn()
    expect(view()?.goal).toMatchObject({ from: { used: 1 }, spent: { tokens: 0 } })
  })
})
