import { describe, expect, it } from 'vitest'
import { settle, T } from '../../terminals/outbox/testing/bench.ts'
import { eachWorld } from './testing/each-world.ts'

const w = eachWorld()
const { arm, outbox, states, status, typed, view } = w

describe('a disk that refuses', () => {
  it('to set: the caller hears of it and the old setting stands', async () => {
    await arm()
    w.world.disk.fate = (path) => (path === 'tmux-main.json' ? 'fail' : 'ok')
    await expect(arm({ text: 'other' })).rejects.toMatchObject({ code: 'store-failed' })
    expect(view()).toMatchObject({ text: 'go on', used: 0 })
    w.world.disk.fate = () => 'ok'
    await w.world.clock.advance(10_000)
    w.world = await w.world.kill()
    expect(view()).toMatchObject({ text: 'go on' })
  })
  it('to clear: it is cleared all the same, and the caller hears that it is not saved', async () => {
    await arm()
    await w.world.turn('do it')
    w.world.disk.fate = () => 'fail'
    await expect(w.world.stop.clear(T, 'user')).rejects.toMatchObject({ code: 'store-failed' })
    expect(view()).toBeNull()
    await w.world.clock.advance(60_000)
    expect(typed()).toEqual([])
    w.world.disk.fate = () => 'ok'
    await w.world.clock.advance(10_000)
    w.world = await w.world.kill()
    await w.world.clock.advance(60_000)
    expect(view()).toBeNull()
    expect(typed()).toEqual([])
  })
  it('to queue: the stop is not forgotten, and answered when the disk is back', async () => {
    await arm()
    w.world.disk.fate = () => 'fail'
    await w.world.turn('do it')
    await w.world.clock.advance(60_000)
    expect(typed()).toEqual([])
    w.world.disk.fate = () => 'ok'
    await w.world.clock.advance(10_000)
    expect(typed()).toEqual(['go on'])
    expect(view()?.used).toBe(1)
  })
})

describe('a start finds both files at odds', () => {
  const sticky = () => JSON.parse(w.world.disk.files.get('tmux-main.json') ?? '')
  const put = (change: object) => w.world.disk.files.set('tmux-main.json', JSON.stringify({ ...sticky(), ...change }))
  const queue = async () => {
    w.world.target().reading = { kind: 'hold', reason: { code: 'draft' } }
    await arm()
    await w.world.turn('do it')
  }
  it('queued, and the state does not know of it yet', async () => {
    await queue()
    put({ stopMessageStatus: { kind: 'armed' } })
    w.world = await w.world.kill()
    expect(status()).toMatchObject({ kind: 'injecting' })
  })
  it('queued as the state says, and the followup was not written any more: the stop is answered, once', async () => {
    await arm({ review: true })
    w.world.goal.says = [
      { kind: 'send', text: 'fix it' },
      { kind: 'send', text: 'fix it now' },
    ]
    const excerpt = { calls: [], callsTotal: 0, text: 'all done', drivenBy: null }
    let before = ''
    w.world.disk.fate = (path) => {
      if (path.startsWith('outbox/') && before === '' && sticky().stopMessageStatus.kind === 'injecting')
        before = w.world.disk.files.get('tmux-main.json') ?? ''
      return before !== '' && path.startsWith('outbox/') ? 'fail' : 'ok'
    }
    await w.world.turn('do it', { excerpt })
    await settle(w.world.clock)
    expect(before).toContain('fix it')
    w.world.disk.files.set('tmux-main.json', before)
    w.world.disk.fate = () => 'ok'
    w.world = await w.world.kill()
    await w.world.settled()
    expect(typed()).toHaveLength(1)
    expect(await states()).toEqual(['submitted'])
    expect(view()?.used).toBe(1)
  })
  it('queued for a setting that was cleared: it is not typed', async () => {
    await queue()
    put({ stopMessageText: null, stopMessageStatus: null })
    w.world = await w.world.kill()
    expect(await states()).toEqual(['superseded'])
  })
  it('queued for another setting: it is not typed', async () => {
    await queue()
    put({ stopMessageArmId: 'later', stopMessageStatus: { kind: 'armed' } })
    w.world = await w.world.kill()
    expect(await states()).toEqual(['superseded'])
    expect(status()).toEqual({ kind: 'armed' })
  })
  it('ended, and the state still waits for it', async () => {
    await queue()
    const before = w.world.disk.files.get('tmux-main.json') ?? ''
    await (await outbox()).cancel((await outbox()).list()[0]?.id ?? '')
    w.world.disk.files.set('tmux-main.json', before)
    w.world = await w.world.kill()
    expect(status()).toEqual({ kind: 'armed' })
  })
  it('submitted, and not counted', async () => {
    await arm()
    await w.world.turn('do it')
    const before = w.world.disk.files.get('tmux-main.json') ?? ''
    await w.world.settled()
    w.world.disk.files.set('tmux-main.json', before)
    w.world = await w.world.kill()
    expect(view()).toMatchObject({ used: 1, status: { kind: 'injecting' } })
    w.world = await w.world.kill()
    expect(view()?.used).toBe(1)
  })
  it('confirmed at max, and not done', async () => {
    await arm({ max: 1 })
    await w.world.turn('do it')
    await w.world.settled()
    const before = w.world.disk.files.get('tmux-main.json') ?? ''
    await w.world.turn('go on')
    w.world.disk.files.set('tmux-main.json', before)
    w.world = await w.world.kill()
    expect(status()).toMatchObject({ kind: 'done', reason: { code: 'rounds-used', used: 1, max: 1 } })
  })
  it('failed, and the state still waits for it', async () => {
    await arm()
    await w.world.turn('do it')
    const before = w.world.disk.files.get('tmux-main.json') ?? ''
    w.world.target().answer = () => ({ kind: 'failed', reason: { code: 'agent-gone' } })
    await w.world.settled()
    w.world.disk.files.set('tmux-main.json', before)
    w.world = await w.world.kill()
    expect(status()).toMatchObject({ kind: 'failed', reason: { code: 'agent-gone' } })
  })
  it('paused in one of them: paused', async () => {
    await arm()
    await w.world.turn('do it')
    const before = w.world.disk.files.get('tmux-main.json') ?? ''
    await w.world.stop.pause(T)
    w.world.disk.files.set('tmux-main.json', before)
    w.world = await w.world.kill()
    expect(status()).toMatchObject({ kind: 'paused', reason: { code: 'by-user' } })
  })
  it('a file that cannot be read is told of and stops no other scope', async () => {
    await arm()
    w.world.disk.files.set('pty-x.json', '{"scope": 7}')
    w.world = await w.world.kill()
    expect(w.world.events).toMatchObject([{ type: 'store-problem', file: 'pty-x.json' }])
    expect(view()?.text).toBe('go on')
  })
})

describe('a reviewed stop', () => {
  it('is written with what is decided about it, then its review with what it sends, and the followup', async () => {
    await arm({ max: null, review: true, text: 'all tests green' })
    w.world.goal.totals = { tokens: 1_000, costUsd: null }
    w.world.goal.says = [{ kind: 'send', text: 'run them again' }]
    const request = await w.world.begin('do it')
    const written: string[] = []
    w.world.disk.fate = (path) => {
      written.push(path)
      return 'ok'
    }
    const excerpt = { calls: [], callsTotal: 0, text: 'all done', drivenBy: null }
    await w.world.end(request, { excerpt })
    await settle(w.world.clock)
    expect(written).toEqual(['tmux-main.json', 'tmux-main.json', 'outbox/tmux-main.json'])
  })
})
