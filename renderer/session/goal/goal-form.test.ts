import { describe, expect, it } from 'vitest'
import type { StopMessageStatusView } from '../../../shared/state.ts'
import { stopMessage } from '../../testing/views.ts'
import { draftOf, orderOf, roundsShown, type GoalDraft } from './goal-form.ts'

const draft = (over: Partial<GoalDraft> = {}): GoalDraft => ({
  text: 'Ship it',
  rounds: '5',
  review: false,
  now: false,
  ...over,
})
const running = stopMessage({ text: 'Ship it', used: 3, max: 5, review: false })

describe('the form of a goal', () => {
  it('leaves the rounds open where a reviewer decides, until a person writes a number', () => {
    expect([
      roundsShown(draft({ rounds: null })),
      roundsShown(draft({ rounds: null, review: true })),
      roundsShown(draft({ rounds: '7', review: true })),
      roundsShown(draft({ rounds: '' })),
    ]).toEqual(['10', '', '7', ''])
  })

  it('arms what is not armed yet', () => {
    expect(orderOf('s', null, draft())).toEqual({
      kind: 'arm',
      input: { session: 's', text: 'Ship it', rounds: 5, review: false },
    })
    expect(orderOf('s', null, draft({ text: '  ', rounds: null, review: true }))).toEqual({
      kind: 'arm',
      input: { session: 's', rounds: null, review: true },
    })
    expect(orderOf('s', null, draft({ rounds: 'many' }))).toEqual({ kind: 'bad-rounds' })
  })

  it('changes what runs, and names only what was changed', () => {
    expect(orderOf('s', running, draftOf(running))).toEqual({ kind: 'nothing' })
    expect(orderOf('s', running, draft({ review: true }))).toEqual({
      kind: 'edit',
      input: { session: 's', review: true },
    })
    expect(orderOf('s', running, draft({ text: 'Another', rounds: '' }))).toEqual({
      kind: 'edit',
      input: { session: 's', text: 'Another', rounds: null },
    })
    expect(orderOf('s', running, draft({ text: ' ' }))).toEqual({ kind: 'nothing' })
  })

  it.each([
    [{ kind: 'armed' }, 'edit'],
    [{ kind: 'reviewing', since: 0, round: 4 }, 'edit'],
    [{ kind: 'injecting', entryId: 'e' }, 'edit'],
    [{ kind: 'paused', reason: { code: 'by-user' }, at: 0 }, 'edit'],
    [{ kind: 'done', reason: { code: 'no-open-work' }, at: 0 }, 'arm'],
    [{ kind: 'failed', reason: { code: 'agent-gone' }, at: 0 }, 'arm'],
  ] as const satisfies readonly (readonly [StopMessageStatusView, string])[])(
    'of a goal that is %j: %s',
    (status, kind) => expect(orderOf('s', { ...running, status }, draft({ text: 'Another' })).kind).toBe(kind),
  )
})
