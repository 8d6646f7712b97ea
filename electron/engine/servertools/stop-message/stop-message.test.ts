import { describe, expect, it } from 'vitest'
import { T } from '../../terminals/outbox/testing/bench.ts'
import { oncePerKey } from './stop-message.ts'
import { eachWorld } from './testing/each-world.ts'
import { stopped } from './testing/world.ts'

const w = eachWorld()
const { arm, outbox, round, states, status, typed, types, view } = w

describe('three rounds', () => {
  it('are typed, submitted, confirmed; then it is done, with one notification', async () => {
    const request = await w.world.begin('do it')
    await arm()
    await w.world.end(request)
    expect(status()).toEqual({ kind: 'injecting', entryId: expect.any(String) })
    await round()
    expect(view()).toMatchObject({ used: 1, max: 3, status: { kind: 'injecting' } })
    await round()
    await w.world.settled()
    expect(view()).toMatchObject({ used: 3, status: { kind: 'injecting' } })
    const last = await w.world.begin('go on')
    expect(view()).toMatchObject({
      used: 3,
      max: 3,
      text: 'go on',
      status: { kind: 'done', reason: { code: 'rounds-used', used: 3, max: 3 } },
    })
    await w.world.end(last)
    await w.world.clock.advance(600_000)
    expect(typed()).toEqual(['go on', 'go on', 'go on'])
    expect(w.world.notices).toEqual([{ class: 'goal-reached', reason: { code: 'rounds-used', used: 3, max: 3 } }])
    expect(types().filter((t) => t !== 'skipped')).toEqual([
      'armed',
      ...Array.from({ length: 3 }, () => ['matched', 'queued', 'typed', 'submitted', 'used', 'confirmed'])
        .flat()
        .slice(0, 18),
      'done',
      'cleared',
    ])
    expect(w.world.events.findLast((e) => e.type === 'skipped')).toMatchObject({ reason: { code: 'nothing-armed' } })
    expect(w.world.stop.view(T).lastStopMessage).toMatchObject({ text: 'go on', used: 3, clearedBy: 'rounds-used' })
  })

  it('stay visible as done until the person goes on', async () => {
    await arm({ max: 1 })
    await w.world.turn('do it')
    await round()
    expect(status()?.kind).toBe('done')
    await w.world.turn('thanks, now this')
    expect(view()).toBeNull()
  })

  it('carry the round and count at submitted, not before', async () => {
    w.world.target().reading = { kind: 'hold', reason: { code: 'agent-busy' } }
    await arm()
    await w.world.turn('do it')
    await w.world.settled()
    expect((await outbox()).list()[0]).toMatchObject({ round: 1, source: 'stopMessage', state: 'queued' })
    expect(view()?.used).toBe(0)
    w.world.target().reading = { kind: 'ready', bracketedPaste: true }
    await w.world.clock.advance(100)
    expect(view()).toMatchObject({ used: 1, lastUsedAt: w.world.clock.now() })
  })
})

describe('what is sent', () => {
  it.each([
    ['en', 'Continue with the next step and finish it.'],
    ['zh-CN', '继续执行'],
  ] as const)('without a text: the default of %s, fixed when it is set', async (language, text) => {
    w.world.language = language
    await arm({ text: null })
    w.world.language = 'en'
    await w.world.turn('do it')
    await w.world.settled()
    expect(typed()).toEqual([text])
  })
  it('with review on: the goal itself, until review exists', async () => {
    await arm({ text: 'all tests pass', review: true, max: null })
    await w.world.turn('do it')
    await w.world.settled()
    expect(typed()).toEqual(['all tests pass'])
    expect(view()).toMatchObject({ review: true, max: null, used: 1 })
  })
})

describe('a turn that does not count', () => {
  it.each([
    ['tool calls', { finish: 'tool-calls' as const }, 'not-a-plain-stop'],
    ['a client that left', { clientLeft: true }, 'client-left'],
    ['a compaction', { kind: 'compaction' as const }, 'not-a-turn'],
    ['a goal of its own', { notFinished: 'own-goal' as const }, 'agent-not-finished'],
  ])('%s: nothing is queued, the reason is recorded', async (_, where, code) => {
    await arm()
    await w.world.turn('before', { finish: 'length' })
    await w.world.turn('x', where)
    await w.world.settled()
    expect(typed()).toEqual([])
    expect(w.world.events.findLast((e) => e.type === 'skipped')).toMatchObject({ reason: { code } })
    expect(view()).toMatchObject({ used: 0, status: { kind: 'armed' } })
  })
  it('without a scope, too', async () => {
    await w.world.stop.turnEnded(null, stopped, null)
    expect(w.world.events).toMatchObject([{ type: 'skipped', reason: { code: 'no-scope' }, scope: null }])
  })
  it('without a scope is said once of a session', async () => {
    for (const sessionId of ['s1', 's1', 's2', 's1', null, null])
      await w.world.stop.turnEnded(null, { ...stopped, sessionId }, null)
    expect(w.world.events.map((e) => e.type === 'skipped' && e.reason.code)).toEqual([
      'no-scope',
      'no-scope',
      'no-scope',
      'no-scope',
    ])
    await w.world.stop.turnEnded(null, { ...stopped, sessionId: 's1', kind: 'title' }, null)
    expect(w.world.events.at(-1)).toMatchObject({ reason: { code: 'not-a-turn' } })
  })
  it('of an older conversation', async () => {
    await arm()
    const old = await w.world.begin('long work')
    await w.world.begin('/new', { sessionId: 's2' })
    await w.world.end(old)
    expect(w.world.events.findLast((e) => e.type === 'skipped')).toMatchObject({
      reason: { code: 'other-conversation' },
    })
  })
})

describe('set and clear in the middle', () => {
  it('a clear takes the waiting followup with it', async () => {
    w.world.target().reading = { kind: 'hold', reason: { code: 'draft' } }
    await arm()
    await w.world.turn('do it')
    await w.world.stop.clear(T, 'marker')
    expect(await states()).toEqual(['superseded'])
    expect(view()).toBeNull()
    expect(w.world.stop.view(T).lastStopMessage).toMatchObject({ text: 'go on', used: 0, clearedBy: 'marker' })
  })
  it('a clear in the middle of typing: no Enter', async () => {
    w.world.target().answer = (_, { stop }) =>
      new Promise((resolve) => {
        stop.addEventListener('abort', () => resolve({ kind: 'enter-owed', reason: { code: 'paused', by: 'session' } }))
      })
    await arm()
    await w.world.turn('do it')
    await w.world.settled()
    await w.world.stop.clear(T, 'user')
    await w.world.clock.advance(60_000)
    expect(await states()).toEqual(['superseded'])
    expect(w.world.target().enters).toEqual([])
  })
  it('a clear after the submit lets the receipt come, and counts for nothing', async () => {
    await arm()
    await w.world.turn('do it')
    await w.world.settled()
    await w.world.stop.clear(T, 'user')
    await w.world.turn('go on')
    expect(await states()).toEqual(['confirmed'])
    expect(view()).toBeNull()
  })
  it('a re-arm begins anew; the round of the last setting counts for nothing', async () => {
    await arm()
    await w.world.turn('do it')
    await w.world.settled()
    await arm({ text: 'other', max: 2 })
    expect(view()).toMatchObject({ used: 0, status: { kind: 'armed' } })
    await w.world.turn('go on')
    expect(view()).toMatchObject({ text: 'other', used: 0 })
    await round('other')
    expect(view()?.used).toBe(1)
    expect(typed()).toEqual(['go on', 'other'])
  })
})

describe('a person who is faster', () => {
  it('supersedes the followup; their own turn is the next to be looked at', async () => {
    w.world.target().reading = { kind: 'hold', reason: { code: 'typing' } }
    await arm()
    await w.world.turn('do it')
    const mine = await w.world.begin('wait, first this')
    expect(await states()).toEqual(['superseded'])
    expect(status()).toEqual({ kind: 'armed' })
    w.world.target().reading = { kind: 'ready', bracketedPaste: true }
    await w.world.end(mine)
    await w.world.settled()
    expect(typed()).toEqual(['go on'])
  })
})

it('says yes once of each, and forgets the longest ago', () => {
  const first = oncePerKey(2)
  expect(['a', 'a', 'b', 'a', 'c', 'c', 'a'].map(first)).toEqual([true, false, true, false, true, false, true])
})
