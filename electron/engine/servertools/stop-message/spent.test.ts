import { describe, expect, it } from 'vitest'
import { settle, T } from '../../terminals/outbox/testing/bench.ts'
import { eachWorld } from './testing/each-world.ts'
import { stopped } from './testing/world.ts'

const w = eachWorld()
const { arm, typed, view, status } = w
const HOUR = 3_600_000
const round = async () => {
  await w.world.settled()
  await w.world.turn(typed().at(-1) ?? '')
  await settle(w.world.clock)
}

describe('what a goal has spent', () => {
  it('does not count what the session had used before it came back in another terminal', async () => {
    w.world.budgets = { ...w.world.budgets, tokens: 1_000 }
    w.world.goal.totals = { tokens: 900_000, costUsd: 90 }
    await arm({ max: null })
    w.world.gone.set(T, 'closed')
    await w.world.turn('do it')
    expect(status()?.kind).toBe('failed')
    await w.world.stop.move(T, 'tmux:other')
    expect(w.world.stop.view('tmux:other').stopMessage).toMatchObject({
      status: { kind: 'armed' },
      goal: { spent: { tokens: 0, costUsd: 0 } },
    })
    await w.world.turn('back', { scope: 'tmux:other' })
    expect(w.world.stop.view('tmux:other').stopMessage?.status.kind).toBe('injecting')
  })

  it('knows what of it has no price, since then and across a restart', async () => {
    w.world.goal.totals = { tokens: 900_000, costUsd: 90, unpricedTokens: 800_000, worthUsd: 2 }
    await arm({ max: null })
    w.world.goal.totals = { tokens: 901_000, costUsd: 91, unpricedTokens: 800_500, worthUsd: 2 }
    await w.world.turn('do it')
    const known = { tokens: 1_000, costUsd: 1, unpricedTokens: 500 }
    expect(view()?.goal?.spent).toEqual(known)
    const { totals } = w.world.goal
    w.world = await w.world.kill()
    w.world.goal.totals = totals
    expect(view()?.goal?.spent).toEqual(known)
  })

  it('is counted from the first stop where it was not known before', async () => {
    w.world.budgets = { ...w.world.budgets, tokens: 1_000 }
    await arm({ max: null })
    w.world.goal.totals = { tokens: 900_000, costUsd: 90 }
    await w.world.turn('do it')
    expect(view()).toMatchObject({ status: { kind: 'injecting' }, goal: { spent: { tokens: 0, costUsd: 0 } } })
    w.world.goal.totals = { tokens: 901_000, costUsd: 91 }
    await round()
    expect(status()).toMatchObject({ kind: 'paused', reason: { budget: 'tokens' } })
  })

  it('begins anew with one click, also where a person paused what had paused by itself', async () => {
    w.world.budgets = { ...w.world.budgets, tokens: 1_000 }
    w.world.goal.totals = { tokens: 0, costUsd: null }
    await arm({ max: null })
    w.world.goal.totals = { tokens: 5_000, costUsd: null }
    await w.world.turn('do it')
    expect(status()).toMatchObject({ kind: 'paused', reason: { budget: 'tokens' } })
    await w.world.stop.pause(T)
    await w.world.stop.resume(T)
    expect(status()?.kind).toBe('injecting')
  })

  it.each([
    [
      'by a person',
      async () => {
        await w.world.stop.pause(T)
      },
    ],
    [
      'by a reviewer that needs one',
      async () => {
        await w.world.turn('do it')
      },
    ],
  ])('no time goes by while it is paused %s', async (_, pause) => {
    w.world.goal.says = [
      { kind: 'pause', reason: { code: 'needs-user', text: 'which?' } },
      { kind: 'send', text: 'that one' },
    ]
    await arm({ max: null, review: true })
    await w.world.clock.advance(HOUR)
    await pause()
    await settle(w.world.clock)
    expect(status()?.kind).toBe('paused')
    w.world.goal.says = [{ kind: 'send', text: 'that one' }]
    await w.world.clock.advance(10 * HOUR)
    await w.world.stop.resume(T)
    await w.world.turn('and this')
    await settle(w.world.clock)
    expect(status()?.kind).toBe('injecting')
    expect(w.world.clock.now() - (view()?.goal?.from.at ?? 0)).toBeGreaterThanOrEqual(HOUR)
    expect(w.world.clock.now() - (view()?.goal?.from.at ?? 0)).toBeLessThan(2 * HOUR)
  })

  it('counts a review whose word came too late', async () => {
    let open = () => {}
    w.world.goal.gate = new Promise((resolve) => {
      open = resolve
    })
    w.world.goal.says = [{ kind: 'send', text: 'too late' }]
    await arm({ max: null, review: true })
    await w.world.turn('do it')
    await w.world.begin('something else')
    open()
    await settle(w.world.clock)
    expect(view()?.goal?.reviewSpent).toEqual({ tokens: 110, costUsd: 0.01 })
    await arm({ max: null, review: true })
    expect(view()?.goal?.reviewSpent).toEqual({ tokens: 0, costUsd: null })
  })

  it('counts what the rounds of one exchange have used so far', async () => {
    w.world.budgets = { ...w.world.budgets, tokens: 1_000 }
    w.world.goal.totals = { tokens: 0, costUsd: null }
    await w.world.stop.arm('session:s1', { sessionId: 's1', text: 'go on', max: null, review: false, by: 'marker' })
    expect(await w.world.stop.reenterText(stopped, null, { spent: { tokens: 600, costUsd: null } })).not.toBeNull()
    expect(await w.world.stop.reenterText(stopped, null, { spent: { tokens: 1_200, costUsd: null } })).toBeNull()
    expect(w.world.stop.view('session:s1').stopMessage?.status).toMatchObject({
      kind: 'paused',
      reason: { budget: 'tokens' },
    })
  })
})
