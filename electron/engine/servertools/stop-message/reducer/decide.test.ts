import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BackgroundWait } from '../../../../../shared/background.ts'
import { newGoalProgress } from './goal-progress.ts'
import type { DecisionStep, NearLimit, SkipReason } from '../../../../../shared/events.ts'
import { decideStopMessage, type Effect } from './decide.ts'
import type { TurnFacts } from '../ended-turn.ts'
import type { Arming, StopMessageState } from './state.ts'
import { runs } from '../../../../../shared/testing/runs.ts'

const NOW = 100 * 3_600_000
const budgets = { rounds: 100, hours: 8, noProgressRounds: 5, tokens: null, costUsd: null }
const arming: Arming = {
  id: 'a1',
  sessionId: 's1',
  text: 'go on',
  max: 3,
  used: 0,
  review: false,
  stageMode: 'auto',
  armedAt: NOW,
  lastUsedAt: null,
  budgetFrom: { used: 0, at: NOW },
  counted: [],
  progress: newGoalProgress,
}
const stop: TurnFacts = {
  requestId: 'r1',
  sessionId: 's1',
  kind: 'turn',
  reentered: false,
  finish: 'stop',
  clientLeft: false,
  registeredClientOnly: false,
  notFinished: null,
  scope: 'tmux:main',
  paused: null,
  terminalGone: null,
  conversation: 's1',
  pendingEntryId: null,
  totals: null,
  waitsFor: null,
}
const nearLimit: NearLimit = {
  code: 'near-limit',
  provider: 'zai',
  window: '5h',
  usedPercent: 92,
  at: NOW,
  until: NOW + 600_000,
}
const build: BackgroundWait = { kind: 'command', what: 'make', since: NOW, until: NOW + 600_000, more: 0 }
interface Case {
  arming: Arming | null
  pausedState?: boolean
  turn: TurnFacts
}
const decide = ({ arming: a, pausedState, turn }: Case) => {
  const state: StopMessageState = !a
    ? { kind: 'none' }
    : pausedState
      ? { kind: 'paused', arming: a, reason: { code: 'by-user' }, at: 1, entryId: null }
      : { kind: 'armed', arming: a }
  return decideStopMessage(state, turn, NOW, budgets)
}

/** The checks of a decision, in their order: what makes the row a "no", and what that does. */
const rows: { check: DecisionStep['check']; spoil: (c: Case) => Case; reason: SkipReason; effect: Effect | null }[] = [
  {
    check: 'not-reentered',
    spoil: (c) => ({ ...c, turn: { ...c.turn, reentered: true } }),
    reason: { code: 'reentered-followup' },
    effect: null,
  },
  {
    check: 'is-turn',
    spoil: (c) => ({ ...c, turn: { ...c.turn, kind: 'compaction' } }),
    reason: { code: 'not-a-turn', kind: 'compaction' },
    effect: null,
  },
  {
    check: 'not-paused',
    spoil: (c) => ({ ...c, turn: { ...c.turn, paused: 'global' } }),
    reason: { code: 'paused', by: 'global' },
    effect: null,
  },
  {
    check: 'has-scope',
    spoil: (c) => ({ ...c, turn: { ...c.turn, scope: null } }),
    reason: { code: 'no-scope' },
    effect: null,
  },
  {
    check: 'stage-mode',
    spoil: (c) => ({ ...c, arming: c.arming && { ...c.arming, stageMode: 'off' } }),
    reason: { code: 'stage-mode-off' },
    effect: null,
  },
  { check: 'armed', spoil: (c) => ({ ...c, arming: null }), reason: { code: 'nothing-armed' }, effect: null },
  {
    check: 'rounds-free',
    spoil: (c) => ({ ...c, arming: c.arming && { ...c.arming, max: 3, used: 3 } }),
    reason: { code: 'rounds-used', used: 3, max: 3 },
    effect: { type: 'done' },
  },
  {
    check: 'terminal-alive',
    spoil: (c) => ({ ...c, turn: { ...c.turn, terminalGone: 'pane closed' } }),
    reason: { code: 'terminal-gone', why: 'pane closed' },
    effect: { type: 'failed', reason: { code: 'terminal-gone', why: 'pane closed' } },
  },
  {
    check: 'plain-stop',
    spoil: (c) => ({ ...c, turn: { ...c.turn, finish: 'tool-calls' } }),
    reason: { code: 'not-a-plain-stop', finish: 'tool-calls' },
    effect: null,
  },
  {
    check: 'client-stayed',
    spoil: (c) => ({ ...c, turn: { ...c.turn, clientLeft: true } }),
    reason: { code: 'client-left' },
    effect: null,
  },
  {
    check: 'budget-free',
    spoil: (c) => ({ ...c, arming: c.arming && { ...c.arming, max: null, used: 100 } }),
    reason: { code: 'budget', budget: 'rounds', limit: 100 },
    effect: { type: 'pause', reason: { code: 'budget', budget: 'rounds', limit: 100 } },
  },
  {
    check: 'agent-finished',
    spoil: (c) => ({ ...c, turn: { ...c.turn, notFinished: 'own-goal' } }),
    reason: { code: 'agent-not-finished', why: 'own-goal' },
    effect: null,
  },
  {
    check: 'current-conversation',
    spoil: (c) => ({ ...c, turn: { ...c.turn, conversation: 's2' } }),
    reason: { code: 'other-conversation' },
    effect: null,
  },
  {
    check: 'no-entry-pending',
    spoil: (c) => ({ ...c, turn: { ...c.turn, pendingEntryId: 'e1' } }),
    reason: { code: 'entry-pending', entryId: 'e1' },
    effect: null,
  },
  {
    check: 'below-limit',
    spoil: (c) => ({ ...c, turn: { ...c.turn, nearLimit } }),
    reason: nearLimit,
    effect: null,
  },
  {
    check: 'background-over',
    spoil: (c) => ({ ...c, turn: { ...c.turn, waitsFor: build } }),
    reason: { code: 'background-work', ...build },
    effect: null,
  },
]
const good: Case = { arming, turn: stop }

describe('the decision', () => {
  it('fires when every check says yes, and names them all', () => {
    expect(decide(good)).toEqual({
      kind: 'fire',
      round: 1,
      text: 'go on',
      used: 0,
      max: 3,
      steps: rows.map(({ check }) => ({ check, ok: true })),
    })
  })

  it.each(rows)('$check', (row) => {
    const decision = decide(row.spoil(good))
    expect(decision).toMatchObject({ kind: 'skip', reason: row.reason, effect: row.effect })
    expect(decision.steps.at(-1)).toMatchObject({ check: row.check, ok: false })
    expect(decision.steps.slice(0, -1).every((s) => s.ok)).toBe(true)
  })

  it('the first of several reasons counts, for every pair', () => {
    for (const [i, first] of rows.entries()) {
      for (const later of rows.slice(i + 1)) {
        // Nothing armed leaves nothing whose stage mode, rounds or budget could be looked at.
        if (first.check === 'stage-mode' && later.check === 'armed') continue
        // spoils the same field
        if (first.check === 'rounds-free' && later.check === 'budget-free') continue
        expect([first.check, later.check, decide(first.spoil(later.spoil(good))).steps.at(-1)?.check]).toEqual([
          first.check,
          later.check,
          first.check,
        ])
      }
    }
  })

  it('the steps are those of the spec, whatever the facts', () => {
    fc.assert(
      fc.property(fc.subarray(rows.map((_, i) => i)), (spoiled) => {
        const decision = decide(spoiled.reduce((c, i) => rows[i]?.spoil(c) ?? c, good))
        expect(decision.steps.map((s) => s.check)).toEqual(rows.slice(0, decision.steps.length).map((r) => r.check))
        expect(decision.kind === 'fire').toBe(spoiled.length === 0)
        expect(decision.steps.filter((s) => !s.ok)).toHaveLength(spoiled.length === 0 ? 0 : 1)
      }),
      runs(100),
    )
  })

  it.each([
    'length',
    'content-filter',
    'refusal',
    'pause-turn',
    'incomplete',
    'error',
    'broken-off',
    'tool-calls',
  ] as const)('%s is no plain stop', (finish) => {
    expect(decide({ ...good, turn: { ...stop, finish } })).toMatchObject({
      reason: { code: 'not-a-plain-stop', finish },
    })
  })

  it.each([
    ['paused by its own state', { ...good, pausedState: true }, { code: 'paused', by: 'session' }],
    [
      'a conversation of a registered client',
      { ...good, turn: { ...stop, registeredClientOnly: true } },
      { code: 'no-scope' },
    ],
    [
      'a conversation begun after it was set',
      { ...good, turn: { ...stop, sessionId: 's2', conversation: 's2' } },
      { code: 'other-conversation' },
    ],
    [
      'a conversation begun after it was set, whose budgets it does not use up',
      {
        arming: { ...arming, max: null, budgetFrom: { used: 0, at: 0 } },
        turn: { ...stop, sessionId: 's2', conversation: 's2' },
      },
      { code: 'other-conversation' },
    ],
    [
      'no main turn seen in the scope',
      { ...good, turn: { ...stop, conversation: null } },
      { code: 'other-conversation' },
    ],
  ] as const)('%s', (_, given, reason) => {
    expect(decide(given)).toMatchObject({ kind: 'skip', reason })
  })

  it('set for a terminal that had no conversation yet, it is for whichever comes', () => {
    expect(decide({ ...good, arming: { ...arming, sessionId: null } }).kind).toBe('fire')
  })

  it('in reenter mode the scope is the conversation', () => {
    expect(decide({ ...good, turn: { ...stop, scope: 'session:s1', conversation: undefined } }).kind).toBe('fire')
  })

  it('sends the goal itself while there is no review', () => {
    expect(decide({ ...good, arming: { ...arming, review: true, text: 'the goal', used: 1 } })).toMatchObject({
      kind: 'fire',
      text: 'the goal',
      round: 2,
    })
  })
})

describe('a stop in another conversation', () => {
  const there = { ...stop, sessionId: 's2', conversation: 's2' }
  it('asks a person there', () => {
    expect(decide({ ...good, turn: there })).toMatchObject({ effect: { type: 'ask-here', sessionId: 's2' } })
  })
  it.each([
    ['that the terminal does not show any more', { ...there, conversation: 's1' }],
    ['that is not known', { ...there, sessionId: null, conversation: null }],
  ])('%s asks nobody', (_, turn) => {
    expect(decide({ ...good, turn })).toMatchObject({ reason: { code: 'other-conversation' }, effect: null })
  })
})

describe('budgets', () => {
  const unbounded = (more: Partial<Arming>) => decide({ ...good, arming: { ...arming, max: null, ...more } })
  it.each<[string, Partial<Arming>, object]>([
    ['99 rounds', { used: 99 }, { kind: 'fire' }],
    ['100 rounds', { used: 100 }, { reason: { code: 'budget', budget: 'rounds', limit: 100 } }],
    ['100 rounds since a person let it go on', { used: 150, budgetFrom: { used: 51, at: NOW } }, { kind: 'fire' }],
    ['less than 8 hours', { budgetFrom: { used: 0, at: NOW - 8 * 3_600_000 + 1 } }, { kind: 'fire' }],
    [
      '8 hours',
      { budgetFrom: { used: 0, at: NOW - 8 * 3_600_000 } },
      { reason: { code: 'budget', budget: 'time', limit: 8 } },
    ],
  ])('%s', (_, more, expected) => {
    expect(unbounded(more)).toMatchObject(expected)
  })

  it('do not clamp rounds a person wrote', () => {
    expect(decide({ ...good, arming: { ...arming, max: 500, used: 400, budgetFrom: { used: 0, at: 0 } } }).kind).toBe(
      'fire',
    )
  })
  it('that are switched off ask nobody', () => {
    const off = { ...budgets, rounds: null, hours: null }
    expect(
      decideStopMessage(
        { kind: 'armed', arming: { ...arming, max: null, used: 10_000, budgetFrom: { used: 0, at: 0 } } },
        stop,
        NOW,
        off,
      ).kind,
    ).toBe('fire')
  })
})
