import { describe, expect, it } from 'vitest'
import { defaultStopMessageText } from '../../markers/goals/default-text.ts'
import { settle, T } from '../../terminals/outbox/testing/bench.ts'
import { eachWorld } from './testing/each-world.ts'
import { safeFor } from '../../terminals/safe-text.ts'
import { openWorld, stopped } from './testing/world.ts'
import type { TurnExcerpt } from './turn-excerpt.ts'

const w = eachWorld()
const { arm, typed, view, status } = w
const goal = () => arm({ max: null, review: true, text: 'all tests green' })
const did = (text: string, ...keys: string[]): TurnExcerpt => ({
  calls: keys.map((key) => ({ name: 'shell', arguments: key, result: '', isError: false, key })),
  callsTotal: keys.length,
  text,
  drivenBy: null,
})
const tell = (text: string) => ({ kind: 'send' as const, text })
/** A review that waits until it is let go on. */
function gate(): () => void {
  let open = () => {}
  w.world.goal.gate = new Promise((resolve) => {
    open = resolve
  })
  return open
}
/** The terminal takes up what was typed last, works, and stops. */
const round = async (excerpt: TurnExcerpt | null = null) => {
  await w.world.settled()
  await w.world.turn(typed().at(-1) ?? '', { excerpt })
  await settle(w.world.clock)
}

describe('a goal with a reviewer', () => {
  it('sends what the reviewer writes, and tells what it found', async () => {
    w.world.goal.says = [tell('fix rounding.test.ts')]
    await goal()
    await w.world.turn('do it', { excerpt: did('all done', 'npm test') })
    await w.world.settled()
    expect(typed()).toEqual(['fix rounding.test.ts'])
    expect(w.world.goal.asked).toMatchObject([
      { goal: 'all tests green', round: 1, used: 0, max: null, turn: { text: 'all done' }, recent: [] },
    ])
    expect(view()).toMatchObject({
      used: 1,
      goal: {
        latest: { round: 1, outcome: { code: 'not-reached' } },
        rounds: [{ n: 1, progress: null }],
        reviewSpent: { tokens: 110, costUsd: 0.01 },
      },
    })
    expect(w.world.stop.rounds(T)).toMatchObject([
      { n: 1, sent: 'fix rounding.test.ts', did: { calls: 1, tools: [{ name: 'shell', count: 1 }], text: 'all done' } },
    ])
    expect(w.types()).toContain('review-started')
    expect(w.types()).toContain('review-done')
    // reports the rounds of a goal that is over
    expect(w.world.events.find(({ type }) => type === 'matched')).toMatchObject({
      used: 0,
      did: { calls: 1, tools: [{ name: 'shell', count: 1 }], text: 'all done' },
    })
  })

  it('has the agent open what the goal names, and nothing that only the reviewer names', async () => {
    w.world = await openWorld({ client: 'qwen', safeText: safeFor })
    w.world.goal.says = [tell('look at @notes.md once more'), { kind: 'failed', why: 'no answer' }]
    await arm({ max: null, review: true, text: 'make @goal.md true' })
    await w.world.turn('do it')
    await round()
    await w.world.settled()
    expect(typed()).toEqual(['look at \\@notes.md once more', 'make @goal.md true'])
    expect(w.types().filter((type) => type === 'mentions-escaped')).toHaveLength(1)
  })

  it('is done when the reviewer found it so, with its evidence', async () => {
    w.world.goal.says = [{ kind: 'done', reason: { code: 'goal-reached', checks: 2, evidence: 'both pass' } }]
    await goal()
    await w.world.turn('do it')
    await w.world.settled()
    expect(typed()).toEqual([])
    expect(view()).toMatchObject({
      status: { kind: 'done', reason: { checks: 2, evidence: 'both pass' } },
      goal: { latest: { round: 1 } },
    })
    expect(w.world.notices).toEqual([
      {
        class: 'goal-reached',
        reason: { code: 'goal-reached', checks: 2, evidence: 'both pass' },
        // of the review alone: the agent's usage was not counted
        spent: { tokens: 110, costUsd: 0.01 },
      },
    ])
    const types = w.types()
    expect(types.indexOf('review-done')).toBeLessThan(types.indexOf('done'))
  })

  it('asks the person where only a person can help, and looks again when let go on', async () => {
    w.world.goal.says = [
      { kind: 'pause', reason: { code: 'needs-user', text: 'which bucket?' } },
      tell('use the old bucket'),
    ]
    await goal()
    await w.world.turn('do it')
    await w.world.settled()
    expect(status()).toMatchObject({ kind: 'paused', reason: { code: 'needs-user', text: 'which bucket?' } })
    expect(w.world.notices).toEqual([
      { class: 'needs-you', what: '', pause: { code: 'needs-user', text: 'which bucket?' } },
    ])
    expect(typed()).toEqual([])
    await w.world.stop.resume(T)
    await w.world.settled()
    expect(typed()).toEqual(['use the old bucket'])
  })

  it('sends the goal itself when the reviewer fails, and asks after the third time in a row', async () => {
    await goal()
    await w.world.turn('do it', { excerpt: did('a', '1') })
    await round(did('b', '2'))
    expect(typed()).toEqual(['all tests green'])
    await round(did('c', '3'))
    expect(status()).toMatchObject({ kind: 'paused', reason: { code: 'review-failed', times: 3 } })
    expect(typed()).toEqual(['all tests green', 'all tests green'])
    await w.world.stop.resume(T)
    await settle(w.world.clock)
    await round(did('d', '4'))
    expect(view()).toMatchObject({ used: 3, status: { kind: 'injecting' } })
  })

  it('counts checks that can’t be read as a reviewer that failed', async () => {
    w.world.goal.folder = '/code/app'
    w.world.goal.broken = 'the disk is gone'
    await goal()
    await w.world.turn('do it', { excerpt: did('a', '1') })
    for (const n of ['2', '3']) await round(did(n, n))
    expect(status()).toMatchObject({
      kind: 'paused',
      reason: { code: 'review-failed', times: 3, why: 'the disk is gone' },
    })
    expect(w.world.goal.asked).toEqual([])
    expect(w.types().filter((type) => type === 'review-done')).toHaveLength(3)
  })

  it('forgets failures once a review comes through', async () => {
    const failed = { kind: 'failed' as const, why: 'no model' }
    w.world.goal.says = [failed, failed, tell('go on with b'), failed, failed, tell('go on with c')]
    await goal()
    await w.world.turn('do it', { excerpt: did('0', '0') })
    for (const n of ['1', '2', '3', '4', '5']) await round(did(n, n))
    expect(status()?.kind).toBe('injecting')
    expect(typed()).toEqual([
      'all tests green',
      'all tests green',
      'go on with b',
      'all tests green',
      'all tests green',
    ])
  })
})

describe('a review that is overtaken', () => {
  const begin = async () => {
    w.world.goal.says = [tell('too late'), tell('in time')]
    const open = gate()
    await goal()
    await w.world.turn('do it')
    await settle(w.world.clock)
    expect(status()).toMatchObject({ kind: 'reviewing', round: 1 })
    return async () => {
      w.world.goal.gate = null
      open()
      await settle(w.world.clock)
      await w.world.settled()
    }
  }
  const discarded = () => w.world.story().filter((type) => type === 'review-done').length

  it.each([
    ['by a new turn', () => w.world.begin('something else'), [], 'armed'],
    ['by a clear', () => w.world.stop.clear(T, 'user'), [], undefined],
    ['by a new goal', () => arm({ text: 'another' }), [], 'armed'],
    ['by a pause', () => w.world.stop.pause(T), [], 'paused'],
    ['by another goal in the middle', () => w.world.stop.edit(T, { text: 'lint too' }), ['in time'], 'injecting'],
  ] as const)('%s counts for nothing', async (_, overtake, sent, kind) => {
    const end = await begin()
    await overtake()
    expect(w.world.goal.stopped).toBe(1)
    await end()
    expect(typed()).toEqual(sent)
    expect(status()?.kind).toBe(kind)
    expect(discarded()).toBeGreaterThan(0)
  })

  it('is begun anew after a crash, and only one is', async () => {
    w.world.goal.says = [tell('too late'), tell('in time')]
    gate()
    await goal()
    await w.world.turn('do it')
    await settle(w.world.clock)
    w.world.goal.gate = null
    w.world = await w.world.kill()
    await settle(w.world.clock)
    await w.world.settled()
    expect(typed()).toHaveLength(1)
    expect(w.world.goal.asked).toHaveLength(2)
    expect(view()?.used).toBe(1)
  })

  it('is the only one: other requests and looks start no second', async () => {
    const end = await begin()
    await w.world.turn('a title', { kind: 'title', hasNewMainTurn: false })
    await w.world.stop.resumeAll()
    expect(w.world.goal.asked).toHaveLength(1)
    await end()
    expect(typed()).toEqual(['too late'])
  })

  it('is not paid twice when its text could not be queued', async () => {
    w.world.goal.says = [tell('fix it'), tell('a second opinion')]
    const end = await (async () => {
      const open = gate()
      await goal()
      await w.world.turn('do it')
      await settle(w.world.clock)
      return open
    })()
    w.world.disk.fate = (path) => (path.startsWith('outbox/') ? 'fail' : 'ok')
    end()
    await settle(w.world.clock)
    expect(typed()).toEqual([])
    w.world.disk.fate = () => 'ok'
    await w.world.clock.advance(6_000)
    await w.world.settled()
    expect(typed()).toEqual(['fix it'])
    expect(w.world.goal.asked).toHaveLength(1)
  })
})

describe('guards', () => {
  it('five rounds without progress: paused, the person asked, one click to go on', async () => {
    await arm({ max: null, text: 'go on' })
    await w.world.turn('do it', { excerpt: did('Nothing left to do.') })
    for (let n = 0; n < 5; n++) await round(did(`nothing left, to do ${n}`))
    expect(status()).toMatchObject({ kind: 'paused', reason: { code: 'budget', budget: 'no-progress', limit: 5 } })
    expect(w.world.notices).toEqual([{ class: 'budget', budget: 'no-progress', limit: 5 }])
    expect(view()?.goal).toMatchObject({ stuck: 5, rounds: [1, 2, 3, 4, 5].map((n) => ({ n, progress: false })) })
    await w.world.stop.resume(T)
    await w.world.settled()
    expect(typed()).toHaveLength(6)
    expect(view()?.goal?.stuck).toBe(0)
  })

  it.each([
    [
      'other calls',
      [
        did('same', 'a'),
        did('same', 'b'),
        did('same', 'c'),
        did('same', 'd'),
        did('same', 'e'),
        did('same', 'f'),
        did('same', 'g'),
      ],
      false,
    ],
    [
      'other words',
      ['one', 'two', 'three', 'four', 'five', 'six', 'seven'].map((word) =>
        did(`now ${word} is written about at length`),
      ),
      false,
    ],
    ['files that change', Array.from({ length: 7 }, () => did('same')), true],
  ])('%s are progress', async (_, excerpts, changed) => {
    w.world.goal.folder = '/code/app'
    w.world.goal.changed = changed
    await arm({ max: null, text: 'go on' })
    await w.world.turn('do it', { excerpt: excerpts[0] ?? null })
    for (const excerpt of excerpts.slice(1)) await round(excerpt)
    expect(status()?.kind).toBe('injecting')
    expect(view()?.goal).toMatchObject({ stuck: 0 })
  })

  describe('of a goal whose rounds a person gave', () => {
    const stuck = async () => {
      w.world.budgets = { ...w.world.budgets, askMs: 600_000 }
      w.world.goal.says = Array.from({ length: 30 }, () => tell('once more'))
      await arm({ max: 30, review: true, text: 'all tests green' })
      await w.world.turn('do it', { excerpt: did('Nothing left to do.') })
      await settle(w.world.clock)
      for (let n = 0; n < 5; n++) await round(did(`nothing left, to do ${n}`))
      expect(typed()).toHaveLength(5)
      const reason = { code: 'budget', budget: 'no-progress', limit: 5, goesOnAt: w.world.clock.now() + 600_000 }
      expect(status()).toMatchObject({ kind: 'paused', reason: { ...reason, goesOnAt: expect.any(Number) } })
    }

    it('go on soon after a sleep in which nobody answered', async () => {
      await stuck()
      w.world.clock.sleep(600_000)
      await w.world.clock.advance(15_000)
      await w.world.settled()
      expect(w.world.events.findLast(({ type }) => type === 'resumed')).toMatchObject({ unanswered: true })
    })

    it('ask once, and nobody’s silence ends it, over a restart, too', async () => {
      await stuck()
      await w.world.clock.advance(300_000)
      w.world = await w.world.kill()
      expect(status()?.kind).toBe('paused')
      await w.world.clock.advance(300_000)
      await settle(w.world.clock)
      await w.world.settled()
      expect(w.world.events.findLast(({ type }) => type === 'resumed')).toMatchObject({ unanswered: true })
      for (let n = 5; n < 12; n++) await round(did(`nothing left, to do ${n}`))
      expect(typed()).toHaveLength(12)
      expect(status()?.kind).not.toBe('paused')
    })

    it('leave it to whoever answers: paused it stays, and let go on it asks again', async () => {
      await stuck()
      await w.world.stop.pause(T)
      await w.world.clock.advance(3_600_000)
      expect(status()).toMatchObject({ kind: 'paused', reason: { code: 'by-user' } })
      await w.world.stop.resume(T)
      await settle(w.world.clock)
      for (let n = 5; n < 10; n++) await round(did(`nothing left, to do ${n}`))
      expect(status()).toMatchObject({ kind: 'paused', reason: { code: 'budget', budget: 'no-progress' } })
    })
  })

  it('the same calls and words once more are none', async () => {
    await arm({ max: null, text: 'go on' })
    await w.world.turn('do it', { excerpt: did('tests fail', 'npm test') })
    for (let n = 0; n < 5; n++) await round(did('tests fail', 'npm test'))
    expect(status()).toMatchObject({ kind: 'paused', reason: { budget: 'no-progress' } })
  })

  it('ten rounds of a person’s own, without a reviewer, are ten rounds', async () => {
    await arm({ max: 10, text: 'go on' })
    await w.world.turn('do it', { excerpt: did('same') })
    for (let n = 0; n < 10; n++) await round(did('same'))
    expect(typed()).toHaveLength(10)
    expect(status()).toMatchObject({ kind: 'done', reason: { code: 'rounds-used' } })
  })

  it.each([
    ['tokens', { tokens: 5_000, costUsd: null }, { tokens: 1_000 }, { code: 'budget', budget: 'tokens', limit: 1_000 }],
    ['cost', { tokens: 0, costUsd: 3 }, { costUsd: 2 }, { code: 'budget', budget: 'cost', limit: 2 }],
  ] as const)('%s: what was spent before does not count', async (_, spent, budget, reason) => {
    w.world.budgets = { ...w.world.budgets, ...budget }
    w.world.goal.totals = { tokens: 900_000, costUsd: 90 }
    await arm({ max: null, text: 'go on' })
    await w.world.turn('do it')
    await round()
    expect(status()?.kind).toBe('injecting')
    w.world.goal.totals = { tokens: 900_000 + spent.tokens, costUsd: 90 + (spent.costUsd ?? 0) }
    await round()
    expect(status()).toMatchObject({ kind: 'paused', reason })
    await w.world.stop.resume(T)
    await w.world.settled()
    expect(view()).toMatchObject({ used: 3, status: { kind: 'injecting' } })
  })

  it('what the reviewer costs counts against a budget, and is shown apart', async () => {
    w.world.budgets = { ...w.world.budgets, tokens: 200 }
    w.world.goal.totals = { tokens: 0, costUsd: null }
    w.world.goal.says = [tell('one'), tell('two'), tell('three')]
    await goal()
    await w.world.turn('do it', { excerpt: did('a', 'a') })
    await round(did('b', 'b'))
    await round(did('c', 'c'))
    expect(status()).toMatchObject({ kind: 'paused', reason: { budget: 'tokens' } })
    expect(view()?.goal).toMatchObject({ spent: { tokens: 0 }, reviewSpent: { tokens: 220, costUsd: 0.02 } })
  })
})

describe('beads', () => {
  it('with nothing open end it, also without a reviewer', async () => {
    w.world.goal.folder = '/code/app'
    w.world.goal.beads = { kind: 'finished' }
    await arm({ max: 5, text: 'go on' })
    await w.world.turn('do it')
    await settle(w.world.clock)
    expect(status()).toMatchObject({ kind: 'done', reason: { code: 'no-open-work' } })
    expect(typed()).toEqual([])
  })
  it.each([{ kind: 'open', say: '2 ready' }, { kind: 'unknown' }] as const)(
    'that are $kind let it go on',
    async (beads) => {
      w.world.goal.folder = '/code/app'
      w.world.goal.beads = beads
      await arm({ max: 5, text: 'go on' })
      await w.world.turn('do it')
      await settle(w.world.clock)
      await w.world.settled()
      expect(typed()).toEqual(['go on'])
      expect(w.world.goal.asked).toEqual([])
    },
  )
  it('inform the reviewer of a goal of one’s own, and end the one that says to go on', async () => {
    w.world.goal.folder = '/code/app'
    w.world.goal.beads = { kind: 'finished' }
    w.world.goal.says = [tell('write the docs')]
    await goal()
    await w.world.turn('do it')
    await settle(w.world.clock)
    expect(w.world.goal.asked).toMatchObject([{ beads: 'no open work' }])
    // it takes the place of a goal whose followup waits: the stop that this was for is the new goal's
    await arm({ max: null, review: true, text: defaultStopMessageText('en') })
    await settle(w.world.clock)
    expect(status()).toMatchObject({ kind: 'done', reason: { code: 'no-open-work' } })
    expect(w.world.goal.asked).toHaveLength(1)
  })
})

describe('while it runs', () => {
  it('another goal keeps the rounds used and takes back what waits for the old one', async () => {
    await arm({ max: 5, text: 'go on' })
    await w.world.turn('do it')
    await round()
    await w.world.stop.edit(T, { text: 'go on with the docs', max: 8 })
    await w.world.settled()
    expect(typed()).toEqual(['go on', 'go on with the docs'])
    expect(view()).toMatchObject({ text: 'go on with the docs', used: 2, max: 8 })
    expect((await w.outbox()).list().map((e) => e.state)).toContain('superseded')
    await expect(w.world.stop.edit('tmux:nobody', { text: 'x' })).rejects.toMatchObject({ code: 'nothing-armed' })
  })
  it('more rounds alone take nothing back', async () => {
    await arm({ max: 1, text: 'go on' })
    await w.world.turn('do it')
    await w.world.stop.edit(T, { max: 4 })
    await w.world.settled()
    expect(typed()).toEqual(['go on'])
    expect(view()).toMatchObject({ used: 1, max: 4 })
  })
  it('a check that a person allows lets a goal go on that waited for it', async () => {
    const check = {
      name: 'tests',
      argv: ['npm', 'test'],
      timeoutSeconds: 60,
      from: 'file',
      approvedAt: null,
      approvedArgv: null,
      changedFiles: [],
      running: false,
      last: null,
    } as const
    w.world.goal.folder = '/code/app'
    w.world.goal.checks = { folder: '/code/app', problem: null, checks: [{ ...check, approval: 'not-approved' }] }
    w.world.goal.says = [
      { kind: 'pause', reason: { code: 'checks-unapproved', names: ['tests'] } },
      { kind: 'done', reason: { code: 'goal-reached', checks: 1 } },
    ]
    await goal()
    await w.world.turn('do it')
    await settle(w.world.clock)
    expect(status()).toMatchObject({ kind: 'paused', reason: { code: 'checks-unapproved' } })
    await w.world.stop.checksChanged('/code/app')
    expect(status()?.kind).toBe('paused')
    w.world.goal.checks = { folder: '/code/app', problem: null, checks: [{ ...check, approval: 'approved' }] }
    await w.world.stop.checksChanged('/code/app')
    await settle(w.world.clock)
    expect(status()).toMatchObject({ kind: 'done', reason: { code: 'goal-reached', checks: 1 } })
  })
  it('stands down while the agent’s own goal drives it, and looks again at the next stop', async () => {
    w.world.goal.says = [tell('go on')]
    await goal()
    await w.world.turn('do it', { notFinished: 'own-goal' })
    await settle(w.world.clock)
    expect(w.world.goal.asked).toEqual([])
    await w.world.turn('a continuation of its own', { hasNewMainTurn: false })
    await settle(w.world.clock)
    expect(w.world.goal.asked).toHaveLength(1)
  })
})

describe('without a terminal', () => {
  it('the exchange waits for the reviewer and goes on with its words', async () => {
    w.world.goal.says = [tell('fix it'), { kind: 'done', reason: { code: 'goal-reached', checks: 0 } }]
    await w.world.stop.arm('session:s1', { sessionId: 's1', text: 'green', max: null, review: true, by: 'marker' })
    expect(await w.world.stop.reenterText(stopped, did('done'))).toEqual({ text: 'fix it', round: 1 })
    expect(await w.world.stop.reenterText(stopped, did('really done'))).toBeNull()
    expect(w.world.stop.view('session:s1').stopMessage).toMatchObject({ used: 1, status: { kind: 'done' } })
  })
})
