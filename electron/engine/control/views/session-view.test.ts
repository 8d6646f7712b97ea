import { describe, expect, it } from 'vitest'
import type { StopMessageView } from '../../../../shared/state.ts'
import { terminalShape, type Terminal } from '../../sessions/binding/terminal.ts'
import { freshSession } from './fresh-session.ts'
import { sessionView, type SessionParts } from './session-view.ts'

const terminal: Terminal = terminalShape.parse({
  terminalId: 't1',
  scope: 'tmux:main',
  kind: 'tmux',
  home: 'pane',
  origin: 'found',
  client: 'codex',
  name: 'main',
  cwd: null,
  command: 'codex',
  keyHash: null,
  pane: null,
  hostId: null,
  daemonId: null,
  agentPid: null,
  openedAt: 0,
  endedAt: null,
  exitCode: null,
  sessionId: 's1',
  conversation: null,
  heir: null,
  cleanedAt: null,
})
const session = { ...freshSession(terminal), id: 's1' }
const goal: StopMessageView = {
  text: 'go on',
  used: 0,
  max: 3,
  review: false,
  status: { kind: 'armed' },
  armedAt: 1,
  lastUsedAt: null,
}
const parts: SessionParts = {
  session,
  terminal,
  terminalAlive: true,
  activity: null,
  needsYou: null,
  stopMessage: null,
  lastStopMessage: null,
  setIn: null,
  leftGoal: null,
  entries: [],
  pausedGlobally: false,
  limit: null,
  nearLimit: null,
  failure: null,
  triesInVain: false,
  resumeAtReset: false,
  stalled: null,
  recover: { on: false, waits: null },
}
describe('a session’s cache', () => {
  const cold = { requests: 1, tokens: 2000, why: { idle: 1 }, costUsd: null }
  const cached = { ...session, cold, cacheUntil: 9 }
  it('shows how long it is kept where something waits', () => {
    const nextAlarm = { taskId: 'a', dueAt: 20, task: 'look', waiting: 1 }
    expect(sessionView({ ...parts, session: cached, nextAlarm })).toMatchObject({ cold, cacheUntil: 9 })
    expect(sessionView({ ...parts, session: cached, stopMessage: goal, setIn: 's1' }).cacheUntil).toBe(9)
    expect(sessionView({ ...parts, session: { ...session, cold }, nextAlarm })).not.toHaveProperty('cacheUntil')
    expect(sessionView({ ...parts, session: cached })).not.toHaveProperty('cacheUntil')
  })
})

const held = { id: 'm1', marker: '<**sm:file://goals/a.md**>', why: 'new-file', at: 1 } as const

describe('a session that is idle', () => {
  const done = { kind: 'done', reason: { code: 'goal-reached' }, at: 1 } as const
  it.each<[string, Partial<SessionParts>, object]>([
    ['nothing is armed', {}, { code: 'idle' }],
    ['its goal is armed', { stopMessage: goal, setIn: 's1' }, { code: 'armed' }],
    ['a marker waits', { session: { ...session, heldMarkers: [held] } }, { code: 'idle', but: 'marker-held' }],
    [
      'its terminal’s goal is another conversation’s',
      { stopMessage: goal, setIn: 's0' },
      { code: 'idle', but: 'armed-elsewhere' },
    ],
    ['... and done', { stopMessage: { ...goal, status: done }, setIn: 's0' }, { code: 'idle' }],
    [
      'a person is asked about that goal',
      { stopMessage: goal, setIn: 's0', leftGoal: { sessionId: 's0', text: 'go on', used: 0, max: 3 } },
      { code: 'left-goal', text: 'go on' },
    ],
  ])('says why: %s', (_, more, say) => {
    expect(sessionView({ ...parts, ...more }).say).toEqual(say)
  })
})
