import { describe, expect, it } from 'vitest'
import { T } from '../../../terminals/outbox/testing/bench.ts'
import { eachWorld } from '../testing/each-world.ts'

const w = eachWorld()
const { arm, round, status, typed, view } = w

describe('budgets', () => {
  it('ask: paused, one notification, one click to go on', async () => {
    w.world.budgets = { ...w.world.budgets, rounds: 2 }
    await arm({ max: null })
    await w.world.turn('do it')
    await round()
    await round()
    expect(status()).toMatchObject({ kind: 'paused', reason: { code: 'budget', budget: 'rounds', limit: 2 } })
    expect(w.world.notices).toEqual([{ class: 'budget', budget: 'rounds', limit: 2 }])
    await w.world.clock.advance(600_000)
    expect(typed()).toHaveLength(2)
    await w.world.stop.resume(T)
    await w.world.settled()
    expect(typed()).toHaveLength(3)
  })
  const noBounds = { rounds: null, hours: null, noProgressRounds: null, tokens: null, costUsd: null }
  it('of an organisation hold where a person wrote the rounds, and no guard goes on by itself', async () => {
    w.world.budgets = { ...w.world.budgets, askMs: 600_000, held: { ...noBounds, rounds: 2 } }
    await arm({ max: 50 })
    await w.world.turn('do it')
    await round()
    await round()
    expect(status()).toMatchObject({ kind: 'paused', reason: { code: 'budget', budget: 'rounds', limit: 2 } })
    await w.world.clock.advance(3_600_000)
    expect(typed()).toHaveLength(2)
    // A person still decides: each go takes it on by as many.
    await w.world.stop.resume(T)
    await w.world.settled()
    await round()
    await round()
    expect([status()?.kind, typed().length]).toEqual(['paused', 4])
  })
  it('of an organisation end hours alike', async () => {
    w.world.budgets = { ...w.world.budgets, hours: null, askMs: 600_000, held: { ...noBounds, hours: 0.001 } }
    await arm({ max: 50 })
    await w.world.turn('do it')
    await w.world.clock.advance(3_600)
    await round()
    expect(status()).toMatchObject({ kind: 'paused', reason: { code: 'budget', budget: 'time', limit: 0.001 } })
    expect(status()).not.toHaveProperty('reason.goesOnAt')
  })
  it('more rounds on what is done go on from the last stop', async () => {
    await arm({ max: 1 })
    await w.world.turn('do it')
    await round()
    expect(status()?.kind).toBe('done')
    await w.world.stop.addRounds(T, 10)
    await w.world.settled()
    expect(view()).toMatchObject({ used: 2, max: 11, text: 'go on' })
    await expect(w.world.stop.addRounds('tmux:nobody', 10)).rejects.toMatchObject({ code: 'nothing-armed' })
  })
})
