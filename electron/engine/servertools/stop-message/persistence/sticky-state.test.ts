import { describe, expect, it } from 'vitest'
import type { RoundView } from '../../../../../shared/review.ts'
import { newGoalProgress } from '../reducer/goal-progress.ts'
import { emptyScope, type Arming, type ScopeState, type StopMessageState } from '../reducer/state.ts'
import { fromFields, isStickyFile, newer, stickySpec, toFields } from './sticky-state.ts'

const round: RoundView = {
  n: 1,
  at: 5,
  did: { calls: 1, tools: [{ name: 'shell', count: 1 }], text: 'done' },
  review: null,
  sent: 'fix it',
  progress: true,
}
const arming: Arming = {
  id: 'a1',
  sessionId: 's1',
  text: 'go on',
  max: 3,
  used: 1,
  review: true,
  stageMode: 'auto',
  armedAt: 10,
  lastUsedAt: 20,
  budgetFrom: { used: 0, at: 10 },
  counted: ['e1'],
  progress: { ...newGoalProgress, stuck: 2, rounds: [round] },
}
const last = {
  text: 'before',
  used: 2,
  max: null,
  review: false,
  clearedAt: 5,
  clearedBy: 'user',
  sessionId: 's0',
  armedAt: 1,
  lastUsedAt: null,
}
const lastStop = {
  requestId: 'r1',
  sessionId: 's1',
  kind: 'turn',
  reentered: false,
  finish: 'stop',
  clientLeft: false,
  registeredClientOnly: false,
  notFinished: null,
} as const
const states: StopMessageState[] = [
  { kind: 'none' },
  { kind: 'armed', arming },
  { kind: 'armed', arming: { ...arming, max: null, stageMode: 'off' } },
  { kind: 'armed', arming: { ...arming, askedIn: ['s2', 's3'] } },
  { kind: 'armed', arming: { ...arming, unanswered: ['no-progress'] } },
  {
    kind: 'armed',
    arming: {
      ...arming,
      budgetFrom: { used: 0, at: 10, agent: { tokens: 9, costUsd: 1, unpricedTokens: 4, worthUsd: 2 } },
    },
  },
  { kind: 'reviewing', reviewId: 'l1', since: 1, round: arming.used + 1, arming },
  { kind: 'injecting', arming, entryId: 'e1' },
  { kind: 'paused', arming, reason: { code: 'budget', budget: 'rounds', limit: 100 }, at: 30, entryId: 'e1' },
  { kind: 'paused', arming, reason: { code: 'by-user' }, at: 30, entryId: null },
  { kind: 'done', reason: { code: 'rounds-used', used: 3, max: 3 }, at: 40 },
  { kind: 'failed', reason: { code: 'terminal-gone', why: 'closed' }, at: 40 },
]

describe('the file of a scope', () => {
  it.each(states)('gives back what was put in: $kind', (state) => {
    const whole: ScopeState = {
      scope: 'tmux:main:%3',
      state,
      updatedAt: 15,
      last,
      lastStop,
      background: [
        { id: 'b1', kind: 'command', what: 'make', sessionId: 's1', since: 12 },
        { id: 'b2', kind: 'monitor', what: null, sessionId: null, since: 13, is: 'passed' },
      ],
      movedTo: 'pty:p1',
    }
    const spec = stickySpec(whole.scope)
    expect(fromFields(spec.parse(JSON.parse(JSON.stringify(toFields(whole)))))).toEqual(whole)
  })

  it('keeps the field names that files have', () => {
    expect(toFields({ ...emptyScope('tmux:main'), state: { kind: 'armed', arming }, updatedAt: 15 })).toMatchObject({
      stopMessageText: 'go on',
      stopMessageMaxRepeats: 3,
      stopMessageUsed: 1,
      stopMessageUpdatedAt: 15,
      stopMessageLastUsedAt: 20,
      stopMessageStageMode: 'auto',
      stopMessageAiMode: 'on',
      stopMessageAiSeedPrompt: 'go on',
      stopMessageAiHistory: [round],
      stopMessageStatus: { kind: 'armed' },
      lastStopMessage: null,
    })
  })

  it('keeps of a cleared setting the tombstone and the last text, nothing else', () => {
    const fields = toFields({ ...emptyScope('tmux:main'), updatedAt: 15, last })
    const set = Object.entries(fields)
      .filter(([, value]) => value !== null)
      .map(([name]) => name)
    expect(set.toSorted()).toEqual(['clearedAt', 'lastStopMessage', 'scope'])
    expect(Object.keys(fields).filter((name) => name.startsWith('stopMessage'))).toEqual(['stopMessageStatus'])
  })

  it('has a number of rounds that no goal reaches where none was given', () => {
    const fields = toFields({ ...emptyScope('tmux:main'), state: { kind: 'armed', arming: { ...arming, max: null } } })
    expect(fields.stopMessageMaxRepeats).toBe(Number.MAX_SAFE_INTEGER)
  })

  it('is read as it was written before: null rounds, and a tombstone in stopMessageUpdatedAt', () => {
    const goal = { scope: 'tmux:main', stopMessageText: 'go on', stopMessageMaxRepeats: null } as const
    expect(fromFields(goal).state).toMatchObject({ kind: 'armed', arming: { max: null } })
    expect(fromFields({ scope: 'tmux:main', stopMessageUpdatedAt: 7 })).toEqual({
      ...emptyScope('tmux:main'),
      updatedAt: 7,
    })
  })

  it('is read tolerantly', () => {
    expect(fromFields({ scope: 'tmux:main' })).toEqual(emptyScope('tmux:main'))
    expect(fromFields({ scope: 'tmux:main', stopMessageText: 'go on' }).state).toMatchObject({
      kind: 'armed',
      arming: { text: 'go on', max: 10, used: 0, review: false },
    })
    const odd = {
      scope: 'tmux:main',
      stopMessageText: 'go on',
      stopMessageUsed: 'many',
      stopMessageMaxRepeats: -1,
      stopMessageStatus: { kind: 'dancing' },
      lastStopMessage: 7,
      later: true,
    }
    expect(fromFields(stickySpec('tmux:main').parse(odd)).state).toMatchObject({
      kind: 'armed',
      arming: { max: 10, used: 0 },
    })
  })

  it.each([[{ scope: 'elsewhere' }], [{}], ['text'], [null]])('that is none is refused: %j', (value) => {
    expect(() => stickySpec('tmux:main').parse(value)).toThrow()
  })

  it('is told from other files by its name', () => {
    expect(
      [
        'tmux-main.json',
        'pty-1.json',
        'reenter-s1.json',
        'session-s1.json',
        'terminals.json',
        'tmux-main.json.corrupt-1',
      ].filter(isStickyFile),
    ).toEqual(['tmux-main.json', 'pty-1.json', 'reenter-s1.json'])
  })
})

describe('two states of one setting', () => {
  const at = (updatedAt: number | null, state: StopMessageState = { kind: 'none' }): ScopeState => ({
    ...emptyScope('tmux:main'),
    state,
    updatedAt,
  })
  const armed: StopMessageState = { kind: 'armed', arming }
  it('the later one holds', () => {
    expect(newer(at(5), at(6, armed)).state.kind).toBe('armed')
    expect(newer(null, at(1, armed)).state.kind).toBe('armed')
    expect(newer(at(null), at(1, armed)).state.kind).toBe('armed')
  })
  it('an older writer cannot bring back what was cleared', () => {
    expect(newer(at(7), at(6, armed)).state.kind).toBe('none')
    expect(newer(at(6), at(6, armed)).state.kind).toBe('none')
  })
})
