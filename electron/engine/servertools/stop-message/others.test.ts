import { describe, expect, it } from 'vitest'
import { eachWorld } from './testing/each-world.ts'

const w = eachWorld()
const { arm, outbox, status } = w

describe('followups of others', () => {
  it('that fail are told of, and touch no stopMessage', async () => {
    await arm()
    await w.world.turn('do it', { finish: 'length' })
    w.world.target().answer = () => ({ kind: 'failed', reason: { code: 'not-submitted' } })
    await (await outbox()).add({ sessionId: 's1', text: 'by hand', source: 'user' })
    await w.world.settled()
    expect(w.world.notices).toEqual([{ class: 'injection-failed', reason: { code: 'not-submitted' } }])
    expect(status()).toEqual({ kind: 'armed' })
  })
  it('that are not received pause nothing', async () => {
    await arm()
    await w.world.turn('do it', { finish: 'length' })
    await (await outbox()).add({ sessionId: 's1', text: 'by hand', source: 'user' })
    await w.world.settled()
    await w.world.clock.advance(w.world.settings.receiptMs)
    expect(w.world.notices).toEqual([{ class: 'injection-failed', reason: { code: 'not-received' } }])
    expect(status()).toEqual({ kind: 'armed' })
    expect((await outbox()).paused()).toBeNull()
  })
  it('that find the terminal gone clear it', async () => {
    await arm()
    await w.world.turn('do it', { finish: 'length' })
    w.world.target().reading = { kind: 'gone', reason: { code: 'terminal-gone', why: 'closed' } }
    await (await outbox()).add({ sessionId: 's1', text: 'by hand', source: 'user' })
    await w.world.settled()
    expect(status()).toMatchObject({ kind: 'failed', reason: { code: 'terminal-gone' } })
    expect(w.world.notices).toHaveLength(1)
  })
  it('that are held long are told of', async () => {
    w.world.target().reading = { kind: 'hold', reason: { code: 'draft' } }
    await arm()
    await w.world.turn('do it')
    await w.world.clock.advance(600_000)
    expect(w.world.notices).toMatchObject([{ class: 'held-long', reason: { code: 'draft' } }])
  })
})
