import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import type { TimelineEvent } from '../../shared/events.ts'
import type { EngineUpdate } from '../../shared/state.ts'
import { alarmsView, record, session, status, terminal } from '../testing/views.ts'
import { emptyEngine, mostFreshTurns, reduceEngine, type EngineState } from './engine.ts'
import { inOrder, mostEvents } from './timelines.ts'
import { runs } from '../../shared/testing/runs.ts'

const apply = (state: EngineState, ...updates: EngineUpdate[]) => reduceEngine(state, { type: 'updates', updates })
const event = (seq: number, over: Partial<TimelineEvent> = {}): TimelineEvent => ({
  id: `e${seq}`,
  seq,
  at: seq * 1000,
  sessionId: 'a',
  scope: null,
  requestId: null,
  body: { type: 'resumed', what: 'session' },
  ...over,
})
const live = apply(emptyEngine, {
  type: 'snapshot',
  status: status(),
  sessions: [session({ id: 'a' }), session({ id: 'b' })],
  terminals: [terminal({ id: 't' })],
})

describe('engine state', () => {
  it('starts from the snapshot and forgets what it does not name', () => {
    const next = apply(live, {
      type: 'snapshot',
      status: status({ paused: true }),
      sessions: [session({ id: 'b' })],
      terminals: [],
    })
    expect([...next.sessions.keys()]).toEqual(['b'])
    expect(next.terminals.size).toBe(0)
    expect(next.status?.paused).toBe(true)
    expect(next.snapshots).toBe(2)
  })

  it('keeps the identity of everything that did not change, so that rows do not render again', () => {
    const next = apply(live, { type: 'session', session: session({ id: 'a', turns: 5 }) })
    expect(next.sessions.get('b')).toBe(live.sessions.get('b'))
    expect(next.terminals).toBe(live.terminals)
    expect(next.timelines).toBe(live.timelines)
    expect(live.sessions.get('a')?.turns).toBe(0)
  })

  it('takes a batch in order', () => {
    const next = apply(
      live,
      { type: 'session', session: session({ id: 'c' }) },
      { type: 'session-removed', id: 'c' },
      { type: 'terminal-removed', id: 't' },
      { type: 'terminal', terminal: terminal({ id: 'u' }) },
      { type: 'status', status: status({ port: 1 }) },
    )
    expect([...next.sessions.keys()]).toEqual(['a', 'b'])
    expect([...next.terminals.keys()]).toEqual(['u'])
    expect(next.status?.port).toBe(1)
  })

  it('takes providers and routing from the snapshot or later, and forgets them when an engine tells none', () => {
    const routing = { routes: {}, aliases: {}, longContextThreshold: 60_000, savedAt: null, canUndo: false }
    const told = apply(live, { type: 'providers', providers: [], routing })
    expect([live.providers, told.providers, told.routing]).toEqual([null, [], routing])
    expect(reduceEngine(told, { type: 'routing', routing: { ...routing, canUndo: true } }).routing?.canUndo).toBe(true)
    expect(reduceEngine(live, { type: 'providers-failed', message: 'no' }).providersProblem).toBe('no')
    expect(
      apply(told, { type: 'snapshot', status: status(), sessions: [], terminals: [], providers: [], routing }).routing,
    ).toEqual(routing)
    expect(apply(told, { type: 'snapshot', status: status(), sessions: [], terminals: [] }).providers).toBeNull()
  })

  it('takes alarms from the snapshot or later, and forgets them with an engine that does not tell', () => {
    const told = apply(live, { type: 'alarms', alarms: alarmsView({ waiting: 3 }) })
    expect([live.alarms, told.alarms?.waiting]).toEqual([null, 3])
    expect(reduceEngine(live, { type: 'alarms-failed', message: 'no' }).alarmsProblem).toBe('no')
    expect(
      apply(told, {
        type: 'snapshot',
        status: status(),
        sessions: [],
        terminals: [],
        alarms: alarmsView({ waiting: 1 }),
      }).alarms?.waiting,
    ).toBe(1)
    expect(apply(told, { type: 'snapshot', status: status(), sessions: [], terminals: [] }).alarms).toBeNull()
  })

  it('keeps the last data when the link is lost', () => {
    const next = reduceEngine(live, { type: 'link', link: { kind: 'stopped', at: 1, retryAt: 2 } })
    expect(next.sessions).toBe(live.sessions)
  })

  it('announces changes into needs-you, failed and done, once, and nothing at the first sight of a session', () => {
    const needs = session({ id: 'a', shape: 'needs', say: { code: 'needs-you', what: 'permission' } })
    const first = apply(
      live,
      { type: 'session', session: needs },
      {
        type: 'session',
        session: session({ id: 'z', shape: 'failed', say: { code: 'failed', reason: { code: 'agent-gone' } } }),
      },
    )
    expect(first.transitions).toEqual([{ sessionId: 'a', name: 'a', shape: 'needs', say: needs.say }])
    expect(apply(first, { type: 'session', session: { ...needs, turns: 9 } }).transitions).toEqual([])
    expect(
      apply(live, {
        type: 'session',
        session: session({ id: 'a', shape: 'working', say: { code: 'working', turn: 1, since: 0 } }),
      }).transitions,
    ).toEqual([])
  })
})

describe('timelines', () => {
  const opened = reduceEngine(live, { type: 'timeline-loading', session: 'a' })

  it('keeps events only of sessions that were opened', () => {
    expect(apply(live, { type: 'event', event: event(1) }).timelines.size).toBe(0)
    expect(apply(opened, { type: 'event', event: event(1) }).timelines.get('a')?.events).toHaveLength(1)
  })

  it('has each event once and in order, however pages and live events overlap', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 80 }),
        fc.uniqueArray(fc.integer({ min: 1, max: 60 })),
        fc.nat({ max: 80 }),
        (liveSeqs, page, cut) => {
          let state = opened
          for (const seq of liveSeqs.slice(0, cut)) state = apply(state, { type: 'event', event: event(seq) })
          state = reduceEngine(state, {
            type: 'timeline-loaded',
            session: 'a',
            events: page.map((seq) => event(seq)),
            more: false,
          })
          for (const seq of liveSeqs.slice(cut)) state = apply(state, { type: 'event', event: event(seq) })
          const events = state.timelines.get('a')?.events ?? []
          expect(events.map((e) => e.seq)).toEqual([...new Set([...liveSeqs, ...page])].toSorted((a, b) => a - b))
        },
      ),
      runs(100),
    )
  })

  it('orders by instant first, because seq starts again with every engine run', () => {
    expect(inOrder(event(900, { at: 1 }), event(1, { at: 2 }))).toBeLessThan(0)
  })

  it('says why a page could not be loaded and keeps what it has', () => {
    const failed = reduceEngine(apply(opened, { type: 'event', event: event(1) }), {
      type: 'timeline-failed',
      session: 'a',
      message: 'no',
    })
    expect(failed.timelines.get('a')).toMatchObject({ phase: 'failed', problem: 'no', events: [{ id: 'e1' }] })
  })

  it('is bounded', () => {
    const many = Array.from({ length: mostEvents }, (_, i) => event(i + 1))
    const full = reduceEngine(opened, { type: 'timeline-loaded', session: 'a', events: many, more: false })
    const next = apply(full, { type: 'event', event: event(mostEvents + 1) }).timelines.get('a')
    expect(next?.events).toHaveLength(mostEvents)
    expect(next?.events.at(-1)?.seq).toBe(mostEvents + 1)
    expect(next?.more).toBe(true)
  })
})

describe('records of turns', () => {
  it('come in order, bounded, and start anew with a snapshot, after which they are asked for', () => {
    const many = Array.from({ length: mostFreshTurns + 2 }, (_, i): EngineUpdate => ({
      type: 'turn',
      record: record({ requestId: `r${i}` }),
    }))
    const next = apply(live, ...many)
    expect(next.freshTurns).toHaveLength(mostFreshTurns)
    expect(next.freshTurns.at(-1)?.requestId).toBe(`r${mostFreshTurns + 1}`)
    expect(apply(next, { type: 'snapshot', status: status(), sessions: [], terminals: [] }).freshTurns).toEqual([])
  })
})
