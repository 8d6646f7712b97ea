import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Scope } from '../../../../shared/words.ts'
import { T } from '../../terminals/outbox/testing/bench.ts'
import { openWorld, stopped, type World } from './testing/world.ts'

let world: World
const arm = (more: Partial<Parameters<World['stop']['arm']>[1]> = {}) =>
  world.stop.arm(T, { sessionId: 's1', text: 'go on', max: 3, review: false, by: 'marker', ...more })
const typed = (scope: Scope = T) => world.target(scope).typed.map((o) => o.text)
const view = () => world.stop.view(T).stopMessage
const status = () => view()?.status ?? null
const outbox = async () => world.outboxes.of(T)
const states = async () => (await outbox()).list().map((e) => e.state)
const types = () => world.story()
/** The agent takes up what was typed, works, and stops. */
const round = async (text = 'go on') => { await world.settled(); await world.turn(text) }

beforeEach(async () => { world = await openWorld() })
afterEach(() => { world.stop.dispose(); world.outboxes.dispose() })

describe('three rounds', () => {
  it('are typed, submitted, confirmed; then it is done, with one notification', async () => {
    const request = await world.begin('do it')
    await arm()
    await world.end(request)
    expect(status()).toEqual({ kind: 'injecting', entryId: expect.any(String) })
    await round()
    expect(view()).toMatchObject({ used: 1, max: 3, status: { kind: 'injecting' } })
    await round()
    await world.settled()
    expect(view()).toMatchObject({ used: 3, status: { kind: 'injecting' } })
    const last = await world.begin('go on')
    expect(view()).toMatchObject({ used: 3, max: 3, text: 'go on', status: { kind: 'done', reason: { code: 'rounds-used', used: 3, max: 3 } } })
    await world.end(last)
    await world.clock.advance(600_000)
    expect(typed()).toEqual(['go on', 'go on', 'go on'])
    expect(world.notices).toEqual([{ class: 'goal-reached', reason: { code: 'rounds-used', used: 3, max: 3 } }])
    expect(types().filter((t) => t !== 'skipped')).toEqual([
      'armed',
      ...Array.from({ length: 3 }, () => ['matched', 'queued', 'typed', 'submitted', 'used', 'confirmed']).flat().slice(0, 18),
      'done', 'cleared',
    ])
    expect(world.events.findLast((e) => e.type === 'skipped')).toMatchObject({ reason: { code: 'nothing-armed' } })
    expect(world.stop.view(T).lastStopMessage).toMatchObject({ text: 'go on', used: 3, clearedBy: 'rounds-used' })
  })

  it('stay visible as done until the person goes on', async () => {
    await arm({ max: 1 })
    await world.turn('do it')
    await round()
    expect(status()?.kind).toBe('done')
    await world.turn('thanks, now this')
    expect(view()).toBeNull()
  })

  it('carry the round and count at submitted, not before', async () => {
    world.target().reading = { kind: 'hold', reason: { code: 'agent-busy' } }
    await arm()
    await world.turn('do it')
    await world.settled()
    expect((await outbox()).list()[0]).toMatchObject({ round: 1, source: 'stopMessage', state: 'queued' })
    expect(view()?.used).toBe(0)
    world.target().reading = { kind: 'ready', bracketedPaste: true }
    await world.clock.advance(2_000)
    expect(view()).toMatchObject({ used: 1, lastUsedAt: world.clock.now() })
  })
})

describe('what is sent', () => {
  it.each([['en', 'Continue with the next step and finish it.'], ['zh-CN', '继续执行']] as const)('without a text: the default of %s, fixed when it is set', async (language, text) => {
    world.language = language
    await arm({ text: null })
    world.language = 'en'
    await world.turn('do it')
    await world.settled()
    expect(typed()).toEqual([text])
  })
  it('with review on: the goal itself, until review exists', async () => {
    await arm({ text: 'all tests pass', review: true, max: null })
    await world.turn('do it')
    await world.settled()
    expect(typed()).toEqual(['all tests pass'])
    expect(view()).toMatchObject({ review: true, max: null, used: 1 })
  })
})

describe('a turn that does not count', () => {
  it.each([
    ['tool calls', { finish: 'tool-calls' as const }, 'not-a-plain-stop'],
    ['a client that left', { clientLeft: true }, 'client-left'],
    ['a compaction', { kind: 'compaction' as const }, 'not-a-turn'],
    ['background agents', { notFinished: 'background-agents' as const }, 'agent-not-finished'],
  ])('%s: nothing is queued, the reason is recorded', async (_, where, code) => {
    await arm()
    await world.turn('before', { finish: 'length' })
    await world.turn('x', where)
    await world.settled()
    expect(typed()).toEqual([])
    expect(world.events.findLast((e) => e.type === 'skipped')).toMatchObject({ reason: { code } })
    expect(view()).toMatchObject({ used: 0, status: { kind: 'armed' } })
  })
  it('without a scope, too', async () => {
    await world.stop.turnEnded(null, stopped)
    expect(world.events).toMatchObject([{ type: 'skipped', reason: { code: 'no-scope' }, scope: null }])
  })
  it('without a scope is said once of a session', async () => {
    for (const sessionId of ['s1', 's1', 's2', 's1', null, null]) await world.stop.turnEnded(null, { ...stopped, sessionId })
    expect(world.events.map((e) => e.type === 'skipped' && e.reason.code)).toEqual(['no-scope', 'no-scope', 'no-scope', 'no-scope'])
    await world.stop.turnEnded(null, { ...stopped, sessionId: 's1', kind: 'title' })
    expect(world.events.at(-1)).toMatchObject({ reason: { code: 'not-a-turn' } })
  })
  it('of an older conversation', async () => {
    await arm()
    const old = await world.begin('long work')
    await world.begin('/new', { sessionId: 's2' })
    await world.end(old)
    expect(world.events.findLast((e) => e.type === 'skipped')).toMatchObject({ reason: { code: 'other-conversation' } })
  })
})

describe('set and clear in the middle', () => {
  it('a clear takes the waiting followup with it', async () => {
    world.target().reading = { kind: 'hold', reason: { code: 'draft' } }
    await arm()
    await world.turn('do it')
    await world.stop.clear(T, 'marker')
    expect(await states()).toEqual(['superseded'])
    expect(view()).toBeNull()
    expect(world.stop.view(T).lastStopMessage).toMatchObject({ text: 'go on', used: 0, clearedBy: 'marker' })
  })
  it('a clear in the middle of typing: no Enter', async () => {
    world.target().answer = (_, { stop }) => new Promise((resolve) => { stop.addEventListener('abort', () => resolve({ kind: 'enter-owed', reason: { code: 'paused', by: 'session' } })) })
    await arm()
    await world.turn('do it')
    await world.settled()
    await world.stop.clear(T, 'user')
    await world.clock.advance(60_000)
    expect(await states()).toEqual(['superseded'])
    expect(world.target().enters).toEqual([])
  })
  it('a clear after the submit lets the receipt come, and counts for nothing', async () => {
    await arm()
    await world.turn('do it')
    await world.settled()
    await world.stop.clear(T, 'user')
    await world.turn('go on')
    expect(await states()).toEqual(['confirmed'])
    expect(view()).toBeNull()
  })
  it('a re-arm begins anew; the round of the last setting counts for nothing', async () => {
    await arm()
    await world.turn('do it')
    await world.settled()
    await arm({ text: 'other', max: 2 })
    expect(view()).toMatchObject({ used: 0, status: { kind: 'armed' } })
    await world.turn('go on')
    expect(view()).toMatchObject({ text: 'other', used: 0 })
    await round('other')
    expect(view()?.used).toBe(1)
    expect(typed()).toEqual(['go on', 'other'])
  })
})

describe('a person who is faster', () => {
  it('supersedes the followup; their own turn is the next to be looked at', async () => {
    world.target().reading = { kind: 'hold', reason: { code: 'typing' } }
    await arm()
    await world.turn('do it')
    const mine = await world.begin('wait, first this')
    expect(await states()).toEqual(['superseded'])
    expect(status()).toEqual({ kind: 'armed' })
    world.target().reading = { kind: 'ready', bracketedPaste: true }
    await world.end(mine)
    await world.settled()
    expect(typed()).toEqual(['go on'])
  })
})

describe('pause', () => {
  it('holds the waiting followup; resume lets it go', async () => {
    await arm()
    await world.turn('do it')
    await world.stop.pause(T)
    await world.clock.advance(600_000)
    expect(status()).toMatchObject({ kind: 'paused', reason: { code: 'by-user' } })
    expect(typed()).toEqual([])
    await world.stop.resume(T)
    expect(status()?.kind).toBe('injecting')
    await world.settled()
    expect(typed()).toEqual(['go on'])
    expect(types().filter((t) => t === 'paused' || t === 'resumed')).toEqual(['paused', 'resumed'])
  })
  it('a stop during the pause is looked at again when it ends, over a restart, too', async () => {
    await arm()
    await world.begin('first', { requestId: 'r-first' })
    await world.stop.pause(T)
    await world.end('r-first')
    expect(world.events.findLast((e) => e.type === 'skipped')).toMatchObject({ reason: { code: 'paused', by: 'session' } })
    world = await world.kill()
    expect(status()?.kind).toBe('paused')
    await world.stop.resume(T)
    await world.settled()
    expect(typed()).toEqual(['go on'])
  })
  it('a stop that was no plain one is not gone back to', async () => {
    await arm()
    await world.turn('do it', { finish: 'length' })
    await world.stop.pause(T)
    await world.stop.resume(T)
    await world.settled()
    expect(typed()).toEqual([])
  })
  it('a turn that began during the pause is waited for', async () => {
    await arm()
    await world.stop.pause(T)
    await world.turn('do it')
    const request = await world.begin('and this')
    await world.stop.resume(T)
    await world.settled()
    expect(typed()).toEqual([])
    await world.end(request)
    await world.settled()
    expect(typed()).toEqual(['go on'])
  })
  it('of everything: nothing is decided, and all scopes are looked at again', async () => {
    await arm()
    await world.stop.pauseAll()
    await world.turn('do it')
    expect(world.events.findLast((e) => e.type === 'skipped')).toMatchObject({ reason: { code: 'paused', by: 'global' } })
    await world.stop.resumeAll()
    await world.settled()
    expect(typed()).toEqual(['go on'])
  })
  it('holds what a person queued, where nothing is armed', async () => {
    await world.turn('hello')
    await world.stop.pause(T)
    await (await outbox()).add({ sessionId: 's1', text: 'by hand', source: 'user' })
    await world.clock.advance(60_000)
    expect(typed()).toEqual([])
    await world.stop.resume(T)
    await world.settled()
    expect(typed()).toEqual(['by hand'])
  })
})

describe('failure', () => {
  it('clears, keeps the text for one click, tells once; the client was served long before', async () => {
    world.target().answer = () => ({ kind: 'failed', reason: { code: 'not-submitted' } })
    await arm()
    await world.turn('do it')
    await world.settled()
    expect(view()).toMatchObject({ text: 'go on', used: 0, max: 3, status: { kind: 'failed', reason: { code: 'not-submitted' } } })
    expect(world.notices).toEqual([{ class: 'injection-failed', reason: { code: 'not-submitted' } }])
    expect(types()).toContain('stop-message-failed')
    await world.turn('never mind')
    await world.clock.advance(600_000)
    expect(typed()).toEqual(['go on'])
    expect(world.stop.view(T)).toMatchObject({ stopMessage: null, lastStopMessage: { text: 'go on', clearedBy: 'failure' } })
  })
  it('armed again by one click, it goes on where it was', async () => {
    await arm()
    await world.turn('do it')
    await round()
    world.target().answer = () => ({ kind: 'failed', reason: { code: 'dialog-took-text' } })
    await world.settled()
    world.target().answer = () => ({ kind: 'submitted', extraEnter: false })
    await world.stop.rearm(T)
    await world.settled()
    expect(view()).toMatchObject({ used: 2, max: 3 })
    expect(typed()).toHaveLength(3)
  })
  it('of a terminal that is gone is not typed after', async () => {
    world.target().reading = { kind: 'gone', reason: { code: 'terminal-gone', why: 'pane closed' } }
    await arm()
    await world.turn('do it')
    await world.settled()
    expect(status()).toMatchObject({ kind: 'failed', reason: { code: 'terminal-gone' } })
    await world.stop.rearm(T)
    await world.settled()
    expect(typed()).toEqual([])
    expect(status()).toEqual({ kind: 'armed' })
  })
  it('a terminal found gone when the turn ends: cleared, failed', async () => {
    await arm()
    const request = await world.begin('do it')
    world.gone.set(T, 'pane closed')
    await world.end(request, { clientLeft: true })
    expect(status()).toMatchObject({ kind: 'failed', reason: { code: 'terminal-gone', why: 'pane closed' } })
    expect(world.stop.view(T).lastStopMessage).toMatchObject({ clearedBy: 'terminal-gone' })
  })
  it('nothing to arm again is said', async () => {
    await expect(world.stop.rearm(T)).rejects.toMatchObject({ code: 'nothing-to-rearm' })
  })
  it('of a text that cannot be typed gives up', async () => {
    world = await openWorld({ safeText: () => '' })
    await arm()
    await world.turn('do it')
    expect(status()).toMatchObject({ kind: 'failed', reason: { code: 'typing-failed' } })
  })
})

describe('a receipt that does not come', () => {
  const lose = async () => {
    await arm()
    await world.turn('do it')
    await world.settled()
    await world.clock.advance(world.settings.receiptMs)
  }
  it('pauses the session, text kept, told once', async () => {
    await lose()
    expect(view()).toMatchObject({ text: 'go on', used: 1, status: { kind: 'paused', reason: { code: 'not-received' } } })
    expect((await outbox()).paused()).toEqual({ code: 'not-received' })
    expect(world.notices).toEqual([{ class: 'injection-failed', reason: { code: 'not-received' } }])
  })
  it('resumed, the next round goes out', async () => {
    await lose()
    await world.stop.resume(T)
    await world.settled()
    expect(view()).toMatchObject({ used: 2, status: { kind: 'injecting' } })
    expect(typed()).toHaveLength(2)
  })
  it('comes late: what it was paused for has not happened, and it goes on by itself', async () => {
    await lose()
    await world.turn('go on')
    expect((await outbox()).paused()).toBeNull()
    expect(view()).toMatchObject({ used: 1, status: { kind: 'injecting' } })
    await world.settled()
    expect(typed()).toHaveLength(2)
  })
  it('after a crash in the middle of typing: asks after a minute, counts only if it was submitted', async () => {
    world.target().answer = () => new Promise(() => {})
    await arm()
    await world.turn('do it')
    await world.settled()
    world = await world.kill()
    expect(await states()).toEqual(['unknown'])
    expect(status()?.kind).toBe('injecting')
    await world.clock.advance(world.settings.receiptMs)
    expect(view()).toMatchObject({ used: 0, status: { kind: 'paused', reason: { code: 'not-received' } } })
    await world.turn('go on')
    expect(view()).toMatchObject({ used: 1, status: { kind: 'injecting' } })
  })
  it('after a crash, the person going on settles it without a question', async () => {
    world.target().answer = () => new Promise(() => {})
    await arm()
    await world.turn('do it')
    await world.settled()
    world = await world.kill()
    const request = await world.begin('I am here')
    await world.clock.advance(600_000)
    expect(status()).toEqual({ kind: 'armed' })
    world.target().answer = () => ({ kind: 'submitted', extraEnter: false })
    await world.end(request)
    await world.settled()
    expect(view()?.used).toBe(1)
  })
})

describe('followups of others', () => {
  it('that fail are told of, and touch no stopMessage', async () => {
    await arm()
    await world.turn('do it', { finish: 'length' })
    world.target().answer = () => ({ kind: 'failed', reason: { code: 'not-submitted' } })
    await (await outbox()).add({ sessionId: 's1', text: 'by hand', source: 'user' })
    await world.settled()
    expect(world.notices).toEqual([{ class: 'injection-failed', reason: { code: 'not-submitted' } }])
    expect(status()).toEqual({ kind: 'armed' })
  })
  it('that are not received pause nothing', async () => {
    await arm()
    await world.turn('do it', { finish: 'length' })
    await (await outbox()).add({ sessionId: 's1', text: 'by hand', source: 'user' })
    await world.settled()
    await world.clock.advance(world.settings.receiptMs)
    expect(world.notices).toEqual([{ class: 'injection-failed', reason: { code: 'not-received' } }])
    expect(status()).toEqual({ kind: 'armed' })
    expect((await outbox()).paused()).toBeNull()
  })
  it('that find the terminal gone clear it', async () => {
    await arm()
    await world.turn('do it', { finish: 'length' })
    world.target().reading = { kind: 'gone', reason: { code: 'terminal-gone', why: 'closed' } }
    await (await outbox()).add({ sessionId: 's1', text: 'by hand', source: 'user' })
    await world.settled()
    expect(status()).toMatchObject({ kind: 'failed', reason: { code: 'terminal-gone' } })
    expect(world.notices).toHaveLength(1)
  })
  it('that are held long are told of', async () => {
    world.target().reading = { kind: 'hold', reason: { code: 'draft' } }
    await arm()
    await world.turn('do it')
    await world.clock.advance(600_000)
    expect(world.notices).toMatchObject([{ class: 'held-long', reason: { code: 'draft' } }])
  })
})

describe('budgets', () => {
  it('ask: paused, one notification, one click to go on', async () => {
    world.budgets = { ...world.budgets, rounds: 2 }
    await arm({ max: null })
    await world.turn('do it')
    await round()
    await round()
    expect(status()).toMatchObject({ kind: 'paused', reason: { code: 'budget', budget: 'rounds', limit: 2 } })
    expect(world.notices).toEqual([{ class: 'budget', budget: 'rounds', limit: 2 }])
    await world.clock.advance(600_000)
    expect(typed()).toHaveLength(2)
    await world.stop.resume(T)
    await world.settled()
    expect(typed()).toHaveLength(3)
  })
  it('more rounds on what is done go on from the last stop', async () => {
    await arm({ max: 1 })
    await world.turn('do it')
    await round()
    expect(status()?.kind).toBe('done')
    await world.stop.addRounds(T, 10)
    await world.settled()
    expect(view()).toMatchObject({ used: 2, max: 11, text: 'go on' })
    await expect(world.stop.addRounds('tmux:nobody', 10)).rejects.toMatchObject({ code: 'nothing-armed' })
  })
})

describe('a disk that refuses', () => {
  it('to set: the caller hears of it and the old setting stands', async () => {
    await arm()
    world.disk.fate = (path) => (path === 'tmux-main.json' ? 'fail' : 'ok')
    await expect(arm({ text: 'other' })).rejects.toMatchObject({ code: 'store-failed' })
    expect(view()).toMatchObject({ text: 'go on', used: 0 })
    world.disk.fate = () => 'ok'
    await world.clock.advance(10_000)
    world = await world.kill()
    expect(view()).toMatchObject({ text: 'go on' })
  })
  it('to clear: it is cleared all the same, and the caller hears that it is not saved', async () => {
    await arm()
    await world.turn('do it')
    world.disk.fate = () => 'fail'
    await expect(world.stop.clear(T, 'user')).rejects.toMatchObject({ code: 'store-failed' })
    expect(view()).toBeNull()
    await world.clock.advance(60_000)
    expect(typed()).toEqual([])
    world.disk.fate = () => 'ok'
    await world.clock.advance(10_000)
    world = await world.kill()
    await world.clock.advance(60_000)
    expect(view()).toBeNull()
    expect(typed()).toEqual([])
  })
  it('to queue: the stop is not forgotten, and answered when the disk is back', async () => {
    await arm()
    world.disk.fate = () => 'fail'
    await world.turn('do it')
    await world.clock.advance(60_000)
    expect(typed()).toEqual([])
    world.disk.fate = () => 'ok'
    await world.clock.advance(10_000)
    expect(typed()).toEqual(['go on'])
    expect(view()?.used).toBe(1)
  })
})

describe('a start finds both files at odds', () => {
  const sticky = () => JSON.parse(world.disk.files.get('tmux-main.json') ?? '')
  const put = (change: object) => world.disk.files.set('tmux-main.json', JSON.stringify({ ...sticky(), ...change }))
  const queue = async () => {
    world.target().reading = { kind: 'hold', reason: { code: 'draft' } }
    await arm()
    await world.turn('do it')
  }
  it('queued, and the state does not know of it yet', async () => {
    await queue()
    put({ stopMessageStatus: { kind: 'armed' } })
    world = await world.kill()
    expect(status()).toMatchObject({ kind: 'injecting' })
  })
  it('queued for a setting that was cleared: it is not typed', async () => {
    await queue()
    put({ stopMessageText: null, stopMessageStatus: null })
    world = await world.kill()
    expect(await states()).toEqual(['superseded'])
  })
  it('queued for another setting: it is not typed', async () => {
    await queue()
    put({ stopMessageArmId: 'later', stopMessageStatus: { kind: 'armed' } })
    world = await world.kill()
    expect(await states()).toEqual(['superseded'])
    expect(status()).toEqual({ kind: 'armed' })
  })
  it('ended, and the state still waits for it', async () => {
    await queue()
    const before = world.disk.files.get('tmux-main.json') ?? ''
    await (await outbox()).cancel((await outbox()).list()[0]?.id ?? '')
    world.disk.files.set('tmux-main.json', before)
    world = await world.kill()
    expect(status()).toEqual({ kind: 'armed' })
  })
  it('submitted, and not counted', async () => {
    await arm()
    await world.turn('do it')
    const before = world.disk.files.get('tmux-main.json') ?? ''
    await world.settled()
    world.disk.files.set('tmux-main.json', before)
    world = await world.kill()
    expect(view()).toMatchObject({ used: 1, status: { kind: 'injecting' } })
    world = await world.kill()
    expect(view()?.used).toBe(1)
  })
  it('confirmed at max, and not done', async () => {
    await arm({ max: 1 })
    await world.turn('do it')
    await world.settled()
    const before = world.disk.files.get('tmux-main.json') ?? ''
    await world.turn('go on')
    world.disk.files.set('tmux-main.json', before)
    world = await world.kill()
    expect(status()).toMatchObject({ kind: 'done', reason: { code: 'rounds-used', used: 1, max: 1 } })
  })
  it('failed, and the state still waits for it', async () => {
    await arm()
    await world.turn('do it')
    const before = world.disk.files.get('tmux-main.json') ?? ''
    world.target().answer = () => ({ kind: 'failed', reason: { code: 'agent-gone' } })
    await world.settled()
    world.disk.files.set('tmux-main.json', before)
    world = await world.kill()
    expect(status()).toMatchObject({ kind: 'failed', reason: { code: 'agent-gone' } })
  })
  it('paused in one of them: paused', async () => {
    await arm()
    await world.turn('do it')
    const before = world.disk.files.get('tmux-main.json') ?? ''
    await world.stop.pause(T)
    world.disk.files.set('tmux-main.json', before)
    world = await world.kill()
    expect(status()).toMatchObject({ kind: 'paused', reason: { code: 'by-user' } })
  })
  it('a file that cannot be read is told of and stops no other scope', async () => {
    await arm()
    world.disk.files.set('pty-x.json', '{"scope": 7}')
    world = await world.kill()
    expect(world.events).toMatchObject([{ type: 'store-problem', file: 'pty-x.json' }])
    expect(view()?.text).toBe('go on')
  })
})

describe('reenter mode', () => {
  const S: Scope = 'session:s1'
  const armSession = (max: number | null = 2) => world.stop.arm(S, { sessionId: 's1', text: 'go on', max, review: false, by: 'marker' })
  it('gives the text and counts before it is sent; at max it is done', async () => {
    await armSession()
    expect(await world.stop.reenterText(stopped)).toEqual({ text: 'go on', round: 1 })
    expect(JSON.parse(world.disk.files.get('reenter-s1.json') ?? '')).toMatchObject({ stopMessageUsed: 1 })
    expect(await world.stop.reenterText(stopped)).toEqual({ text: 'go on', round: 2 })
    expect(await world.stop.reenterText(stopped)).toBeNull()
    expect(world.stop.view(S).stopMessage).toMatchObject({ used: 2, status: { kind: 'done' } })
    expect(world.notices).toHaveLength(1)
    await world.stop.reenterBegun('s1', true)
    expect(world.stop.view(S).stopMessage).toBeNull()
  })
  it.each([
    ['the client left', { clientLeft: true }, 'client-left'],
    ['it called a tool', { finish: 'tool-calls' as const }, 'not-a-plain-stop'],
    ['it is the inner exchange itself', { reentered: true }, 'reentered-followup'],
  ])('stops when %s', async (_, more, code) => {
    await armSession()
    expect(await world.stop.reenterText({ ...stopped, ...more })).toBeNull()
    expect(world.events.at(-1)).toMatchObject({ type: 'skipped', reason: { code } })
    expect(world.stop.view(S).stopMessage).toMatchObject({ used: 0, status: { kind: 'armed' } })
  })
  it('sends nothing that could not be counted', async () => {
    await armSession()
    world.disk.fate = () => 'fail'
    expect(await world.stop.reenterText(stopped)).toBeNull()
    expect(world.events.at(-1)).toMatchObject({ type: 'engine-problem', code: 'store-failed' })
    expect(world.stop.view(S).stopMessage?.used).toBe(0)
  })
  it('does nothing for a turn without a session', async () => {
    expect(await world.stop.reenterText({ ...stopped, sessionId: null })).toBeNull()
  })
})
