import { describe, expect, it } from 'vitest'
import { eachWorld, hour, minute, second } from './testing/each-world.ts'

const w = eachWorld()
const { after, dispose, now, on, types } = w

describe('sessions of one provider', () => {
  it('go on one after the other', async () => {
    const lifts = now() + hour
    for (let i = 0; i < 5; i++) {
      await on(`s${i}`)
      await w.world.limitedTurn(`s${i}`, lifts)
    }
    await on('other')
    await w.world.limitedTurn('other', lifts, { provider: 'anth' })
    expect(Array.from({ length: 5 }, (_, i) => w.world.resume.limitOf(`s${i}`)?.resumeAt)).toEqual(
      [5, 8, 11, 14, 17].map((s) => lifts + s * second),
    )
    expect(w.world.resume.limits()).toEqual([
      { provider: 'zai', since: expect.any(Number), lifts, resuming: 5 },
      { provider: 'anth', since: expect.any(Number), lifts, resuming: 1 },
    ])
    await after(hour + 6 * second)
    const typed = () => [0, 1, 2, 3, 4].filter((i) => w.world.typed(`s${i}`).length > 0)
    expect(typed()).toEqual([0])
    expect(w.world.typed('other')).toEqual(['Continue.'])
    await after(3 * second)
    expect(typed()).toEqual([0, 1])
    await after(9 * second)
    expect(typed()).toEqual([0, 1, 2, 3, 4])
    expect(w.world.resume.limits()).toEqual([])
  })

  it('that all became due while the machine slept still go on one after the other', async () => {
    for (let i = 0; i < 4; i++) {
      await on(`s${i}`)
      await w.world.limitedTurn(`s${i}`, now() + hour + i * 10 * minute)
    }
    w.world = await w.world.kill()
    dispose()
    await after(6 * hour)
    w.world = await w.world.kill()
    const typed = () => [0, 1, 2, 3].filter((i) => w.world.typed(`s${i}`).length > 0).length
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
      await w.world.limitedTurn(session, now() + minute)
    }
    await after(66 * second)
    expect([w.world.typed('s1'), w.world.typed('s2')]).toEqual([['Continue.'], []])
    const lifts = now() + 4 * hour
    await w.world.limitedTurn('s1', lifts, { text: 'Continue.' })
    expect(w.world.resume.limitOf('s2')).toMatchObject({ lifts, resumeAt: lifts + 5 * second })
    await after(hour)
    expect(w.world.typed('s2')).toEqual([])
    await after(4 * hour)
    expect([w.world.typed('s1'), w.world.typed('s2')]).toEqual([['Continue.', 'Continue.'], ['Continue.']])
  })
})

describe('a limit that tells no time', () => {
  it('is over when the provider answers', async () => {
    await on()
    await w.world.limitedTurn('s1', null)
    await w.world.limitedTurn('s2', null)
    expect(w.world.notices).toEqual([{ class: 'limit', provider: 'zai', change: 'reached', liftsAt: null }])
    await after(20 * hour)
    w.world.resume.answered('anth')
    expect(w.world.typed()).toEqual([])
    w.world.resume.answered('zai')
    await after(second)
    expect(w.world.typed()).toEqual(['Continue.'])
    expect([w.world.resume.limitOf('s2'), w.world.resume.limits()]).toEqual([null, []])
  })

  it('is forgotten after a week, which is said', async () => {
    await on()
    await w.world.limitedTurn('s1', null)
    await after(7 * 24 * hour + 2 * minute)
    expect(w.world.told('s1').at(-1)).toEqual({
      type: 'resume-failed',
      message: 'the provider has not answered for a week',
    })
    expect(w.world.resume.limits()).toEqual([])
    expect(w.world.clock.pending()).toBe(0)
  })
})

describe('a provider that answers before its time', () => {
  it('lets its sessions go on at once, one after the other, however often it is said', async () => {
    for (const session of ['s1', 's2', 's3']) {
      await on(session)
      await w.world.limitedTurn(session, now() + 5 * hour)
    }
    await after(hour)
    w.world.resume.lifted('zai')
    w.world.resume.lifted('zai')
    await after(second)
    w.world.resume.lifted('zai')
    expect(['s1', 's2', 's3'].map((s) => w.world.typed(s).length)).toEqual([1, 0, 0])
    await after(6 * second)
    expect(['s1', 's2', 's3'].map((s) => w.world.typed(s).length)).toEqual([1, 1, 1])
    await after(24 * hour)
    expect(['s1', 's2', 's3'].map((s) => w.world.typed(s).length)).toEqual([1, 1, 1])
    expect(w.world.notices.filter((n) => n.class === 'limit').map((n) => n.change)).toEqual(['reached', 'lifted'])
  })

  it('does not hold for the next session while a time it told stands', async () => {
    await on()
    await w.world.limitedTurn('s1', now() + hour)
    w.world.resume.answered('zai')
    await after(minute)
    expect(w.world.typed()).toEqual([])
  })
})

describe('limits that are none', () => {
  it.each([
    ['lift at once', 30 * second],
    ['tell no time', null],
  ] as const)('stop it after three continuations when they %s', async (_name, left) => {
    await on()
    for (let i = 0; i < 6; i++) {
      await w.world.limitedTurn('s1', left === null ? null : now() + left, { text: i === 0 ? 'do it' : 'Continue.' })
      await after(20 * second)
      w.world.resume.lifted('zai')
      await after(30 * second)
    }
    expect(w.world.typed()).toEqual(['Continue.', 'Continue.', 'Continue.'])
    expect(types('s1').filter((type) => type === 'resume-failed')).toHaveLength(1)
    expect(w.world.notices.filter((n) => n.class === 'injection-failed')).toHaveLength(1)
  })

  it('begin anew when a person switches it on once more', async () => {
    await on()
    for (let i = 0; i < 5; i++) {
      await w.world.limitedTurn('s1', now() + 30 * second, { text: i === 0 ? 'do it' : 'Continue.' })
      await after(minute)
    }
    expect(w.world.typed()).toHaveLength(3)
    expect(w.world.resume.limitOf('s1')).toBeNull()
    await on()
    await w.world.limitedTurn('s1', now() + hour)
    await after(2 * hour)
    expect(w.world.typed()).toHaveLength(4)
  })

  it('are not counted over a turn that was answered', async () => {
    await on()
    for (let i = 0; i < 6; i++) {
      await w.world.limitedTurn('s1', now() + 30 * second)
      await after(minute)
      await w.world.goodTurn('s1', 'Continue.')
    }
    expect(w.world.typed()).toHaveLength(6)
  })

  it('stop it too when the provider is said to answer and refuses again, over and over', async () => {
    await on()
    const lifts = now() + 50 * hour
    for (let i = 0; i < 8; i++) {
      await w.world.limitedTurn('s1', lifts, { text: i === 0 ? 'do it' : 'Continue.' })
      w.world.resume.lifted('zai')
      await after(minute)
    }
    expect(w.world.typed()).toHaveLength(3)
  })
})

describe('a provider at its limit whose turns another one takes', () => {
  it('is told of and shown until it lifts, with nobody waiting', async () => {
    const lifts = now() + hour
    w.world.resume.reached('zai', { since: now(), lifts })
    w.world.resume.reached('zai', { since: now(), lifts: lifts + second })
    await after(0)
    expect(w.world.resume.limits()).toEqual([{ provider: 'zai', since: now(), lifts, resuming: 0 }])
    await w.world.limitedTurn('s1', lifts)
    expect(w.world.notices).toHaveLength(1)
    await after(hour + 5 * second)
    expect(w.world.resume.limits()).toEqual([])
    expect(w.world.notices.map((n) => n.class === 'limit' && n.change)).toEqual(['reached', 'lifted'])
  })
})
