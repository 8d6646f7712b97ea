import { describe, expect, it } from 'vitest'
import { settle, T } from '../../terminals/outbox/testing/bench.ts'
import { eachWorld } from './testing/each-world.ts'
import type { TurnExcerpt } from './turn-excerpt.ts'

const w = eachWorld()
const { arm, typed, view, status } = w
const did = (text: string): TurnExcerpt => ({ calls: [], callsTotal: 0, text, drivenBy: null })

describe('what rounds tell', () => {
  it('changes its stamp when the last round turns out to have got nowhere', async () => {
    w.world.budgets = { ...w.world.budgets, noProgressRounds: 1 }
    await arm({ max: null })
    await w.world.turn('do it', { excerpt: did('same') })
    await w.world.settled()
    const request = await w.world.begin(typed().at(-1) ?? '')
    await w.world.clock.advance(60_000)
    const before = view()?.goal?.roundsAt
    await w.world.end(request, { excerpt: did('same') })
    expect(status()?.kind).toBe('paused')
    expect(w.world.stop.rounds(T)).toMatchObject([{ n: 1, progress: false }])
    expect(view()?.goal?.roundsAt).not.toBe(before)
  })

  it('does not say that a followup was sent which a person took back', async () => {
    await arm({ max: null })
    await w.world.turn('do it', { excerpt: did('done') })
    expect(w.world.stop.rounds(T)).toMatchObject([{ n: 1, sent: 'go on' }])
    const outbox = await w.outbox()
    await outbox.cancel(outbox.list()[0]?.id ?? '')
    expect(w.world.stop.rounds(T)).toMatchObject([{ n: 1, sent: null }])
  })

  it('still says so of the one before it', async () => {
    await arm({ max: null })
    await w.world.turn('do it', { excerpt: did('done') })
    await w.world.settled()
    await w.world.turn('go on', { excerpt: did('more') })
    const outbox = await w.outbox()
    await outbox.cancel(outbox.list().at(-1)?.id ?? '')
    expect(w.world.stop.rounds(T)).toMatchObject([
      { n: 2, sent: null },
      { n: 1, sent: 'go on' },
    ])
  })
})

describe('a review of a stop that is over', () => {
  it('counts for nothing when the agent went on by itself', async () => {
    let open = () => {}
    w.world.goal.gate = new Promise((resolve) => {
      open = resolve
    })
    w.world.goal.says = [
      { kind: 'done', reason: { code: 'goal-reached', checks: 0 } },
      { kind: 'send', text: 'fix it' },
    ]
    await arm({ max: null, review: true })
    await w.world.turn('do it', { excerpt: did('waiting for a sub-agent') })
    await w.world.turn('<its result>', { hasNewMainTurn: false, excerpt: did('it broke') })
    expect(w.world.goal.stopped).toBe(1)
    w.world.goal.gate = null
    open()
    await settle(w.world.clock)
    await w.world.settled()
    expect(w.world.goal.asked.map(({ turn }) => turn?.text)).toEqual(['waiting for a sub-agent', 'it broke'])
    expect(w.world.notices).toEqual([])
    expect(status()?.kind).toBe('injecting')
  })
})

describe('a check that was allowed', () => {
  it('does not lift a pause that a person chose meanwhile', async () => {
    w.world.goal.folder = '/code/app'
    w.world.goal.says = [
      { kind: 'pause', reason: { code: 'checks-unapproved', names: ['tests'] } },
      { kind: 'send', text: 'fix it' },
    ]
    await arm({ max: null, review: true })
    await w.world.turn('do it')
    await settle(w.world.clock)
    expect(status()).toMatchObject({ kind: 'paused', reason: { code: 'checks-unapproved' } })
    const allowed = w.world.stop.checksChanged('/code/app')
    await w.world.stop.pause(T)
    await allowed
    await settle(w.world.clock)
    expect(status()).toMatchObject({ kind: 'paused', reason: { code: 'by-user' } })
  })
})

describe('moving to another terminal', () => {
  it('takes along no look that a stop in the old one began meanwhile', async () => {
    const U = 'tmux:other'
    w.world.goal.says = [{ kind: 'send', text: 'fix it' }]
    w.world.goal.ms = 5_000
    w.world.target(U)
    await arm({ max: null, review: true })
    const request = await w.world.begin('do it')
    const moved = w.world.stop.move(T, U)
    await Promise.all([w.world.end(request), moved])
    await w.world.clock.advance(20_000)
    expect(w.world.stop.view(U).stopMessage?.status.kind).toBe('armed')
    expect(w.world.stop.view(T).stopMessage).toBeNull()
    expect(w.world.outboxes.peek(T)).toBeNull()
    await w.world.turn('back', { scope: U })
    await w.world.clock.advance(20_000)
    expect(w.world.target(U).typed.map((o) => o.text)).toEqual(['fix it'])
    expect(typed()).toEqual([])
  })
  it('ends a look in the new one that is about a goal that gave way', async () => {
    const U = 'tmux:other'
    w.world.goal.says = [{ kind: 'send', text: 'fix it' }]
    w.world.goal.ms = 5_000
    w.world.target(U)
    await w.world.stop.arm(U, { sessionId: 's1', text: 'older', max: null, review: true, by: 'marker' })
    await w.world.clock.advance(1_000)
    await arm({ max: null, review: true })
    await w.world.turn('do it', { scope: U })
    await settle(w.world.clock)
    expect(w.world.goal.running).toBe(1)
    await w.world.stop.move(T, U)
    await settle(w.world.clock)
    expect(w.world.goal.running).toBe(1)
    await w.world.clock.advance(20_000)
    expect(w.world.goal.asked.map(({ goal }) => goal)).toEqual(['older', 'go on'])
  })
  it('leaves nothing of the old one behind that a look opens again', async () => {
    let open = () => {}
    w.world.goal.gate = new Promise((resolve) => {
      open = resolve
    })
    await arm({ max: null, review: true })
    await w.world.turn('do it')
    await w.world.stop.move(T, 'tmux:other')
    open()
    await settle(w.world.clock)
    expect(w.world.outboxes.peek(T)).toBeNull()
  })
})

describe('a folder that does not answer', () => {
  it('holds up neither the decision nor a pause', async () => {
    w.world.goal.folder = '/hangs'
    w.world.goal.hangs = true
    await arm({ max: null })
    await w.world.turn('do it', { excerpt: did('same') })
    await w.world.settled()
    const request = await w.world.begin(typed().at(-1) ?? '')
    const ended = w.world.end(request, { excerpt: did('same') })
    await w.world.clock.advance(10_000)
    await ended
    await w.world.settled()
    expect(typed()).toHaveLength(2)
  })
})
