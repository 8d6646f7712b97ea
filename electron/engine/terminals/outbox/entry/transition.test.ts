import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { eventsOf } from './entry-events.ts'
import { typedAtOf, viewOf, type OutboxEntry } from '../entry.ts'
import { entryOf, samplePhases, type Sample } from '../testing/entries.ts'
import { transition, transitions, type EntryEvent } from './transition.ts'
import { runs } from '../../../../../shared/testing/runs.ts'

const events = {
  edit: { type: 'edit', revision: 0, text: 'other' },
  'send-now': { type: 'send-now' },
  hold: { type: 'hold', reason: { code: 'draft' } },
  begin: { type: 'begin', at: 10 },
  'take-back': { type: 'take-back', reason: { code: 'agent-busy' } },
  'owe-enter': { type: 'owe-enter', reason: { code: 'dialog-open' } },
  submit: { type: 'submit', at: 10, extraEnter: true },
  receipt: { type: 'receipt', at: 10 },
  lose: { type: 'lose', at: 10 },
  'fail (not submitted)': { type: 'fail', at: 10, reason: { code: 'not-submitted' } },
  'fail (terminal gone)': { type: 'fail', at: 10, reason: { code: 'terminal-gone', why: 'closed' } },
  cancel: { type: 'cancel', at: 10, by: 'user' },
  supersede: { type: 'supersede', at: 10, by: 'clear' },
  expire: { type: 'expire', at: 10 },
} as const satisfies Record<string, EntryEvent>

/** The state machine: event -> from -> to. What does not stand here is refused. */
const arrows: Record<keyof typeof events, Partial<Record<Sample, string>>> = {
  edit: { queued: 'queued' },
  'send-now': { queued: 'queued', owed: 'queued' },
  hold: { queued: 'queued', owed: 'queued' },
  begin: { queued: 'typing', owed: 'typing' },
  'take-back': { typing: 'queued' },
  'owe-enter': { typing: 'queued' },
  submit: { typing: 'submitted' },
  receipt: { submitted: 'confirmed', unknown: 'confirmed', failed: 'confirmed' },
  lose: { typing: 'unknown', submitted: 'unknown' },
  'fail (not submitted)': { typing: 'failed', submitted: 'failed' },
  'fail (terminal gone)': { queued: 'failed', owed: 'failed', typing: 'failed', submitted: 'failed' },
  cancel: { queued: 'cancelled', owed: 'cancelled' },
  supersede: { queued: 'superseded', owed: 'superseded' },
  expire: { queued: 'expired', owed: 'expired' },
}

describe('the outbox state machine', () => {
  const samples = Object.keys(samplePhases) as Sample[]
  const rows = Object.entries(events).flatMap(([name, event]) =>
    samples.map((from) => ({ name: name as keyof typeof events, event, from })),
  )

  it.each(rows)('$name from $from', ({ name, event, from }) => {
    const entry = entryOf(samplePhases[from])
    const outcome = transition(entry, event)
    const to = arrows[name][from]
    expect(outcome.ok ? outcome.entry.phase.state : null).toBe(to ?? null)
    if (outcome.ok)
      expect({ ...outcome.entry, phase: null, text: '', revision: 0, skipSettle: false }).toEqual({
        ...entry,
        phase: null,
        text: '',
        revision: 0,
        skipSettle: false,
      })
  })

  it.each([
    ['edit', 'owed', 'text-in-composer'],
    ['receipt', 'unsent', 'never-typed'],
    ['receipt', 'confirmed', 'wrong-state'],
    ['fail (not submitted)', 'queued', 'terminal-still-there'],
  ] as const)('says why: %s from %s is %s', (name, from, refusal) => {
    expect(transition(entryOf(samplePhases[from]), events[name])).toEqual({ ok: false, refusal })
  })

  it('refuses an edit of an older revision and counts those it takes', () => {
    const first = transition(entryOf(samplePhases.queued), { type: 'edit', revision: 0, text: 'one' })
    if (!first.ok) throw new Error(first.refusal)
    expect(first.entry).toMatchObject({ text: 'one', revision: 1 })
    expect(transition(first.entry, { type: 'edit', revision: 0, text: 'two' })).toEqual({
      ok: false,
      refusal: 'stale-revision',
    })
  })

  it('never forgets that a text stands in the composer', () => {
    const back = transitions(entryOf(samplePhases.owed), [events.begin, events['take-back']])
    expect(back.ok && typedAtOf(back.entry.phase)).toBe(5)
    expect(back.ok && back.entry.phase).toEqual({ state: 'queued', hold: { code: 'agent-busy' }, owedSince: 5 })
  })

  it('takes a late receipt for the proof of the submit, too', () => {
    const outcome = transition(entryOf(samplePhases.unknown), events.receipt)
    expect(outcome.ok && outcome.entry.phase).toEqual({
      state: 'confirmed',
      typedAt: 5,
      submittedAt: 10,
      confirmedAt: 10,
      late: true,
    })
  })

  it('refuses several arrows as a whole', () => {
    expect(transitions(entryOf(samplePhases.queued), [events.begin, events.receipt])).toEqual({
      ok: false,
      refusal: 'wrong-state',
    })
  })

  it('ends: from a last state only the late receipt leads on, whatever happens', () => {
    const last = new Set(['confirmed', 'cancelled', 'superseded', 'expired'])
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...Object.values(events)), { maxLength: 30 }), (list) => {
        let entry: OutboxEntry = entryOf(samplePhases.queued)
        let begun = 0
        for (const event of list) {
          const outcome = transition(entry, event)
          if (!outcome.ok) continue
          expect(last.has(entry.phase.state)).toBe(false)
          if (event.type === 'begin' && typedAtOf(entry.phase) === null) begun++
          if (event.type === 'take-back') begun = 0
          expect(begun).toBeLessThanOrEqual(1)
          entry = outcome.entry
        }
      }),
      runs(100),
    )
  })
})

describe('what the timeline hears of an arrow', () => {
  const heard = (from: Sample, event: EntryEvent) => {
    const before = entryOf(samplePhases[from])
    const outcome = transition(before, event)
    if (!outcome.ok) throw new Error(outcome.refusal)
    return eventsOf(before, outcome.entry, event).map((e) => e.type)
  }
  it.each([
    ['queued', 'edit', ['edited']],
    ['queued', 'send-now', []],
    ['queued', 'hold', ['held']],
    ['queued', 'begin', []],
    ['typing', 'take-back', ['held']],
    ['typing', 'owe-enter', ['typed', 'held']],
    ['typing', 'submit', ['typed', 'submitted']],
    ['submitted', 'receipt', ['confirmed']],
    ['unknown', 'receipt', ['confirmed']],
    ['typing', 'lose', ['unknown']],
    ['submitted', 'fail (not submitted)', ['failed']],
    ['queued', 'cancel', ['cancelled']],
    ['queued', 'supersede', ['superseded']],
    ['queued', 'expire', ['expired']],
  ] as const)('%s, %s: %j', (from, name, types) => {
    expect(heard(from, events[name])).toEqual(types)
  })

  it('hears a hold once, until its reason changes', () => {
    expect(heard('owed', { type: 'hold', reason: { code: 'dialog-open' } })).toEqual([])
    expect(heard('owed', { type: 'hold', reason: { code: 'dialog-open', what: 'rm' } })).toEqual(['held'])
  })

  it('tells afterMs and lateness of a receipt', () => {
    const before = entryOf(samplePhases.submitted)
    const outcome = transition(before, { type: 'receipt', at: 806 })
    expect(outcome.ok && eventsOf(before, outcome.entry, { type: 'receipt', at: 806 })).toEqual([
      { type: 'confirmed', entryId: before.id, late: false, afterMs: 800 },
    ])
  })
})

describe('the public view of an entry', () => {
  it.each([
    ['queued', { state: 'queued', hold: null, fail: null, typedAt: null, submittedAt: null, confirmedAt: null }],
    [
      'owed',
      { state: 'queued', hold: { code: 'dialog-open' }, fail: null, typedAt: 5, submittedAt: null, confirmedAt: null },
    ],
    ['typing', { state: 'typing', hold: null, fail: null, typedAt: 5, submittedAt: null, confirmedAt: null }],
    ['submitted', { state: 'submitted', hold: null, fail: null, typedAt: 5, submittedAt: 6, confirmedAt: null }],
    ['confirmed', { state: 'confirmed', hold: null, fail: null, typedAt: 5, submittedAt: 6, confirmedAt: 7 }],
    [
      'unsent',
      {
        state: 'failed',
        hold: null,
        fail: { code: 'agent-gone' },
        typedAt: null,
        submittedAt: null,
        confirmedAt: null,
      },
    ],
    ['cancelled', { state: 'cancelled', hold: null, fail: null, typedAt: null, submittedAt: null, confirmedAt: null }],
  ] as const)('%s', (sample, rest) => {
    const entry = entryOf(samplePhases[sample])
    expect(viewOf(entry)).toEqual({
      id: entry.id,
      scope: 'tmux:main',
      sessionId: 's1',
      round: 1,
      text: 'go on',
      source: 'stopMessage',
      createdAt: 1,
      revision: 0,
      ...rest,
    })
  })
})
