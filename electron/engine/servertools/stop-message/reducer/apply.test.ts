import { describe, expect, it } from 'vitest'
import { newGoalProgress } from './goal-progress.ts'
import type { EventBody } from '../../../../../shared/events.ts'
import { apply, type StopMessageEvent } from './apply.ts'
import { armingOf, emptyScope, type Arming, type ScopeState, type StopMessageState, type Taken } from './state.ts'
import { noStopMessage, viewOf } from '../view.ts'

const arming: Arming = {
  id: 'a1',
  sessionId: 's1',
  text: 'go on',
  max: 3,
  used: 1,
  review: false,
  stageMode: 'auto',
  armedAt: 10,
  lastUsedAt: null,
  budgetFrom: { used: 0, at: 10 },
  counted: [],
  progress: newGoalProgress,
}
const taken: Taken = {
  text: 'before',
  used: 2,
  max: 5,
  review: false,
  clearedAt: 5,
  clearedBy: 'failure',
  sessionId: 's1',
  armedAt: 1,
  lastUsedAt: 4,
}
const samples = {
  none: { kind: 'none' },
  armed: { kind: 'armed', arming },
  reviewing: { kind: 'reviewing', reviewId: 'l1', since: 1, round: 1, arming },
  injecting: { kind: 'injecting', arming, entryId: 'e1' },
  'paused by user': { kind: 'paused', arming, reason: { code: 'by-user' }, at: 5, entryId: 'e1' },
  'paused, not received': { kind: 'paused', arming, reason: { code: 'not-received' }, at: 5, entryId: 'e1' },
  'paused, budget': {
    kind: 'paused',
    arming,
    reason: { code: 'budget', budget: 'rounds', limit: 100 },
    at: 5,
    entryId: null,
  },
  done: { kind: 'done', reason: { code: 'rounds-used', used: 3, max: 3 }, at: 5 },
  failed: { kind: 'failed', reason: { code: 'not-submitted' }, at: 5 },
} as const satisfies Record<string, StopMessageState>
type Sample = keyof typeof samples

const scopeOf = (sample: Sample, change: Partial<Arming> = {}): ScopeState => {
  const state: StopMessageState = samples[sample]
  const cleared = state.kind === 'done' || state.kind === 'failed'
  return {
    ...emptyScope('tmux:main'),
    state: 'arming' in state ? { ...state, arming: { ...arming, ...change } } : state,
    updatedAt: 10,
    last: cleared ? taken : null,
  }
}

const at = 100
const events = {
  arm: {
    type: 'arm',
    at,
    armId: 'a2',
    paused: null,
    by: 'marker',
    sessionId: 's2',
    text: 'new',
    max: null,
    review: true,
    totals: null,
  },
  rearm: { type: 'rearm', at, armId: 'a2', paused: null, more: 0, totals: null },
  'add-rounds': { type: 'add-rounds', at, rounds: 10 },
  clear: { type: 'clear', at, by: 'user' },
  pause: { type: 'pause', at, reason: { code: 'by-user' }, totals: null },
  resume: { type: 'resume', at, totals: null },
  fire: { type: 'fire', entryId: 'e2', text: 'go on', round: null },
  submitted: { type: 'submitted', at, entryId: 'e1', group: 'a1', round: 2, text: 'go on' },
  'submitted, other setting': { type: 'submitted', at, entryId: 'e1', group: 'a0', round: 2, text: 'go on' },
  confirmed: { type: 'confirmed', at, entryId: 'e1', group: 'a1' },
  'ended, e1': { type: 'ended', entryId: 'e1' },
  'ended, e9': { type: 'ended', entryId: 'e9' },
  'failed, into a dialog': { type: 'failed', at, entryId: 'e1', group: 'a1', reason: { code: 'dialog-took-text' } },
  'failed, not submitted': { type: 'failed', at, entryId: 'e1', group: 'a1', reason: { code: 'not-submitted' } },
  'failed, not received': { type: 'failed', at, entryId: 'e1', group: 'a1', reason: { code: 'not-received' } },
  'failed, other setting': { type: 'failed', at, entryId: 'e1', group: 'a0', reason: { code: 'not-submitted' } },
  unconfirmed: { type: 'unconfirmed', at, entryId: 'e1' },
  'give-up': { type: 'give-up', at, reason: { code: 'terminal-gone', why: 'closed' } },
  'rounds-used': { type: 'rounds-used', at },
  budget: { type: 'budget', at, reason: { code: 'budget', budget: 'time', limit: 8 } },
  reenter: { type: 'reenter', at, text: 'go on', round: null },
  'main turn of the person': { type: 'main-turn', byPerson: true, pendingEntryId: null },
  'main turn, e1 under way': { type: 'main-turn', byPerson: false, pendingEntryId: 'e1' },
  left: { type: 'left', sessionId: 's2' },
  'carry-on': { type: 'carry-on', at, armId: 'a2', sessionId: 's2', paused: null, totals: null },
  edit: { type: 'edit', at, text: 'go on with the docs' },
  'edit of rounds alone': { type: 'edit', at, max: 20 },
  stopped: { type: 'stopped', mark: { requestId: 'r1', text: 'done', calls: '' }, progressed: true },
  'review-begun': { type: 'review-begun', reviewId: 'l2', round: { n: 2, at, did: { calls: 0, tools: [], text: '' } } },
  'review-ended: send': {
    type: 'review-ended',
    at,
    reviewId: 'l1',
    review: null,
    next: { kind: 'send' },
    totals: null,
  },
  'review-ended: done': {
    type: 'review-ended',
    at,
    reviewId: 'l1',
    review: null,
    next: { kind: 'done', reason: { code: 'goal-reached', checks: 1 } },
    totals: null,
  },
  'review-ended: pause': {
    type: 'review-ended',
    at,
    reviewId: 'l1',
    review: null,
    next: { kind: 'pause', reason: { code: 'needs-user', text: 'which?' } },
    totals: null,
  },
  'review-ended, of another review': {
    type: 'review-ended',
    at,
    reviewId: 'l9',
    review: null,
    next: { kind: 'send' },
    totals: null,
  },
  'review-dropped': { type: 'review-dropped' },
} as const satisfies Record<string, StopMessageEvent>

/** event -> from -> where it leads; what does not stand here changes nothing. */
const everyActive = (to: string) => ({
  armed: to,
  reviewing: to,
  injecting: to,
  'paused by user': to,
  'paused, not received': to,
  'paused, budget': to,
})
const same = {
  armed: 'armed',
  reviewing: 'reviewing',
  injecting: 'injecting',
  'paused by user': 'paused',
  'paused, not received': 'paused',
  'paused, budget': 'paused',
}
const table: Record<keyof typeof events, Partial<Record<Sample, string>>> = {
  arm: { none: 'armed', done: 'armed', failed: 'armed', ...everyActive('armed'), 'paused by user': 'paused' },
  rearm: { done: 'armed', failed: 'armed' },
  'add-rounds': same,
  clear: { ...everyActive('none'), done: 'none', failed: 'none' },
  pause: {
    armed: 'paused',
    reviewing: 'paused',
    injecting: 'paused',
    'paused, not received': 'paused',
    'paused, budget': 'paused',
  },
  resume: { 'paused by user': 'injecting', 'paused, not received': 'armed', 'paused, budget': 'armed' },
  fire: everyActive('injecting'),
  submitted: same,
  'submitted, other setting': {},
  confirmed: { injecting: 'armed', 'paused by user': 'paused', 'paused, not received': 'armed' },
  'ended, e1': { injecting: 'armed', 'paused by user': 'paused', 'paused, not received': 'paused' },
  'ended, e9': {},
  'failed, into a dialog': everyActive('failed'),
  'failed, not submitted': {
    armed: 'paused',
    reviewing: 'paused',
    injecting: 'paused',
    'paused by user': 'paused',
    'paused, not received': 'paused',
  },
  'failed, not received': {
    armed: 'paused',
    reviewing: 'paused',
    injecting: 'paused',
    'paused by user': 'paused',
    'paused, not received': 'paused',
  },
  'failed, other setting': {},
  unconfirmed: { injecting: 'paused', 'paused by user': 'paused' },
  'give-up': everyActive('failed'),
  'rounds-used': everyActive('done'),
  budget: { armed: 'paused', reviewing: 'paused', injecting: 'paused' },
  reenter: everyActive('armed'),
  'main turn of the person': { reviewing: 'armed', injecting: 'armed', done: 'none', failed: 'none' },
  'main turn, e1 under way': { reviewing: 'armed' },
  left: same,
  'carry-on': { ...everyActive('armed'), 'paused by user': 'paused' },
  edit: { ...same, reviewing: 'armed' },
  'edit of rounds alone': same,
  stopped: same,
  'review-begun': { armed: 'reviewing', injecting: 'reviewing' },
  'review-ended: send': { reviewing: 'armed' },
  'review-ended: done': { reviewing: 'done' },
  'review-ended: pause': { reviewing: 'paused' },
  'review-ended, of another review': {},
  'review-dropped': { reviewing: 'armed' },
}

describe('the states of stopMessage', () => {
  const rows = (Object.keys(events) as (keyof typeof events)[]).flatMap((name) =>
    (Object.keys(samples) as Sample[]).map((from) => ({ name, from })),
  )
  it.each(rows)('$name from $from', ({ name, from }) => {
    const before = scopeOf(from)
    const { state } = apply(before, events[name])
    expect(state === before ? null : state.state.kind).toBe(table[name][from] ?? null)
  })

  const said = (from: Sample, event: StopMessageEvent, change: Partial<Arming> = {}): EventBody['type'][] =>
    apply(scopeOf(from, change), event).events.map((e) => e.type)
  it.each<[Sample, keyof typeof events, EventBody['type'][]]>([
    ['none', 'arm', ['armed']],
    ['failed', 'rearm', ['armed']],
    ['injecting', 'clear', ['cleared']],
    ['done', 'clear', []],
    ['injecting', 'submitted', ['used']],
    ['injecting', 'confirmed', []],
    ['paused, not received', 'confirmed', ['resumed']],
    ['injecting', 'failed, into a dialog', ['stop-message-failed', 'cleared']],
    ['injecting', 'failed, not submitted', ['paused']],
    ['injecting', 'failed, not received', ['paused']],
    ['armed', 'give-up', ['stop-message-failed', 'cleared']],
    ['armed', 'rounds-used', ['done', 'cleared']],
    ['armed', 'budget', ['paused']],
    ['armed', 'reenter', ['used']],
  ])('%s, %s: the timeline hears %j', (from, name, types) => {
    expect(said(from, events[name])).toEqual(types)
  })

  it('setting always begins anew, also with the same text', () => {
    const { state } = apply(scopeOf('injecting'), { ...events.arm, text: 'go on' })
    expect(armingOf(state.state)).toMatchObject({ used: 0, id: 'a2', counted: [], armedAt: at })
  })

  it('counts an entry once, whatever is repeated', () => {
    const once = apply(scopeOf('injecting'), events.submitted).state
    expect(armingOf(once.state)).toMatchObject({ used: 2, lastUsedAt: at, counted: ['e1'] })
    expect(apply(once, events.submitted).state).toBe(once)
  })

  it('is done when the last entry is confirmed, not when it is submitted', () => {
    const { state: submitted } = apply(scopeOf('injecting', { used: 2 }), events.submitted)
    expect(submitted.state).toMatchObject({ kind: 'injecting', arming: { used: 3 } })
    const { state: confirmed, events: said } = apply(submitted, events.confirmed)
    expect(confirmed).toMatchObject({
      state: { kind: 'done', reason: { code: 'rounds-used', used: 3, max: 3 } },
      last: { text: 'go on', used: 3, clearedBy: 'rounds-used' },
    })
    expect(said.map((e) => e.type)).toEqual(['done', 'cleared'])
  })

  it('keeps of what was cleared the tombstone and the last text', () => {
    const { state } = apply(scopeOf('armed'), events.clear)
    expect(state).toMatchObject({
      state: { kind: 'none' },
      updatedAt: at,
      last: { text: 'go on', used: 1, max: 3, clearedAt: at, clearedBy: 'user' },
    })
    expect(armingOf(state.state)).toBeNull()
  })

  it('the tombstone grows also when the clock was set back', () => {
    expect(apply({ ...scopeOf('armed'), updatedAt: 500 }, events.clear).state.updatedAt).toBe(501)
  })

  it('a failure keeps used and max for the re-arm', () => {
    const failed = apply(scopeOf('injecting'), events['failed, into a dialog']).state
    const { state } = apply(failed, events.rearm)
    expect(armingOf(state.state)).toMatchObject({ text: 'go on', used: 1, max: 3, id: 'a2' })
  })

  it('what a person cleared begins anew', () => {
    const { state } = apply(apply(scopeOf('armed'), events.clear).state, events.rearm)
    expect(armingOf(state.state)).toMatchObject({ text: 'go on', used: 0, max: 3 })
  })

  it('what was done goes on with the rounds added', () => {
    const doneNow = apply(scopeOf('armed', { used: 3 }), events['rounds-used']).state
    const { state } = apply(doneNow, { ...events.rearm, more: 10 })
    expect(armingOf(state.state)).toMatchObject({ used: 3, max: 13 })
  })

  it('more rounds of an unbounded one put the question off', () => {
    const { state } = apply(scopeOf('armed', { max: null, used: 90 }), events['add-rounds'])
    expect(armingOf(state.state)).toMatchObject({ max: null, budgetFrom: { used: 10, at: 10 } })
  })

  it('going on after the question begins the budget anew', () => {
    const { state } = apply(scopeOf('paused, budget', { used: 100, max: null }), events.resume)
    expect(armingOf(state.state)).toMatchObject({ budgetFrom: { used: 100, at } })
  })

  it('a person who pauses what had paused by itself decides alone when it ends', () => {
    const paused = apply(scopeOf('paused, not received'), events.pause).state
    expect(paused.state).toMatchObject({ kind: 'paused', reason: { code: 'by-user' } })
    expect(apply(paused, events.confirmed).state.state.kind).toBe('paused')
    expect(
      armingOf(apply(scopeOf('paused, budget', { used: 100, max: null }), events.pause).state.state),
    ).toMatchObject({ budgetFrom: { used: 100, at } })
  })

  it('a pause a person chose outlives a new setting', () => {
    expect(apply(scopeOf('paused by user'), events.arm).state.state).toMatchObject({
      kind: 'paused',
      reason: { code: 'by-user' },
      arming: { text: 'new' },
      entryId: null,
    })
    expect(apply(scopeOf('none'), { ...events.arm, paused: { code: 'by-user' } }).state.state.kind).toBe('paused')
    expect(apply(scopeOf('failed'), { ...events.rearm, paused: { code: 'by-user' } }).state.state.kind).toBe('paused')
  })
})

describe('what viewers see', () => {
  it.each<[Sample, object | null]>([
    ['none', null],
    ['armed', { text: 'go on', used: 1, max: 3, status: { kind: 'armed' } }],
    ['injecting', { status: { kind: 'injecting', entryId: 'e1' } }],
    ['paused, not received', { text: 'go on', status: { kind: 'paused', reason: { code: 'not-received' }, at: 5 } }],
    ['done', { text: 'before', used: 2, max: 5, status: { kind: 'done' }, armedAt: 1, lastUsedAt: 4 }],
    ['failed', { text: 'before', status: { kind: 'failed', reason: { code: 'not-submitted' }, at: 5 } }],
  ])('%s', (sample, expected) => {
    const view = viewOf(scopeOf(sample))
    if (expected === null) expect(view.stopMessage).toBeNull()
    else expect(view.stopMessage).toMatchObject(expected)
  })
  it('the last setting has the public fields only', () => {
    expect(viewOf(scopeOf('failed')).lastStopMessage).toEqual({
      text: 'before',
      used: 2,
      max: 5,
      review: false,
      clearedAt: 5,
      clearedBy: 'failure',
    })
    expect(viewOf(null)).toEqual(noStopMessage)
  })
})
