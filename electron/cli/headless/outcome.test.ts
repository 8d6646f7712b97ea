import { describe, expect, it } from 'vitest'
import { sampleSession } from '../../engine/control/testing/fake-control-api.ts'
import type { HoldReason, PauseReason } from '../../../shared/events.ts'
import type { OutboxEntryView, SessionSay, SessionView, StopMessageStatusView } from '../../../shared/state.ts'
import { sampleCheck, sampleRun } from '../testing/sample-goal.ts'
import { exitCodeOf, outcomeOf, type RunState, type Outcome } from './outcome.ts'

const goal = (status: StopMessageStatusView, review = true): Pick<SessionView, 'stopMessage'> => ({
  stopMessage: { text: 'All green', used: 2, max: 3, review, status, armedAt: 0, lastUsedAt: null },
})
const armed = goal({ kind: 'armed' })
const paused = (reason: PauseReason) => goal({ kind: 'paused', reason, at: 0 })
const say = (said: SessionSay): Pick<SessionView, 'say'> => ({ say: said })
const entry = (state: OutboxEntryView['state'], hold: HoldReason | null = null): Pick<SessionView, 'queue'> => ({
  queue: [{ state, hold } as OutboxEntryView],
})
const idle = { stopMessage: null, queue: [], ...say({ code: 'idle' }) }
const looked = (session: Partial<SessionView>, more: Partial<RunState> = {}) =>
  outcomeOf({
    session: sampleSession({ ...idle, ...session }),
    called: true,
    requestsOver: true,
    atRest: true,
    ...more,
  })
const failure = { provider: 'zai', message: 'no', since: 0, tries: 1, tried: [] }

describe('the job of an agent between two runs', () => {
  it.each<[string, Partial<SessionView>, Partial<RunState>?]>([
    ['the engine decides on the stop', armed, { atRest: false }],
    ['a reviewer looks', goal({ kind: 'reviewing', since: 0, round: 1 })],
    ['a text is on its way', { ...goal({ kind: 'injecting', entryId: 'e' }), ...entry('queued') }],
    [
      'a text waits for the look that shows the agent at rest',
      { ...armed, ...entry('queued', { code: 'agent-busy' }) },
    ],
    ['a text waits for a reset', { ...armed, ...say({ code: 'held', reason: { code: 'settling' } }) }],
    ['the request for it has just begun', { ...armed, ...entry('submitted') }, { requestsOver: false }],
    ['a guard asks, and goes on unanswered', paused({ code: 'budget', budget: 'time', limit: 8, goesOnAt: 9 })],
    ['the agent may ask again', { ...armed, ...say({ code: 'retrying', status: 500, ...failure }) }],
    [
      'its provider is asked now and then',
      {
        ...armed,
        ...say({
          code: 'turn-failed',
          status: 500,
          ...failure,
          goesOn: { targets: ['zai.glm'], tryAt: null, tries: 0 },
        }),
      },
    ],
    ['its limit lifts', { ...armed, ...say({ code: 'limited', provider: 'zai', since: 0, lifts: 9, resumeAt: 9 }) }],
    ['an alarm comes', { nextAlarm: { taskId: 'a', dueAt: 9, task: 'look', waiting: 1 } }],
  ])('goes on: %s', (_, session, more) => expect(looked(session, more)).toBeNull())

  it.each<[string, number, Partial<SessionView>, Partial<RunState>?]>([
    ['the goal is reached', 0, goal({ kind: 'done', reason: { code: 'goal-reached', checks: 1 }, at: 0 })],
    ['no work is open', 0, goal({ kind: 'done', reason: { code: 'no-open-work' }, at: 0 })],
    [
      'each of so many texts was said',
      0,
      goal({ kind: 'done', reason: { code: 'rounds-used', used: 3, max: 3 }, at: 0 }, false),
    ],
    ['nothing was set', 0, {}],
    [
      'an alarm comes every day',
      0,
      { nextAlarm: { taskId: 'a', dueAt: 9, task: 'look', waiting: 1, repeat: {} as never } },
    ],
    [
      'the rounds of a goal are used',
      10,
      goal({ kind: 'done', reason: { code: 'rounds-used', used: 3, max: 3 }, at: 0 }),
    ],
    ['a budget is used', 10, paused({ code: 'budget', budget: 'cost', limit: 5 })],
    [
      'a limit stands',
      10,
      { ...armed, ...say({ code: 'limited', provider: 'zai', since: 0, lifts: null, resumeAt: null }) },
    ],
    ['only a person can go on', 12, paused({ code: 'needs-user', text: 'Which?' })],
    ['checks wait for a person', 12, paused({ code: 'checks-unapproved', names: ['tests'] })],
    ['a person paused it', 12, say({ code: 'paused', reason: { code: 'by-user' }, waiting: 0 })],
    ['a person paused all', 12, { ...armed, ...entry('queued', { code: 'paused', by: 'global' }) }],
    ['its provider wants a sign-in', 12, { ...armed, ...say({ code: 'turn-failed', status: 401, ...failure }) }],
    ['its marker was held', 12, { heldMarkers: [{ id: 'm', marker: '<**sm:"x"**>', why: 'in-paste', at: 0 }] }],
    ['its goal is another conversation’s', 12, say({ code: 'idle', but: 'armed-elsewhere' })],
    ['the reviewer failed', 13, paused({ code: 'review-failed', times: 3, why: 'no verdict' })],
    ['the disk is full', 13, { ...armed, ...entry('queued', { code: 'store-failed', message: 'ENOSPC' }) }],
    ['a text was handed over, and no request carried it', 13, { ...armed, ...entry('submitted') }, { atRest: false }],
    ['nothing can be said to it', 13, goal({ kind: 'failed', reason: { code: 'agent-gone' }, at: 0 })],
    ['its agent ended in the middle of a turn', 1, armed],
    ['its provider refuses', 1, { ...armed, ...say({ code: 'turn-failed', status: 400, ...failure }) }],
    ['no call of it came', 1, {}, { called: false }],
  ])('is over: %s (%i)', (_, code, session, more) => {
    const outcome = looked(session, more)
    expect(outcome).not.toBeNull()
    expect(exitCodeOf(outcome as Outcome, { exitCode: 0, signal: null }, [])).toBe(code)
  })

  it('passes the agent’s own failure on where nothing says more', () => {
    const ended = (outcome: Outcome | null, exitCode: number) =>
      exitCodeOf(outcome as Outcome, { exitCode, signal: null }, [])
    expect(ended(looked({}), 7)).toBe(7)
    expect(ended(looked(armed), 42)).toBe(42)
    expect(ended(looked(armed, { called: false }), 127)).toBe(127)
    expect(ended(looked(goal({ kind: 'done', reason: { code: 'goal-reached' }, at: 0 })), 7)).toBe(0)
    expect(exitCodeOf({ code: 'agent-ended' }, { exitCode: null, signal: 'SIGKILL' }, [])).toBe(137)
    expect(exitCodeOf({ code: 'told', signal: 'SIGTERM' }, null, [])).toBe(143)
    expect(exitCodeOf({ code: 'engine-lost' }, { exitCode: 1, signal: null }, [])).toBe(13)
  })

  it('says that a check fails where else it would say less', () => {
    const red = [sampleCheck({ last: sampleRun({ outcome: 'timed-out' }) })]
    const green = [sampleCheck({ last: sampleRun({ outcome: 'passed' }) })]
    const unknown = [sampleCheck({ last: null })]
    const ended = (outcome: Outcome, checks: typeof red, exitCode = 0) =>
      exitCodeOf(outcome, { exitCode, signal: null }, checks)
    const used: Outcome = { code: 'done', reason: { code: 'rounds-used', used: 3, max: 3 }, review: true }
    expect([red, green, unknown].map((checks) => ended(used, checks))).toEqual([11, 10, 10])
    expect([red, green, unknown].map((checks) => ended({ code: 'nothing-more' }, checks))).toEqual([11, 0, 0])
    expect(ended({ code: 'nothing-more' }, red, 7)).toBe(7)
    expect(ended({ code: 'paused', reason: { code: 'budget', budget: 'cost', limit: 5 } }, red)).toBe(11)
    // an earlier run of it says nothing of the work as it is now
    expect(ended({ code: 'paused', reason: { code: 'needs-user', text: '?' } }, red)).toBe(12)
  })
})
