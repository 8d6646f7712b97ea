import { describe, expect, it } from 'vitest'
import { eachWorld, hour, minute, second } from './testing/each-world.ts'

const w = eachWorld()
const { after, now, on, types } = w

describe('a session at a limit', () => {
  it('is continued once when it lifts, if that was switched on', async () => {
    await on()
    const lifts = now() + 2 * hour
    await w.world.limitedTurn('s1', lifts)
    expect(w.world.resume.limitOf('s1')).toEqual({
      provider: 'zai',
      since: now(),
      lifts,
      resume: true,
      resumeAt: lifts + 5 * second,
    })
    await after(2 * hour + 4 * second)
    expect(w.world.typed()).toEqual([])
    await after(2 * second)
    expect(w.world.typed()).toEqual(['Continue.'])
    expect(w.world.resume.limitOf('s1')).toBeNull()
    await w.world.goodTurn('s1', 'Continue.')
    await after(48 * hour)
    expect(w.world.typed()).toEqual(['Continue.'])
    expect(w.world.told('s1')).toEqual([
      { type: 'resume-set', at: null },
      { type: 'limit-reached', provider: 'zai', lifts, resumeAt: lifts + 5 * second },
    ])
  })

  it('is left alone without the switch, and no limit once it lifted', async () => {
    await w.world.limitedTurn('s1', now() + hour)
    expect(w.world.resume.limitOf('s1')).toMatchObject({ resume: false, resumeAt: null })
    await after(hour + 5 * second)
    expect(w.world.resume.limitOf('s1')).toBeNull()
    await after(48 * hour)
    expect(w.world.typed()).toEqual([])
    expect(types()).toEqual(['limit-reached'])
    expect(w.world.clock.pending()).toBe(0)
  })

  it('is continued without the switch where its goal goes on after failures, unless that ended meanwhile', async () => {
    const going = new Set(['s1', 's2'])
    w.world.resume.alsoWhere((session) => going.has(session))
    const lifts = now() + hour
    for (const session of ['s1', 's2', 's3']) await w.world.limitedTurn(session, lifts)
    expect(w.world.resume.limitOf('s1')).toMatchObject({ resume: true, resumeAt: lifts + 5 * second })
    going.delete('s2')
    await after(2 * hour)
    expect(['s1', 's2', 's3'].map((session) => w.world.typed(session))).toEqual([['Continue.'], [], []])
    expect(types('s2')).toEqual(['limit-reached', 'resume-cancelled'])
    expect(w.world.resume.limitOf('s2')).toBeNull()
  })

  it('speaks the person’s language', async () => {
    w.world.language = 'zh-CN'
    await on()
    await w.world.limitedTurn('s1', now() + hour)
    await after(2 * hour)
    expect(w.world.typed()).toEqual(['继续。'])
  })

  it('is told once, however often its client tries again', async () => {
    await on()
    const since = now()
    const lifts = now() + hour
    for (let i = 0; i < 20; i++) {
      await w.world.limitedTurn('s1', lifts + i * 100, { since: since + i * 7 })
      await after(2 * second)
    }
    expect(types('s1')).toEqual(['resume-set', 'limit-reached'])
    expect(w.world.notices).toEqual([{ class: 'limit', provider: 'zai', change: 'reached', liftsAt: lifts }])
    await after(2 * hour)
    expect(w.world.typed()).toEqual(['Continue.'])
    expect(w.world.notices.at(-1)).toEqual({ class: 'limit', provider: 'zai', change: 'lifted', liftsAt: null })
    expect(w.world.notices).toHaveLength(2)
  })

  it('goes by the last time that was told', async () => {
    await on()
    await w.world.limitedTurn('s1', null)
    expect(w.world.resume.limitOf('s1')).toMatchObject({ resume: true, resumeAt: null })
    await w.world.limitedTurn('s1', now() + hour)
    expect(w.world.resume.limitOf('s1')).toMatchObject({ lifts: now() + hour, resumeAt: now() + hour + 5 * second })
    await w.world.limitedTurn('s1', now() + 3 * hour)
    await after(2 * hour)
    expect(w.world.typed()).toEqual([])
    await after(2 * hour)
    expect(w.world.typed()).toEqual(['Continue.'])
    expect(types('s1')).toEqual(['resume-set', 'limit-reached'])
  })

  it('that reaches the next limit after it went on is continued again', async () => {
    await on()
    for (let i = 1; i <= 5; i++) {
      await w.world.limitedTurn('s1', now() + 5 * hour, { text: i === 1 ? 'do it' : 'Continue.' })
      await after(5 * hour + 10 * second)
      expect(w.world.typed()).toHaveLength(i)
    }
    expect(types('s1').filter((type) => type === 'limit-reached')).toHaveLength(5)
    expect(types('s1')).not.toContain('resume-failed')
  })
})

describe('the switch', () => {
  it('set at the limit counts for it; taken away before it lifts, nothing is typed', async () => {
    await w.world.limitedTurn('s1', now() + hour)
    await on()
    const at = now() + hour + 5 * second
    expect(w.world.told('s1').at(-1)).toEqual({ type: 'resume-set', at })
    await w.world.resume.set('s1', false)
    expect(w.world.told('s1').at(-1)).toEqual({ type: 'resume-cancelled', why: 'switched-off' })
    expect(w.world.resume.isOn('s1')).toBe(false)
    expect(w.world.resume.limitOf('s1')).toMatchObject({ resume: false, resumeAt: null })
    await after(3 * hour)
    expect(w.world.typed()).toEqual([])
  })

  it('set twice is set once', async () => {
    await on()
    await on()
    await w.world.resume.set('s1', false)
    await w.world.resume.set('s1', false)
    expect(types('s1')).toEqual(['resume-set'])
  })

  it('takes a followup out of the queue that was not typed yet', async () => {
    await on()
    w.world.target('tmux:s1').reading = { kind: 'hold', reason: { code: 'agent-busy' } }
    await w.world.limitedTurn('s1', now() + hour)
    await after(hour + 10 * second)
    const outbox = await w.world.outboxes.of('tmux:s1')
    expect(outbox.list().map((e) => [e.state, e.source])).toEqual([['queued', 'clock']])
    await w.world.resume.set('s1', false)
    expect(outbox.list().map((e) => e.state)).toEqual(['cancelled'])
    expect(w.world.told('s1').at(-1)).toEqual({ type: 'resume-cancelled', why: 'switched-off' })
  })

  it('that can’t be saved is not set', async () => {
    w.world.disk.fate = () => 'fail'
    await expect(on()).rejects.toMatchObject({ code: 'store-failed' })
    expect(w.world.resume.isOn('s1')).toBe(false)
    expect(types('s1')).toEqual([])
  })
})

describe('cancelling', () => {
  it('counts for this limit, and the switch stays', async () => {
    await on()
    await w.world.limitedTurn('s1', now() + hour)
    await w.world.resume.cancel('s1')
    expect(w.world.told('s1').at(-1)).toEqual({ type: 'resume-cancelled', why: 'user' })
    await w.world.limitedTurn('s1', now() + hour)
    expect(w.world.resume.limitOf('s1')).toMatchObject({ resume: false, resumeAt: null })
    await after(2 * hour)
    expect(w.world.typed()).toEqual([])
    expect(w.world.resume.isOn('s1')).toBe(true)
    await w.world.limitedTurn('s1', now() + hour)
    await after(2 * hour)
    expect(w.world.typed()).toEqual(['Continue.'])
  })

  it('is taken back by switching on once more', async () => {
    await on()
    await w.world.limitedTurn('s1', now() + hour)
    await w.world.resume.cancel('s1')
    await on()
    await after(2 * hour)
    expect(w.world.typed()).toEqual(['Continue.'])
  })

  it('reaches a followup that waits in the queue', async () => {
    await on()
    w.world.target('tmux:s1').reading = { kind: 'hold', reason: { code: 'dialog-open' } }
    await w.world.limitedTurn('s1', now() + hour)
    await after(hour + 10 * second)
    await w.world.resume.cancel('s1')
    w.world.target('tmux:s1').reading = { kind: 'ready', bracketedPaste: true }
    await after(hour)
    expect(w.world.typed()).toEqual([])
  })

  it.each([
    ['no limit', async () => {}],
    ['a limit without the switch', async () => w.world.limitedTurn('s1', now() + hour)],
  ] as const)('is refused with %s', async (_name, before) => {
    await before()
    await expect(w.world.resume.cancel('s1')).rejects.toMatchObject({ code: 'nothing-waits' })
  })
})

describe('a session that goes on by itself', () => {
  it('is not continued any more', async () => {
    await on()
    await w.world.limitedTurn('s1', now() + hour)
    await after(10 * minute)
    await w.world.goodTurn('s1')
    expect(w.world.told('s1').at(-1)).toEqual({ type: 'resume-cancelled', why: 'went-on' })
    expect(w.world.resume.limitOf('s1')).toBeNull()
    await after(2 * hour)
    expect(w.world.typed()).toEqual([])
  })

  it('also takes its followup out of the queue', async () => {
    await on()
    w.world.target('tmux:s1').reading = { kind: 'hold', reason: { code: 'draft' } }
    await w.world.limitedTurn('s1', now() + hour)
    await after(hour + 10 * second)
    const request = await w.world.begin('s1', 'and now this')
    w.world.target('tmux:s1').reading = { kind: 'ready', bracketedPaste: true }
    await w.world.end(request)
    w.world.resume.wentOn('s1')
    await after(minute)
    expect(w.world.typed()).toEqual([])
    expect((await w.world.outboxes.of('tmux:s1')).list().map((e) => e.state)).toEqual(['superseded'])
    expect(w.world.told('s1').at(-1)).toEqual({ type: 'resume-cancelled', why: 'went-on' })
  })

  it('has nothing told of it when no continuation waited', async () => {
    await w.world.limitedTurn('s1', now() + hour)
    await w.world.goodTurn('s1')
    await w.world.goodTurn('s2')
    expect(types()).toEqual(['limit-reached'])
    expect(w.world.disk.files.get('resume-at-reset.json')).not.toContain('s1')
  })

  it('is seen even while its limit is still being written', async () => {
    await on()
    await w.world.end(await w.world.begin('s1'))
    w.world.resume.limited('s1', { provider: 'zai', since: now(), lifts: now() + hour })
    w.world.resume.wentOn('s1')
    await after(0)
    expect(w.world.resume.limitOf('s1')).toBeNull()
  })
})

describe('without a terminal', () => {
  it.each([
    ['no-terminal', 'it has no terminal that Onward can type into'],
    ['terminal-gone', 'its terminal was closed'],
  ] as const)('%s is said once', async (place, message) => {
    await on()
    await w.world.limitedTurn('s1', now() + hour)
    w.world.places.set('s1', place)
    await after(30 * hour)
    expect(w.world.told('s1').filter((body) => body.type === 'resume-failed')).toEqual([
      { type: 'resume-failed', message },
    ])
    expect(w.world.notices.filter((n) => n.class === 'injection-failed')).toHaveLength(1)
    expect(w.world.resume.limitOf('s1')).toBeNull()
  })
})

describe('a pause', () => {
  it('holds the followup in the queue', async () => {
    await on()
    await w.world.limitedTurn('s1', now() + hour)
    await w.world.outboxes.pauseAll()
    await after(5 * hour)
    expect(w.world.typed()).toEqual([])
    expect((await w.world.outboxes.of('tmux:s1')).list()).toMatchObject([
      { state: 'queued', hold: { code: 'paused', by: 'global' } },
    ])
    await w.world.outboxes.resumeAll()
    await after(second)
    expect(w.world.typed()).toEqual(['Continue.'])
  })
})
