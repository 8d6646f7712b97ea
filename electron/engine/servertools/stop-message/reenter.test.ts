import { describe, expect, it } from 'vitest'
import type { Scope } from '../../../../shared/words.ts'
import { settle } from '../../terminals/outbox/testing/bench.ts'
import { eachWorld } from './testing/each-world.ts'
import { stopped } from './testing/world.ts'

const w = eachWorld()

describe('reenter mode', () => {
  const S: Scope = 'session:s1'
  const armSession = (max: number | null = 2) =>
    w.world.stop.arm(S, { sessionId: 's1', text: 'go on', max, review: false, by: 'marker' })
  it('gives the text and counts before it is sent; at max it is done', async () => {
    await armSession()
    expect(await w.world.stop.reenterText(stopped, null)).toEqual({ text: 'go on', round: 1 })
    expect(JSON.parse(w.world.disk.files.get('reenter-s1.json') ?? '')).toMatchObject({ stopMessageUsed: 1 })
    expect(await w.world.stop.reenterText(stopped, null)).toEqual({ text: 'go on', round: 2 })
    expect(await w.world.stop.reenterText(stopped, null)).toBeNull()
    expect(w.world.stop.view(S).stopMessage).toMatchObject({ used: 2, status: { kind: 'done' } })
    expect(w.world.notices).toHaveLength(1)
    await w.world.stop.reenterBegun('s1', true)
    expect(w.world.stop.view(S).stopMessage).toBeNull()
  })
  it.each([
    ['the client left', { clientLeft: true }, 'client-left'],
    ['it called a tool', { finish: 'tool-calls' as const }, 'not-a-plain-stop'],
    ['it is the inner exchange itself', { reentered: true }, 'reentered-followup'],
  ])('stops when %s', async (_, more, code) => {
    await armSession()
    expect(await w.world.stop.reenterText({ ...stopped, ...more }, null)).toBeNull()
    expect(w.world.events.at(-1)).toMatchObject({ type: 'skipped', reason: { code } })
    expect(w.world.stop.view(S).stopMessage).toMatchObject({ used: 0, status: { kind: 'armed' } })
  })
  it('sends nothing that could not be counted', async () => {
    await armSession()
    w.world.disk.fate = () => 'fail'
    expect(await w.world.stop.reenterText(stopped, null)).toBeNull()
    expect(w.world.events.at(-1)).toMatchObject({ type: 'engine-problem', code: 'store-failed' })
    expect(w.world.stop.view(S).stopMessage?.used).toBe(0)
  })
  it('does nothing for a turn without a session', async () => {
    expect(await w.world.stop.reenterText({ ...stopped, sessionId: null }, null)).toBeNull()
  })
})

describe('a client that leaves while its exchange waits for a reviewer', () => {
  const S: Scope = 'session:s1'
  it('gets no round counted, and the next exchange begins its own look', async () => {
    w.world.goal.gate = new Promise(() => {})
    await w.world.stop.arm(S, { sessionId: 's1', text: 'green', max: null, review: true, by: 'marker' })
    const left = new AbortController()
    void w.world.stop.reenterText(stopped, null, { left: left.signal })
    await settle(w.world.clock)
    expect(w.world.stop.view(S).stopMessage?.status.kind).toBe('reviewing')
    left.abort()
    await settle(w.world.clock)
    expect(w.world.goal.stopped).toBe(1)
    w.world.goal.gate = null
    w.world.goal.says = [{ kind: 'send', text: 'fix it' }]
    expect(await w.world.stop.reenterText(stopped, null)).toEqual({ text: 'fix it', round: 1 })
    expect(w.world.stop.view(S).stopMessage?.used).toBe(1)
  })
  it('just when the reviewer answers gets none counted either', async () => {
    let open = () => {}
    w.world.goal.gate = new Promise((resolve) => {
      open = resolve
    })
    w.world.goal.says = [{ kind: 'send', text: 'fix it' }]
    await w.world.stop.arm(S, { sessionId: 's1', text: 'green', max: null, review: true, by: 'marker' })
    const left = new AbortController()
    const next = w.world.stop.reenterText(stopped, null, { left: left.signal })
    await settle(w.world.clock)
    open()
    left.abort()
    expect(await next).toBeNull()
    expect(w.world.stop.view(S).stopMessage).toMatchObject({ used: 0, status: { kind: 'armed' } })
  })
})
