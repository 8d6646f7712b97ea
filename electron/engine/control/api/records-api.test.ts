import { describe, expect, it } from 'vitest'
import type { TurnRecord } from '../../../../shared/state.ts'
import { silentLog } from '../../base/log.ts'
import { virtualClock } from '../../base/testing/virtual-clock.ts'
import { createCaptures } from '../../records/captures.ts'
import { createTurnRecords } from '../../records/turn-records.ts'
import { createSessionStore } from '../../sessions/session-store.ts'
import { createStore } from '../../store/create-store.ts'
import { memoryFiles } from '../../store/testing/memory-files.ts'
import { sampleSession } from '../testing/fake-control-api.ts'
import { findSession } from './sessions/find-session.ts'
import { recordsApi } from './records-api.ts'

async function scene() {
  const files = memoryFiles()
  const clock = virtualClock()
  const store = createStore({ root: '/r', files, clock, log: silentLog, onProblem: () => undefined })
  const records = await createTurnRecords({ files, store, clock, log: silentLog, root: '/r' })
  const sessions = createSessionStore({ store, clock, log: silentLog })
  await sessions.open('ses_1', { client: 'claude' })
  const api = recordsApi({
    records,
    sessions,
    captures: createCaptures({ root: '/r', clock, record: () => undefined }),
    viewing: { session: (id) => sampleSession({ id, ...(sessions.get(id)?.capture ? { capture: true } : {}) }) },
    find: async (wanted) => findSession(wanted, sessions.list(), []),
  })
  const record = (more: Partial<TurnRecord> = {}): TurnRecord => ({
    requestId: 'req_1',
    at: clock.now(),
    sessionId: 'ses_1',
    scope: null,
    client: 'claude',
    entry: 'messages',
    kind: 'turn',
    model: 'm',
    route: null,
    status: 200,
    finish: 'stop',
    usage: null,
    costUsd: null,
    ttfbMs: 1,
    durationMs: 2,
    bytesIn: 1,
    bytesOut: 1,
    error: null,
    by: 'onward',
    ...more,
  })
  return { api, records, sessions, record, store, clock }
}

describe('the calls about what went by', () => {
  it('tell turns, newest first, and one of them', async () => {
    const { api, records, record } = await scene()
    records.add(record())
    records.add(record({ requestId: 'req_2' }))
    expect((await api.turns(5)).map(({ requestId }) => requestId)).toEqual(['req_2', 'req_1'])
    expect(await api.turn('req_1')).toEqual(record())
    await expect(api.turn('req_3')).rejects.toMatchObject({ code: 'turn-unknown', status: 404 })
  })

  it('say where the bodies of a turn are, where they are kept', async () => {
    const { api, records, record } = await scene()
    records.add(record({ captured: true }))
    expect(await api.turn('req_1')).toEqual({ ...record({ captured: true }), capturedIn: '/r/captures/ses_1/req_1' })
    expect((await api.turns(1))[0]).not.toHaveProperty('capturedIn')
  })

  it.each([
    [24, 24],
    [168, 28],
    [720, 30],
  ] as const)('tell the activity of %i hours in %i buckets', async (hours, buckets) => {
    const { api, records, record } = await scene()
    records.add(record())
    const view = await api.activity(hours)
    expect(view.buckets).toHaveLength(buckets)
    expect(view.buckets.at(-1)?.continued).toBe(1)
    expect(view.total.continued).toBe(1)
  })

  it('switch capture for one session, and that is on the disk when it is answered', async () => {
    const { api, sessions, store, clock } = await scene()
    expect((await api.setCapture({ session: 'ses_1', on: true })).capture).toBe(true)
    expect(sessions.get('ses_1')?.capture).toBe(true)
    const again = createSessionStore({ store, clock, log: silentLog })
    expect((await again.open('ses_1', { client: 'claude' })).capture).toBe(true)
    expect((await api.setCapture({ session: 'ses_1', on: false })).capture).toBeUndefined()
    await expect(api.setCapture({ session: 'nobody', on: true })).rejects.toMatchObject({ code: 'session-unknown' })
  })
})
