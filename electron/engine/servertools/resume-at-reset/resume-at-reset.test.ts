import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDisk, type Fate } from '../../terminals/outbox/testing/memory-store.ts'
import { openWorld, type World } from './testing/world.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute

let world: World
const now = () => world.clock.now()
const types = (session?: string) => world.told(session).map((body) => body.type)
const after = (ms: number) => world.clock.advance(ms)
const on = (session = 's1') => world.resume.set(session, true)
const dispose = () => { world.resume.dispose(); world.outboxes.dispose() }

beforeEach(async () => { world = await openWorld() })
afterEach(dispose)

describe('a session at a limit', () => {
  it('is continued once when it lifts, if that was switched on', async () => {
    await on()
    const lifts = now() + 2 * hour
    await world.limitedTurn('s1', lifts)
    expect(world.resume.limitOf('s1')).toEqual({ provider: 'zai', since: now(), lifts, resume: true, resumeAt: lifts + 5 * second })
    await after(2 * hour + 4 * second)
    expect(world.typed()).toEqual([])
    await after(2 * second)
    expect(world.typed()).toEqual(['Continue.'])
    expect(world.resume.limitOf('s1')).toBeNull()
    await world.goodTurn('s1', 'Continue.')
    await after(48 * hour)
    expect(world.typed()).toEqual(['Continue.'])
    expect(world.told('s1')).toEqual([{ type: 'resume-set', at: null }, { type: 'limit-reached', provider: 'zai', lifts, resumeAt: lifts + 5 * second }])
  })

  it('is left alone without the switch, and no limit once it lifted', async () => {
    await world.limitedTurn('s1', now() + hour)
    expect(world.resume.limitOf('s1')).toMatchObject({ resume: false, resumeAt: null })
    await after(hour + 5 * second)
    expect(world.resume.limitOf('s1')).toBeNull()
    await after(48 * hour)
    expect(world.typed()).toEqual([])
    expect(types()).toEqual(['limit-reached'])
    expect(world.clock.pending()).toBe(0)
  })

  it('speaks the person’s language', async () => {
    world.language = 'zh-CN'
    await on()
    await world.limitedTurn('s1', now() + hour)
    await after(2 * hour)
    expect(world.typed()).toEqual(['继续。'])
  })

  it('is told once, however often its client tries again', async () => {
    await on()
    const since = now()
    const lifts = now() + hour
    for (let i = 0; i < 20; i++) {
      await world.limitedTurn('s1', lifts + i * 100, { since: since + i * 7 })
      await after(2 * second)
    }
    expect(types('s1')).toEqual(['resume-set', 'limit-reached'])
    expect(world.notices).toEqual([{ class: 'limit', provider: 'zai', change: 'reached', liftsAt: lifts }])
    await after(2 * hour)
    expect(world.typed()).toEqual(['Continue.'])
    expect(world.notices.at(-1)).toEqual({ class: 'limit', provider: 'zai', change: 'lifted', liftsAt: null })
    expect(world.notices).toHaveLength(2)
  })

  it('goes by the last time that was told', async () => {
    await on()
    await world.limitedTurn('s1', null)
    expect(world.resume.limitOf('s1')).toMatchObject({ resume: true, resumeAt: null })
    await world.limitedTurn('s1', now() + hour)
    expect(world.resume.limitOf('s1')).toMatchObject({ lifts: now() + hour, resumeAt: now() + hour + 5 * second })
    await world.limitedTurn('s1', now() + 3 * hour)
    await after(2 * hour)
    expect(world.typed()).toEqual([])
    await after(2 * hour)
    expect(world.typed()).toEqual(['Continue.'])
    expect(types('s1')).toEqual(['resume-set', 'limit-reached'])
  })

  it('that reaches the next limit after it went on is continued again', async () => {
    await on()
    for (let i = 1; i <= 5; i++) {
      await world.limitedTurn('s1', now() + 5 * hour, { text: i === 1 ? 'do it' : 'Continue.' })
      await after(5 * hour + 10 * second)
      expect(world.typed()).toHaveLength(i)
    }
    expect(types('s1').filter((type) => type === 'limit-reached')).toHaveLength(5)
    expect(types('s1')).not.toContain('resume-failed')
  })
})

describe('the switch', () => {
  it('set at the limit counts for it; taken away before it lifts, nothing is typed', async () => {
    await world.limitedTurn('s1', now() + hour)
    await on()
    const at = now() + hour + 5 * second
    expect(world.told('s1').at(-1)).toEqual({ type: 'resume-set', at })
    await world.resume.set('s1', false)
    expect(world.told('s1').at(-1)).toEqual({ type: 'resume-cancelled', why: 'switched-off' })
    expect(world.resume.isOn('s1')).toBe(false)
    expect(world.resume.limitOf('s1')).toMatchObject({ resume: false, resumeAt: null })
    await after(3 * hour)
    expect(world.typed()).toEqual([])
  })

  it('set twice is set once', async () => {
    await on()
    await on()
    await world.resume.set('s1', false)
    await world.resume.set('s1', false)
    expect(types('s1')).toEqual(['resume-set'])
  })

  it('takes a followup out of the queue that was not typed yet', async () => {
    await on()
    world.target('tmux:s1').reading = { kind: 'hold', reason: { code: 'agent-busy' } }
    await world.limitedTurn('s1', now() + hour)
    await after(hour + 10 * second)
    const outbox = await world.outboxes.of('tmux:s1')
    expect(outbox.list().map((e) => [e.state, e.source])).toEqual([['queued', 'clock']])
    await world.resume.set('s1', false)
    expect(outbox.list().map((e) => e.state)).toEqual(['cancelled'])
    expect(world.told('s1').at(-1)).toEqual({ type: 'resume-cancelled', why: 'switched-off' })
  })

  it('that can’t be saved is not set', async () => {
    world.disk.fate = () => 'fail'
    await expect(on()).rejects.toMatchObject({ code: 'store-failed' })
    expect(world.resume.isOn('s1')).toBe(false)
    expect(types('s1')).toEqual([])
  })
})

describe('cancelling', () => {
  it('counts for this limit, and the switch stays', async () => {
    await on()
    await world.limitedTurn('s1', now() + hour)
    await world.resume.cancel('s1')
    expect(world.told('s1').at(-1)).toEqual({ type: 'resume-cancelled', why: 'user' })
    await world.limitedTurn('s1', now() + hour)
    expect(world.resume.limitOf('s1')).toMatchObject({ resume: false, resumeAt: null })
    await after(2 * hour)
    expect(world.typed()).toEqual([])
    expect(world.resume.isOn('s1')).toBe(true)
    await world.limitedTurn('s1', now() + hour)
    await after(2 * hour)
    expect(world.typed()).toEqual(['Continue.'])
  })

  it('is taken back by switching on once more', async () => {
    await on()
    await world.limitedTurn('s1', now() + hour)
    await world.resume.cancel('s1')
    await on()
    await after(2 * hour)
    expect(world.typed()).toEqual(['Continue.'])
  })

  it('reaches a followup that waits in the queue', async () => {
    await on()
    world.target('tmux:s1').reading = { kind: 'hold', reason: { code: 'dialog-open' } }
    await world.limitedTurn('s1', now() + hour)
    await after(hour + 10 * second)
    await world.resume.cancel('s1')
    world.target('tmux:s1').reading = { kind: 'ready', bracketedPaste: true }
    await after(hour)
    expect(world.typed()).toEqual([])
  })

  it.each([['no limit', async () => {}], ['a limit without the switch', async () => world.limitedTurn('s1', now() + hour)]] as const)('is refused with %s', async (_name, before) => {
    await before()
    await expect(world.resume.cancel('s1')).rejects.toMatchObject({ code: 'nothing-waits' })
  })
})

describe('a session that goes on by itself', () => {
  it('is not continued any more', async () => {
    await on()
    await world.limitedTurn('s1', now() + hour)
    await after(10 * minute)
    await world.goodTurn('s1')
    expect(world.told('s1').at(-1)).toEqual({ type: 'resume-cancelled', why: 'went-on' })
    expect(world.resume.limitOf('s1')).toBeNull()
    await after(2 * hour)
    expect(world.typed()).toEqual([])
  })

  it('also takes its followup out of the queue', async () => {
    await on()
    world.target('tmux:s1').reading = { kind: 'hold', reason: { code: 'draft' } }
    await world.limitedTurn('s1', now() + hour)
    await after(hour + 10 * second)
    const request = await world.begin('s1', 'and now this')
    world.target('tmux:s1').reading = { kind: 'ready', bracketedPaste: true }
    await world.end(request)
    world.resume.wentOn('s1')
    await after(minute)
    expect(world.typed()).toEqual([])
    expect((await world.outboxes.of('tmux:s1')).list().map((e) => e.state)).toEqual(['superseded'])
    expect(world.told('s1').at(-1)).toEqual({ type: 'resume-cancelled', why: 'went-on' })
  })

  it('has nothing told of it when no continuation waited', async () => {
    await world.limitedTurn('s1', now() + hour)
    await world.goodTurn('s1')
    await world.goodTurn('s2')
    expect(types()).toEqual(['limit-reached'])
    expect(world.disk.files.get('resume-at-reset.json')).not.toContain('s1')
  })

  it('is seen even while its limit is still being written', async () => {
    await on()
    await world.end(await world.begin('s1'))
    world.resume.limited('s1', { provider: 'zai', since: now(), lifts: now() + hour })
    world.resume.wentOn('s1')
    await after(0)
    expect(world.resume.limitOf('s1')).toBeNull()
  })
})

describe('sessions of one provider', () => {
  it('go on one after the other', async () => {
    const lifts = now() + hour
    for (let i = 0; i < 5; i++) {
      await on(`s${i}`)
      await world.limitedTurn(`s${i}`, lifts)
    }
    await on('other')
    await world.limitedTurn('other', lifts, { provider: 'anth' })
    expect(Array.from({ length: 5 }, (_, i) => world.resume.limitOf(`s${i}`)?.resumeAt)).toEqual([5, 8, 11, 14, 17].map((s) => lifts + s * second))
    expect(world.resume.limits()).toEqual([{ provider: 'zai', since: expect.any(Number), lifts, resuming: 5 }, { provider: 'anth', since: expect.any(Number), lifts, resuming: 1 }])
    await after(hour + 6 * second)
    const typed = () => [0, 1, 2, 3, 4].filter((i) => world.typed(`s${i}`).length > 0)
    expect(typed()).toEqual([0])
    expect(world.typed('other')).toEqual(['Continue.'])
    await after(3 * second)
    expect(typed()).toEqual([0, 1])
    await after(9 * second)
    expect(typed()).toEqual([0, 1, 2, 3, 4])
    expect(world.resume.limits()).toEqual([])
  })

  it('that all became due while the machine slept still go on one after the other', async () => {
    for (let i = 0; i < 4; i++) {
      await on(`s${i}`)
      await world.limitedTurn(`s${i}`, now() + hour + i * 10 * minute)
    }
    world = await world.kill()
    dispose()
    await after(6 * hour)
    world = await world.kill()
    const typed = () => [0, 1, 2, 3].filter((i) => world.typed(`s${i}`).length > 0).length
    await after(second)
    expect(typed()).toBe(1)
    await after(3 * second)
    expect(typed()).toBe(2)
    await after(10 * second)
    expect(typed()).toBe(4)
  })

  it('wait on together when one of them learns that it takes longer', async () => {
    for (const session of ['s1', 's2']) {
      await on(session)
      await world.limitedTurn(session, now() + minute)
    }
    await after(66 * second)
    expect([world.typed('s1'), world.typed('s2')]).toEqual([['Continue.'], []])
    const lifts = now() + 4 * hour
    await world.limitedTurn('s1', lifts, { text: 'Continue.' })
    expect(world.resume.limitOf('s2')).toMatchObject({ lifts, resumeAt: lifts + 5 * second })
    await after(hour)
    expect(world.typed('s2')).toEqual([])
    await after(4 * hour)
    expect([world.typed('s1'), world.typed('s2')]).toEqual([['Continue.', 'Continue.'], ['Continue.']])
  })
})

describe('a limit that tells no time', () => {
  it('is over when the provider answers', async () => {
    await on()
    await world.limitedTurn('s1', null)
    await world.limitedTurn('s2', null)
    expect(world.notices).toEqual([{ class: 'limit', provider: 'zai', change: 'reached', liftsAt: null }])
    await after(20 * hour)
    world.resume.answered('anth')
    expect(world.typed()).toEqual([])
    world.resume.answered('zai')
    await after(second)
    expect(world.typed()).toEqual(['Continue.'])
    expect([world.resume.limitOf('s2'), world.resume.limits()]).toEqual([null, []])
  })

  it('is forgotten after a week, which is said', async () => {
    await on()
    await world.limitedTurn('s1', null)
    await after(7 * 24 * hour + 2 * minute)
    expect(world.told('s1').at(-1)).toEqual({ type: 'resume-failed', message: 'the provider has not answered for a week' })
    expect(world.resume.limits()).toEqual([])
    expect(world.clock.pending()).toBe(0)
  })
})

describe('a provider that answers before its time', () => {
  it('lets its sessions go on at once, one after the other, however often it is said', async () => {
    for (const session of ['s1', 's2', 's3']) {
      await on(session)
      await world.limitedTurn(session, now() + 5 * hour)
    }
    await after(hour)
    world.resume.lifted('zai')
    world.resume.lifted('zai')
    await after(second)
    world.resume.lifted('zai')
    expect(['s1', 's2', 's3'].map((s) => world.typed(s).length)).toEqual([1, 0, 0])
    await after(6 * second)
    expect(['s1', 's2', 's3'].map((s) => world.typed(s).length)).toEqual([1, 1, 1])
    await after(24 * hour)
    expect(['s1', 's2', 's3'].map((s) => world.typed(s).length)).toEqual([1, 1, 1])
    expect(world.notices.filter((n) => n.class === 'limit').map((n) => n.change)).toEqual(['reached', 'lifted'])
  })

  it('does not hold for the next session while a time it told stands', async () => {
    await on()
    await world.limitedTurn('s1', now() + hour)
    world.resume.answered('zai')
    await after(minute)
    expect(world.typed()).toEqual([])
  })
})

describe('limits that are none', () => {
  it.each([['lift at once', 30 * second], ['tell no time', null]] as const)('stop it after three continuations when they %s', async (_name, left) => {
    await on()
    for (let i = 0; i < 6; i++) {
      await world.limitedTurn('s1', left === null ? null : now() + left, { text: i === 0 ? 'do it' : 'Continue.' })
      await after(20 * second)
      world.resume.lifted('zai')
      await after(30 * second)
    }
    expect(world.typed()).toEqual(['Continue.', 'Continue.', 'Continue.'])
    expect(types('s1').filter((type) => type === 'resume-failed')).toHaveLength(1)
    expect(world.notices.filter((n) => n.class === 'injection-failed')).toHaveLength(1)
  })

  it('begin anew when a person switches it on once more', async () => {
    await on()
    for (let i = 0; i < 5; i++) {
      await world.limitedTurn('s1', now() + 30 * second, { text: i === 0 ? 'do it' : 'Continue.' })
      await after(minute)
    }
    expect(world.typed()).toHaveLength(3)
    expect(world.resume.limitOf('s1')).toBeNull()
    await on()
    await world.limitedTurn('s1', now() + hour)
    await after(2 * hour)
    expect(world.typed()).toHaveLength(4)
  })

  it('are not counted over a turn that was answered', async () => {
    await on()
    for (let i = 0; i < 6; i++) {
      await world.limitedTurn('s1', now() + 30 * second)
      await after(minute)
      await world.goodTurn('s1', 'Continue.')
    }
    expect(world.typed()).toHaveLength(6)
  })

  it('stop it too when the provider is said to answer and refuses again, over and over', async () => {
    await on()
    const lifts = now() + 50 * hour
    for (let i = 0; i < 8; i++) {
      await world.limitedTurn('s1', lifts, { text: i === 0 ? 'do it' : 'Continue.' })
      world.resume.lifted('zai')
      await after(minute)
    }
    expect(world.typed()).toHaveLength(3)
  })
})

describe('without a terminal', () => {
  it.each([['no-terminal', 'it has no terminal that Onward can type into'], ['terminal-gone', 'its terminal was closed']] as const)('%s is said once', async (place, message) => {
    await on()
    await world.limitedTurn('s1', now() + hour)
    world.places.set('s1', place)
    await after(30 * hour)
    expect(world.told('s1').filter((body) => body.type === 'resume-failed')).toEqual([{ type: 'resume-failed', message }])
    expect(world.notices.filter((n) => n.class === 'injection-failed')).toHaveLength(1)
    expect(world.resume.limitOf('s1')).toBeNull()
  })
})

describe('a pause', () => {
  it('holds the followup in the queue', async () => {
    await on()
    await world.limitedTurn('s1', now() + hour)
    await world.outboxes.pauseAll()
    await after(5 * hour)
    expect(world.typed()).toEqual([])
    expect((await world.outboxes.of('tmux:s1')).list()).toMatchObject([{ state: 'queued', hold: { code: 'paused', by: 'global' } }])
    await world.outboxes.resumeAll()
    await after(second)
    expect(world.typed()).toEqual(['Continue.'])
  })
})

describe('after a restart', () => {
  it('the switch, the limit and its time are as they were', async () => {
    await on()
    await world.limitedTurn('s1', now() + hour)
    const before = [world.resume.limitOf('s1'), world.resume.limits(), world.resume.isOn('s1')]
    world = await world.kill()
    expect([world.resume.limitOf('s1'), world.resume.limits(), world.resume.isOn('s1')]).toEqual(before)
    await after(2 * hour)
    expect(world.typed()).toEqual(['Continue.'])
  })

  it('what became due less than a day ago is done, what is older is said', async () => {
    await on('s1')
    await on('s2')
    await world.limitedTurn('s1', now() + hour)
    await world.limitedTurn('s2', now() + 20 * hour, { provider: 'anth' })
    dispose()
    await after(30 * hour)
    world = await world.kill()
    await after(second)
    expect([world.typed('s1'), world.typed('s2')]).toEqual([[], ['Continue.']])
    expect(world.told('s1')).toEqual([{ type: 'resume-failed', message: 'that was more than a day ago, and Onward was not running' }])
    world = await world.kill()
    await after(hour)
    expect(world.told('s1')).toEqual([])
  })

  const fates: Fate[] = ['crash', 'crash-after', 'fail', 'fail-after']
  const files = ['outbox/tmux-s1.json', 'resume-at-reset.json']
  it.each(fates.flatMap((fate) => files.flatMap((file) => [1, 2, 3].map((nth) => [fate, file, nth] as const))))('it is typed once: %s at %s, write %i', async (fate, file, nth) => {
    await on()
    await world.limitedTurn('s1', now() + hour)
    let left: number = nth
    world.disk.fate = (path) => (path === file && --left === 0 ? fate : 'ok')
    await after(hour + 10 * second)
    world = await world.kill()
    await after(2 * hour)
    world = await world.kill()
    await after(2 * hour)
    // Onward died in the middle of typing: whether the text arrived is not known, so it is never typed again.
    const died = fate.startsWith('crash') && file.startsWith('outbox') && nth === 2
    if (died) expect(world.typed().length).toBeLessThanOrEqual(1)
    else expect(world.typed()).toEqual(['Continue.'])
    expect((await world.outboxes.of('tmux:s1')).list()).toHaveLength(1)
  })

  it('a followup that only the outbox knows of can still be taken back', async () => {
    await on()
    world.target('tmux:s1').reading = { kind: 'hold', reason: { code: 'agent-busy' } }
    await world.limitedTurn('s1', now() + hour)
    world.disk.fate = (path) => (path.startsWith('outbox/') ? 'crash-after' : 'ok')
    await after(hour + 10 * second)
    world = await world.kill()
    await world.resume.cancel('s1')
    world.target('tmux:s1').reading = { kind: 'ready', bracketedPaste: true }
    await after(hour)
    expect(world.typed()).toEqual([])
    expect((await world.outboxes.of('tmux:s1')).list().map((e) => e.state)).toEqual(['cancelled'])
  })

  it('a file of a newer version stops nothing else, and is not overwritten', async () => {
    dispose()
    const disk = createDisk()
    disk.files.set('resume-at-reset.json', '{"on": 7}')
    world = await openWorld({ disk })
    expect(types()).toEqual(['store-problem'])
    await expect(on()).rejects.toThrow()
    expect(disk.files.get('resume-at-reset.json')).toBe('{"on": 7}')
  })
})

describe('a provider at its limit whose turns another one takes', () => {
  it('is told of and shown until it lifts, with nobody waiting', async () => {
    const lifts = now() + hour
    world.resume.reached('zai', { since: now(), lifts })
    world.resume.reached('zai', { since: now(), lifts: lifts + second })
    await after(0)
    expect(world.resume.limits()).toEqual([{ provider: 'zai', since: now(), lifts, resuming: 0 }])
    await world.limitedTurn('s1', lifts)
    expect(world.notices).toHaveLength(1)
    await after(hour + 5 * second)
    expect(world.resume.limits()).toEqual([])
    expect(world.notices.map((n) => n.class === 'limit' && n.change)).toEqual(['reached', 'lifted'])
  })
})

describe('the clock', () => {
  it('that jumps forward is noticed within a minute', async () => {
    let skipped = 0
    const clock = world.clock
    dispose()
    world = await openWorld({ clock: { ...clock, now: () => clock.now() + skipped, monotonic: () => clock.monotonic(), after: clock.after, advance: clock.advance, pending: clock.pending } })
    await on()
    await world.limitedTurn('s1', now() + 10 * hour)
    skipped = 10 * hour + 5 * second
    await after(61 * second)
    expect(world.typed()).toEqual(['Continue.'])
  })

  it('that is set back makes it wait for the time that was told', async () => {
    let skipped = 0
    const clock = world.clock
    dispose()
    world = await openWorld({ clock: { ...clock, now: () => clock.now() + skipped } })
    await on()
    await world.limitedTurn('s1', now() + hour)
    skipped = -hour
    await after(90 * minute)
    expect(world.typed()).toEqual([])
    await after(31 * minute)
    expect(world.typed()).toEqual(['Continue.'])
  })
})

describe('a disk that refuses', () => {
  it('is asked again until the followup is in the queue', async () => {
    await on()
    await world.limitedTurn('s1', now() + hour)
    world.disk.fate = () => 'fail'
    await after(hour + 3 * minute)
    expect(world.typed()).toEqual([])
    world.disk.fate = () => 'ok'
    await after(2 * minute)
    expect(world.typed()).toEqual(['Continue.'])
  })
})

describe('the file', () => {
  it('keeps what waits and lets the oldest go', async () => {
    for (let i = 0; i < 520; i++) world.resume.limited(`s${i}`, { provider: 'zai', since: now(), lifts: now() + hour })
    await after(second)
    expect(Array.from({ length: 520 }, (_, i) => world.resume.limitOf(`s${i}`)).filter((l) => l !== null)).toHaveLength(500)
    expect(world.resume.limitOf('s519')).not.toBeNull()
    expect(world.resume.limitOf('s0')).toBeNull()
  })

  it('bears any name a client gives its session', async () => {
    await on('__proto__')
    world.places.set('__proto__', 'tmux:odd')
    await world.limitedTurn('__proto__', now() + hour)
    world = await world.kill()
    expect(world.resume.isOn('__proto__')).toBe(true)
    expect(world.resume.isOn('toString')).toBe(false)
    await after(2 * hour)
    expect(world.typed('__proto__')).toEqual(['Continue.'])
  })
})
