import { describe, expect, it } from 'vitest'
import type { EngineStatus, EngineUpdate, TurnRecord } from '../../../../shared/state.ts'
import { virtualClock } from '../../base/testing/virtual-clock.ts'
import { createViewHub } from './hub.ts'
import { session } from './testing/session.ts'

const status: EngineStatus = {
  version: '1',
  pid: 1,
  host: '127.0.0.1',
  port: 1,
  startedAt: 0,
  home: '/h',
  paused: false,
  simulator: true,
  providers: [],
  configPath: '',
  configProblem: null,
  counts: { sessions: 0, activity: 0, needsYou: 0, terminals: 0 },
  today: { turns: 0, tokens: 0, costUsd: null },
  language: 'en',
}
const alarms = { waiting: 0, alarms: [], missed: [], missedTotal: 0, history: [], zone: 'UTC', retentionMs: 1 }
const record = (requestId: string): TurnRecord => ({
  requestId,
  at: 0,
  sessionId: 's',
  scope: null,
  client: 'codex',
  entry: 'responses',
  kind: 'turn',
  model: null,
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
})

function scene() {
  const clock = virtualClock()
  let turns = 0
  let asked = 0
  const hub = createViewHub({
    clock,
    snapshot: () =>
      Promise.resolve({
        type: 'snapshot',
        status,
        sessions: [session('s', turns)],
        terminals: [],
        providers: [],
        alarms,
      }),
    session: (id) => {
      asked++
      return { type: 'session', session: session(id, turns) }
    },
    terminal: (id) => ({ type: 'terminal-removed', id }),
    status: () => ({ type: 'status', status }),
    providers: () => ({
      type: 'providers',
      providers: [],
      routing: { routes: {}, aliases: {}, longContextThreshold: 1, savedAt: null, canUndo: false },
    }),
    alarms: () => ({
      type: 'alarms',
      alarms,
    }),
  })
  return {
    clock,
    hub,
    work: () => {
      turns++
      hub.sessionChanged('s')
    },
    asked: () => asked,
  }
}
async function take(stream: AsyncIterator<EngineUpdate>): Promise<EngineUpdate> {
  const { value, done } = await stream.next()
  if (done) throw new Error('the stream ended')
  return value
}

describe('view hub', () => {
  it('sends a snapshot first, then the newest state of what changed, once', async () => {
    const { clock, hub, work, asked } = scene()
    const abort = new AbortController()
    const stream = hub.follow(abort.signal)[Symbol.asyncIterator]()
    expect((await take(stream)).type).toBe('snapshot')
    for (let i = 0; i < 50; i++) work()
    await clock.advance(100)
    const update = await take(stream)
    expect(update).toMatchObject({ type: 'session', session: { id: 's', turns: 50 } })
    expect(asked()).toBe(1)
    abort.abort()
    expect((await stream.next()).done).toBe(true)
    expect(hub.viewers).toBe(0)
  })

  it('makes no views while nobody looks', async () => {
    const { clock, work, asked } = scene()
    work()
    await clock.advance(1_000)
    expect(asked()).toBe(0)
    expect(clock.pending()).toBe(0)
  })

  it('a viewer that does not read holds one update per session, not one per change', async () => {
    const { clock, hub, work } = scene()
    const abort = new AbortController()
    const stream = hub.follow(abort.signal)[Symbol.asyncIterator]()
    await take(stream)
    for (let i = 0; i < 30; i++) {
      work()
      await clock.advance(50)
    }
    expect(await take(stream)).toMatchObject({ session: { turns: 30 } })
    abort.abort()
  })

  it.each([
    ['alarms', { alarms: { zone: 'UTC' } }],
    ['providers', { providers: [] }],
    ['turn', {}],
  ] as const)('a viewer of %s alone gets no session, and nothing else that changed', async (subject, begins) => {
    const { clock, hub, work } = scene()
    const abort = new AbortController()
    const stream = hub.follow(abort.signal, subject)[Symbol.asyncIterator]()
    const { alarms, providers, ...first } = (await take(stream)) as Extract<EngineUpdate, { type: 'snapshot' }>
    expect(first).toEqual({ type: 'snapshot', status, sessions: [], terminals: [] })
    expect({ ...(alarms && { alarms }), ...(providers && { providers }) }).toMatchObject(begins)
    expect(Boolean(alarms)).toBe(subject === 'alarms')
    work()
    hub.statusChanged()
    hub.alarmsChanged()
    hub.providersChanged()
    hub.publish({ type: 'turn', record: record('r') })
    await clock.advance(100)
    expect((await take(stream)).type).toBe(subject)
    expect(hub.upToDate).toBe(true)
    abort.abort()
  })

  it('wakes a waiting viewer', async () => {
    const { clock, hub, work } = scene()
    const abort = new AbortController()
    const stream = hub.follow(abort.signal)[Symbol.asyncIterator]()
    await take(stream)
    const next = take(stream)
    work()
    await clock.advance(50)
    expect((await next).type).toBe('session')
    abort.abort()
  })

  it('hands on every turn in its order, and holds no more than a bounded number for who does not read', async () => {
    const { hub } = scene()
    const abort = new AbortController()
    const stream = hub.follow(abort.signal)[Symbol.asyncIterator]()
    await take(stream)
    for (let i = 0; i < 5_000; i++) hub.publish({ type: 'turn', record: record(`req_${i}`) })
    for (let i = 0; i < 2_000; i++)
      expect(await take(stream)).toMatchObject({ type: 'turn', record: { requestId: `req_${i}` } })
    hub.publish({ type: 'turn', record: record('later') })
    expect(await take(stream)).toMatchObject({ record: { requestId: 'later' } })
    abort.abort()
  })
})
