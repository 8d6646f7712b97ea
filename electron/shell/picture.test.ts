import { describe, expect, it } from 'vitest'
import { sampleSession, sampleStatus, sampleTerminal } from '../engine/control/testing/fake-control-api.ts'
import type { EngineUpdate } from '../../shared/state.ts'
import { dependents, noPicture, pictureAfter } from './picture.ts'

const after = (...updates: EngineUpdate[]) => updates.reduce(pictureAfter, noPicture('en'))
const snapshot: EngineUpdate = { type: 'snapshot', status: sampleStatus({ language: 'zh-CN' }), sessions: [sampleSession()], terminals: [sampleTerminal()] }

describe('the picture', () => {
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
    expect(after(snapshot, { type: 'snapshot', status: sampleStatus(), sessions: [], terminals: [] })).toMatchObject({ sessions: new Map(), terminals: new Map() })
  })
})

describe('who depends on the engine', () => {
  const named = (sessions: Parameters<typeof sampleSession>[0][], terminals: Parameters<typeof sampleTerminal>[0][]) =>
    dependents(after({ type: 'snapshot', status: sampleStatus(), sessions: sessions.map(sampleSession), terminals: terminals.map(sampleTerminal) }))

  it('is every agent in a living terminal, at work or not', () => {
    expect(named([{ shape: 'idle' }], [{ id: 'term_1', name: 'billing' }, { id: 'b', name: 'api' }, { id: 'c', name: 'old', alive: false }])).toEqual(['billing', 'api'])
  })

  it('is an agent at work elsewhere, named once', () => {
    expect(named([{ id: 'a', name: 'sdk', terminalId: null }, { id: 'b', name: 'quiet', terminalId: null, shape: 'idle' }, { id: 'c', name: 'billing' }], [{ id: 'term_1', name: 'billing' }])).toEqual(['billing', 'sdk'])
  })

  it('is nobody while nothing runs', () => { expect(named([], [])).toEqual([]) })
})
