import { describe, expect, it } from 'vitest'
import {
  sampleAlarm,
  sampleSession,
  sampleStatus,
  sampleTerminal,
} from '../../engine/control/testing/fake-control-api.ts'
import type { AlarmView } from '../../../shared/alarms/alarms.ts'
import type { EngineUpdate } from '../../../shared/state.ts'
import { atWork, dependents, isRinging, noPicture, pictureAfter } from './picture.ts'

const after = (...updates: EngineUpdate[]) => updates.reduce(pictureAfter, noPicture('en'))
const snapshot: EngineUpdate = {
  type: 'snapshot',
  status: sampleStatus({ language: 'zh-CN' }),
  sessions: [sampleSession()],
  terminals: [sampleTerminal()],
}

describe('the picture', () => {
  it('names who has a turn running', () => {
    const sessions = [
      sampleSession({ id: 'a', name: 'billing', shape: 'working' }),
      sampleSession({ id: 'b', name: 'idle', shape: 'idle' }),
      sampleSession({ id: 'c', name: 'old', shape: 'working', archived: true }),
    ]
    expect(atWork(after({ ...snapshot, sessions }))).toEqual(['billing'])
  })

  it('is empty before the first update, in the language of the system', () => {
    expect(noPicture('zh-CN')).toMatchObject({ status: null, language: 'zh-CN' })
  })

  it('follows every kind of update', () => {
    const picture = after(
      snapshot,
      { type: 'session', session: sampleSession({ id: 's2', name: 'api' }) },
      { type: 'session-removed', id: sampleSession().id },
      { type: 'terminal', terminal: sampleTerminal({ id: 't2' }) },
      { type: 'terminal-removed', id: sampleTerminal().id },
      { type: 'status', status: sampleStatus({ paused: true }) },
      { type: 'notice', notice: { id: 'n', class: 'needs-you', sessionId: null, title: '', body: '', actions: [] } },
    )
    expect([...picture.sessions.keys()]).toEqual(['s2'])
    expect([...picture.terminals.keys()]).toEqual(['t2'])
    expect(picture.status?.paused).toBe(true)
    expect(picture.language).toBe('en')
  })

  it('is a new one each time: a drawn one never changes', () => {
    const before = after(snapshot)
    pictureAfter(before, { type: 'session-removed', id: sampleSession().id })
    expect(before.sessions.size).toBe(1)
  })

  it('starts anew with a snapshot', () => {
    expect(after(snapshot, { type: 'snapshot', status: sampleStatus(), sessions: [], terminals: [] })).toMatchObject({
      sessions: new Map(),
      terminals: new Map(),
    })
  })
})

describe('an alarm', () => {
  const now = 1_000_000
  const view = (more: Partial<AlarmView>) => ({
    waiting: 1,
    alarms: [sampleAlarm({ taskId: 'a', dueAt: now, ...more })],
    missed: [],
    missedTotal: 0,
    history: [],
    zone: 'UTC',
    retentionMs: 1,
  })

  it.each<[string, boolean, Partial<AlarmView>, number]>([
    ['whose time has come', true, {}, 0],
    ['that a route has taken', true, { state: { kind: 'under-way', route: 'terminal' } }, 0],
    ['that was delivered', false, { state: { kind: 'delivered', at: now } }, 0],
    ['of later', false, { dueAt: now + 1 }, 0],
    ['of now by the time servers, later by this computer', true, { dueAt: now + 5_000 }, 5_000],
    ['of now by this computer, later by the time servers', false, {}, -5_000],
    ['that nobody knows', false, { taskId: 'other' }, 0],
  ])('%s rings: %s', (_name, rings, more, offsetMs) => {
    const status = sampleStatus({ timeSync: { status: 'synced', offsetMs, at: 0, lastError: null } })
    expect(
      isRinging(after(snapshot, { type: 'status', status }, { type: 'alarms', alarms: view(more) }), 'a', now),
    ).toBe(rings)
    expect(
      isRinging(after({ type: 'snapshot', status, sessions: [], terminals: [], alarms: view(more) }), 'a', now),
    ).toBe(rings)
  })

  it('of an engine that tells of none never rings', () => {
    expect(isRinging(after({ type: 'alarms', alarms: view({}) }, snapshot), 'a', now)).toBe(false)
  })
})

describe('who depends on the engine', () => {
  const named = (sessions: Parameters<typeof sampleSession>[0][], terminals: Parameters<typeof sampleTerminal>[0][]) =>
    dependents(
      after({
        type: 'snapshot',
        status: sampleStatus(),
        sessions: sessions.map(sampleSession),
        terminals: terminals.map(sampleTerminal),
      }),
    )

  it('is every agent in a living terminal, at work or not', () => {
    expect(
      named(
        [{ shape: 'idle' }],
        [
          { id: 'term_1', name: 'billing' },
          { id: 'b', name: 'api' },
          { id: 'c', name: 'old', alive: false },
        ],
      ),
    ).toEqual(['billing', 'api'])
  })

  it('is an agent at work elsewhere, named once', () => {
    expect(
      named(
        [
          { id: 'a', name: 'sdk', terminalId: null },
          { id: 'b', name: 'quiet', terminalId: null, shape: 'idle' },
          { id: 'c', name: 'billing' },
        ],
        [{ id: 'term_1', name: 'billing' }],
      ),
    ).toEqual(['billing', 'sdk'])
  })

  it('is nobody while nothing runs', () => {
    expect(named([], [])).toEqual([])
  })
})
