import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EventBody, FinishKind, TimelineEvent } from '../../../shared/events.ts'
import { shareOf, spanKinds, wholeOf, type ReportView, type SpanKind } from '../../../shared/report.ts'
import type { SessionView } from '../../../shared/state.ts'
import { foldReport } from './fold-report.ts'

const MIN = 60_000
const start = Date.UTC(2026, 10, 27, 18)
const end = start + 12 * 60 * MIN
const at = (minute: number) => start + minute * MIN

type TurnEnded = Extract<EventBody, { type: 'turn-ended' }>
const routeTo = (model: string) => ({
  provider: 'anthropic',
  model,
  keyAlias: null,
  category: null,
  why: [],
  skipped: [],
})
const [opus, haiku] = [routeTo('opus'), routeTo('haiku')]

/** Events of sessions by the minute, numbered in order. */
function story() {
  const events: TimelineEvent[] = []
  const put = (minute: number, sessionId: string | null, body: EventBody, requestId: string | null = null) => {
    const seq = events.length + 1
    events.push({ id: `e${seq}`, seq, at: at(minute), sessionId, scope: null, requestId, body })
  }
  let requests = 0
  /** a request from one minute to another */
  const turn = (
    session: string,
    from: number,
    until: number,
    finish: FinishKind = 'stop',
    more: Partial<TurnEnded> = {},
  ) => {
    const id = `r${++requests}`
    put(from, session, started, id)
    put(
      until,
      session,
      {
        type: 'turn-ended',
        turn: 1,
        kind: 'turn',
        finish,
        status: finish === 'error' ? 529 : 200,
        usage: { input: 900, cachedInput: 0, output: 100, reasoning: 0 },
        costUsd: 0.5,
        ttfbMs: 1,
        durationMs: (until - from) * MIN,
        route: finish === 'error' ? null : opus,
        tools: [],
        clientLeft: false,
        ...(finish === 'error' && {
          tried: [{ provider: 'anthropic', model: 'opus', keyAlias: null, status: 529, code: '529' }],
        }),
        ...more,
      },
      id,
    )
  }
  return { events, put, turn }
}
const started: EventBody = {
  type: 'turn-started',
  client: 'claude',
  entry: 'messages',
  kind: 'turn',
  model: 'opus',
  retry: false,
}
const probe: Partial<TurnEnded> = { kind: 'probe', turn: null, costUsd: 0 }

const session = (id: string, more: Partial<SessionView> = {}): SessionView => ({
  id,
  name: id,
  client: 'claude',
  entry: 'messages',
  cwd: null,
  model: null,
  route: null,
  scope: null,
  terminalId: null,
  shape: 'idle',
  say: { code: 'idle' },
  stopMessage: null,
  lastStopMessage: null,
  queue: [],
  turns: 0,
  usage: { input: 0, cachedInput: 0, output: 0, reasoning: 0 },
  costUsd: null,
  startedAt: start - MIN,
  lastActivityAt: start,
  pinned: false,
  paused: false,
  ...more,
})

const reportOf = (
  events: readonly TimelineEvent[],
  sessions: readonly SessionView[] = [session('a')],
  more: { since?: number; until?: number; recordsFrom?: number } = {},
): ReportView =>
  foldReport({
    events: events.toSorted((a, b) => a.at - b.at || a.seq - b.seq),
    recordsFrom: 0,
    since: start,
    until: end,
    sessions,
    ...more,
  })

/** minutes of each kind, in their order */
const timeOf = (report: ReportView, id = 'a'): [SpanKind, number][] =>
  report.sessions.find((one) => one.id === id)?.spans.map(({ kind, from, until }) => [kind, (until - from) / MIN]) ?? []

describe('a session’s time', () => {
  it('is work while answers are written and tools run, half an hour of a tool at most', () => {
    const { events, turn } = story()
    turn('a', 10, 20, 'tool-calls')
    turn('a', 25, 30, 'stop')
    turn('a', 100, 110, 'tool-calls')
    const report = reportOf(events)
    expect(timeOf(report)).toEqual([
      ['idle', 10],
      ['working', 20],
      ['idle', 70],
      ['working', 40],
      ['idle', 580],
    ])
    expect(report.sessions[0]).toMatchObject({ turns: 3, spent: { tokens: 3_000, costUsd: 1.5 } })
  })

  it('waits for a person while its agent asks, and works on when the question is gone', () => {
    const { events, put, turn } = story()
    turn('a', 0, 10, 'tool-calls')
    put(11, 'a', { type: 'needs-you', what: 'permission: npm ci' })
    put(71, 'a', { type: 'over', what: 'question' })
    put(81, 'a', { type: 'over', what: 'tools' })
    expect(timeOf(reportOf(events))).toEqual([
      ['working', 11],
      ['person', 60],
      ['working', 10],
      ['idle', 639],
    ])
  })

  it('is told from since nothing was heard of its agent, over a restart too, until it is heard of', () => {
    const { events, put, turn } = story()
    turn('a', 0, 10, 'tool-calls')
    put(30, 'a', { type: 'stalled', since: at(10) })
    put(40, null, { type: 'engine', did: 'stopped' })
    put(41, null, { type: 'engine', did: 'started' })
    turn('a', 70, 80)
    const report = reportOf(events)
    expect(timeOf(report)).toEqual([
      ['working', 10],
      ['stalled', 60],
      ['working', 10],
      ['idle', 640],
    ])
    expect(report.stalls).toEqual([{ session: 'a', from: at(10), until: at(70) }])
  })

  it('is a followup’s while one is reviewed or held, paused, at a limit, and closed', () => {
    const { events, put, turn } = story()
    turn('a', 0, 10)
    put(10, 'a', { type: 'review-started', round: 1, backend: 'model' })
    put(12, 'a', { type: 'queued', entryId: 'e', source: 'stopMessage', text: 'go on', round: 1 })
    put(15, 'a', { type: 'paused', reason: { code: 'by-user' }, what: 'session' })
    put(25, 'a', { type: 'resumed', what: 'session' })
    put(27, 'a', { type: 'confirmed', entryId: 'e', late: false, afterMs: 1 })
    turn('a', 27, 30, 'error', { status: 429, tried: [], route: opus })
    put(30, 'a', { type: 'limit-reached', provider: 'anthropic', lifts: at(90), resumeAt: null })
    put(120, 'a', { type: 'terminal-closed', terminalId: 't', exitCode: 0, why: 'exit' })
    expect(timeOf(reportOf(events))).toEqual([
      ['working', 10],
      ['followup', 5],
      ['paused', 10],
      ['followup', 2],
      ['working', 3],
      ['limit', 60],
      ['person', 30],
      ['closed', 600],
    ])
  })

  it('is at a limit while followups wait for the reset of one that is near', () => {
    const reason = {
      code: 'near-limit',
      provider: 'zai',
      window: '5h',
      usedPercent: 93,
      at: at(10),
      until: at(70),
    } as const
    const { events, put, turn } = story()
    turn('a', 0, 10)
    put(10, 'a', { type: 'queued', entryId: 'e', source: 'stopMessage', text: 'go on', round: 1 })
    put(11, 'a', { type: 'held', entryId: 'e', reason })
    put(72, 'a', { type: 'confirmed', entryId: 'e', late: false, afterMs: 1 })
    turn('a', 72, 80)
    expect(timeOf(reportOf(events))).toEqual([
      ['working', 10],
      ['followup', 1],
      ['limit', 59],
      ['followup', 2],
      ['working', 8],
      ['idle', 640],
    ])
    events.splice(4)
    put(30, 'a', { type: 'cancelled', entryId: 'e', by: 'user' })
    expect(timeOf(reportOf(events)).slice(2)).toEqual([
      ['limit', 19],
      ['idle', 690],
    ])
  })

  it('is at a limit while an open answer waits for it, and a person’s where its client could not wait', () => {
    const reason = {
      code: 'near-limit',
      provider: 'zai',
      window: '5h',
      usedPercent: 93,
      at: at(10),
      until: at(70),
    } as const
    const { events, put, turn } = story()
    turn('a', 0, 80)
    put(10, 'a', { type: 'held', entryId: 'r1', reason }, 'r1')
    turn('b', 0, 10)
    put(10, 'b', { type: 'skipped', reason, steps: [] })
    const report = reportOf(events, [session('a'), session('b')])
    expect(timeOf(report)).toEqual([
      ['working', 10],
      ['limit', 60],
      ['working', 10],
      ['idle', 640],
    ])
    expect(timeOf(report, 'b')).toEqual([
      ['working', 10],
      ['limit', 60],
      ['person', 650],
    ])
  })

  it('is at a limit while Onward waits to go on after one that asked too fast', () => {
    const slower = { provider: 'zai', model: 'glm', keyAlias: null, status: 429, code: '429' }
    const { events, put, turn } = story()
    turn('a', 0, 10, 'error', { status: 429, tried: [slower], route: null })
    put(10, 'a', { type: 'recover-waits', targets: ['zai.glm'], trialAt: null })
    put(20, 'a', { type: 'queued', entryId: 'e', source: 'recover', text: 'Continue', round: null })
    put(21, 'a', { type: 'confirmed', entryId: 'e', late: false, afterMs: 1 })
    turn('a', 21, 30)
    const report = reportOf(events)
    expect(timeOf(report)).toEqual([
      ['working', 10],
      ['limit', 10],
      ['followup', 1],
      ['working', 9],
      ['idle', 690],
    ])
    expect(report.recoveries).toMatchObject([{ session: 'a', why: 'limit', provider: 'zai', by: 'onward' }])
    events.splice(3)
    put(20, 'a', { type: 'recover-ended', why: 'too-often' })
    expect(timeOf(reportOf(events)).slice(1)).toEqual([
      ['limit', 10],
      ['person', 700],
    ])
  })

  it('names each time that its agent ended by itself and was started again', () => {
    const { events, put, turn } = story()
    turn('a', 0, 10)
    put(20, 'a', { type: 'revived', exitCode: null, signal: 'SIGKILL', times: 1 })
    put(30, 'a', { type: 'revived', exitCode: 1, signal: null, times: 2 })
    expect(reportOf(events, [session('a')], { since: at(25) }).revivals).toEqual([
      { session: 'a', at: at(30), exitCode: 1, signal: null },
    ])
    expect(reportOf(events).revivals).toHaveLength(2)
  })

  it('is nobody’s while Onward does not run: what was open when it crashed is told as far as it lived', () => {
    const { events, put } = story()
    put(0, 'a', started, 'r')
    put(20, null, { type: 'provider-back', provider: 'zai', key: null })
    put(60, null, { type: 'engine', did: 'started' })
    expect(timeOf(reportOf(events))).toEqual([
      ['working', 20],
      ['off', 40],
      ['idle', 660],
    ])
  })

  it('begins with its records, and with itself', () => {
    const { events, turn } = story()
    turn('a', 60, 70)
    turn('b', 600, 610)
    const late = reportOf(events, [session('a'), session('b', { startedAt: at(600) })], { recordsFrom: at(60) })
    expect(late).toMatchObject({ since: start, from: at(60), until: end })
    expect(timeOf(late, 'a')[0]).toEqual(['working', 10])
    expect(timeOf(late, 'b')).toEqual([
      ['working', 10],
      ['idle', 110],
    ])
    const later = reportOf(events, [session('a'), session('b')], { since: at(605) })
    expect(later.sessions.map(({ id }) => id)).toEqual(['b'])
    expect(timeOf(later, 'b')[0]).toEqual(['working', 5])
  })
})

describe('an outage', () => {
  const outage = (recovers: boolean) => {
    const { events, put, turn } = story()
    turn('a', 0, 10)
    turn('a', 20, 21, 'error')
    turn('a', 22, 23, 'error')
    if (recovers) put(24, 'a', { type: 'recover-waits', targets: ['anthropic.opus'], trialAt: null })
    turn('b', 40, 41, 'error')
    const id = 'probe'
    put(59, null, { ...started, kind: 'probe' } as EventBody, id)
    put(60, null, { ...(events[1]?.body as TurnEnded), ...probe, durationMs: MIN }, id)
    if (recovers) {
      put(60, 'a', { type: 'queued', entryId: 'e', source: 'recover', text: 'Continue', round: null })
      put(61, 'a', { type: 'confirmed', entryId: 'e', late: false, afterMs: 1 })
      turn('a', 61, 70)
    }
    return reportOf(events, [session('a'), session('b')])
  }

  it('is told with its span, its cause and what it cost, and who went on', () => {
    const report = outage(true)
    expect(report.outages).toEqual([
      {
        provider: 'anthropic',
        models: ['opus'],
        from: at(20),
        until: at(59),
        cause: '529',
        failed: 3,
        sessions: ['a', 'b'],
        lostMs: (39 + 19) * MIN,
      },
    ])
    expect(report.recoveries).toEqual([
      { session: 'a', why: 'outage', provider: 'anthropic', from: at(20), until: at(61), by: 'onward' },
    ])
    expect(timeOf(report)).toEqual([
      ['working', 10],
      ['idle', 10],
      ['outage', 39],
      ['followup', 2],
      ['working', 9],
      ['idle', 650],
    ])
  })

  it('is a person’s matter once the provider is back and nobody goes on', () => {
    expect(timeOf(outage(false), 'b')).toEqual([
      ['idle', 40],
      ['outage', 19],
      ['person', 661],
    ])
  })

  it('is one where models of a provider fail at the same time, and none where one call fails for a moment', () => {
    const { events, turn } = story()
    const small = { provider: 'anthropic', model: 'haiku', keyAlias: null, status: 503, code: '503' }
    turn('a', 10, 11, 'error')
    turn('b', 12, 13, 'error', { tried: [small] })
    turn('b', 14, 15, 'error', { tried: [small] })
    turn('a', 20, 30)
    turn('b', 40, 41, 'stop', { route: haiku })
    // answered by another key after a moment
    turn('a', 100, 100.2, 'stop', { tried: [{ ...small, model: 'opus' }] })
    const report = reportOf(events, [session('a'), session('b')])
    expect(report.outages).toMatchObject([
      { from: at(10), until: at(40), models: ['opus', 'haiku'], cause: '503', failed: 3, sessions: ['a', 'b'] },
    ])
  })

  it('still goes on, and is no answer’s end that had begun before it', () => {
    const { events, turn } = story()
    turn('a', 0, 50)
    turn('b', 20, 21, 'error')
    const report = reportOf(events, [session('a'), session('b')])
    expect(report.outages).toMatchObject([{ from: at(20), until: null, sessions: ['b'], lostMs: 700 * MIN }])
  })

  it('is not a wrong request, a refused key, or a client that left', () => {
    const { events, turn } = story()
    turn('a', 0, 5, 'error', { status: 400, route: opus, tried: [] })
    turn('a', 10, 15, 'error', { status: 401, route: opus, tried: [] })
    turn('a', 20, 25, 'broken-off', { route: opus, clientLeft: true })
    const report = reportOf(events)
    expect(report.outages).toEqual([])
    expect(timeOf(report).map(([kind]) => kind)).toEqual(['working', 'person', 'working', 'person', 'working', 'idle'])
  })
})

it('tells limits from when they were reached until they lift', () => {
  const { events, put, turn } = story()
  turn('a', 0, 1)
  const rest = { why: 'limit', window: '5h', since: at(10), lifts: at(100), until: at(100) } as const
  put(10, null, { type: 'provider-resting', provider: 'anthropic', key: null, rest })
  put(300, null, {
    type: 'provider-resting',
    provider: 'zai',
    key: 'main',
    rest: { ...rest, since: at(300), lifts: null },
  })
  put(330, null, { type: 'provider-back', provider: 'zai', key: 'main' })
  expect(reportOf(events).limits).toMatchObject([
    { provider: 'anthropic', key: null, from: at(10), until: at(100), resets: at(100) },
    { provider: 'zai', key: 'main', from: at(300), until: at(330), resets: null },
  ])
})

it('tells what was asked, claimed and checked, how many rounds, and what it cost with its reviewer', () => {
  const { events, put, turn } = story()
  const run = {
    name: 'tests',
    argv: ['npm', 'test'],
    exitCode: 1,
    ms: 1,
    say: '2 of 9 fail',
    outcome: 'failed' as const,
  }
  put(0, 'a', { type: 'armed', text: 'all tests green', max: 5, review: true, by: 'user' })
  turn('a', 0, 10)
  put(10, 'a', {
    type: 'matched',
    steps: [],
    used: 0,
    max: 5,
    did: { calls: 1, tools: [], text: 'I fixed the parser.' },
  })
  put(12, 'a', {
    type: 'review-done',
    review: {
      round: 1,
      at: at(12),
      ms: 1,
      by: 'zai/glm-5',
      backend: 'model',
      outcome: { code: 'not-reached' },
      say: 'Two tests fail',
      evidence: [],
      blockers: [],
      looks: [],
      checks: [{ ...run, at: at(11) }],
      usage: { input: 90, cachedInput: 0, output: 10, reasoning: 0 },
      costUsd: 0.25,
    },
  })
  put(13, 'a', { type: 'used', used: 1, max: 5 })
  put(20, 'a', { type: 'check-ran', run: { ...run, at: at(20), outcome: 'passed', say: 'all 9 pass' } })
  put(30, 'a', { type: 'done', reason: { code: 'goal-reached' } })
  const done = session('a', { shape: 'done', say: { code: 'done', reason: { code: 'goal-reached' } } })
  expect(reportOf(events, [done], { since: at(1) }).sessions[0]).toMatchObject({ asked: 'all tests green' })
  const report = reportOf(events, [done])
  expect(report.sessions[0]).toMatchObject({
    asked: 'all tests green',
    claims: { text: 'I fixed the parser.', at: at(10) },
    reviewed: { text: 'Two tests fail' },
    checks: [{ name: 'tests', outcome: 'passed', say: 'all 9 pass', at: at(20) }],
    rounds: { here: 1, used: 1, max: 5 },
    spent: { tokens: 1_100, costUsd: 0.75 },
    needsYou: false,
  })
  expect(report.total).toMatchObject({ rounds: 1, turns: 1, checks: { passed: 1, all: 1 }, spent: { tokens: 1_000 } })
})

it('leaves out who did nothing and needs nobody, and puts who needs one first', () => {
  const { events, turn } = story()
  turn('works', 0, 10)
  const asks = session('asks', { shape: 'needs', say: { code: 'needs-you', what: 'question' } })
  expect(reportOf(events, [session('works'), session('idle'), asks]).sessions.map(({ id }) => id)).toEqual([
    'asks',
    'works',
  ])
})

const bodies: readonly EventBody[] = [
  started,
  { ...started, kind: 'subagent' } as EventBody,
  { type: 'needs-you', what: 'question' },
  { type: 'over', what: 'question' },
  { type: 'over', what: 'stall' },
  { type: 'over', what: 'tools' },
  { type: 'review-started', round: 1, backend: 'model' },
  { type: 'queued', entryId: 'e', source: 'stopMessage', text: 'go on', round: 1 },
  { type: 'typed', entryId: 'e' },
  { type: 'confirmed', entryId: 'e', late: false, afterMs: 1 },
  { type: 'paused', reason: { code: 'by-user' }, what: 'session' },
  { type: 'resumed', what: 'session' },
  { type: 'recover-waits', targets: ['anthropic.opus'], trialAt: null },
  { type: 'recover-ended', why: 'too-often' },
  { type: 'terminal-closed', terminalId: 't', exitCode: 0, why: 'exit' },
  { type: 'done', reason: { code: 'no-open-work' } },
  { type: 'engine', did: 'started' },
  { type: 'engine', did: 'stopped' },
  { type: 'provider-back', provider: 'anthropic', key: null },
]
const ended = fc
  .record({
    finish: fc.constantFrom<FinishKind>('stop', 'tool-calls', 'error', 'broken-off'),
    status: fc.constantFrom(200, 400, 429, 529),
    durationMs: fc.integer({ min: 0, max: 200 * MIN }),
    route: fc.constantFrom(opus, haiku, null),
    clientLeft: fc.boolean(),
  })
  .map((more): EventBody => ({ ...(story1.events[1]?.body as TurnEnded), ...more }))
const story1 = story()
story1.turn('a', 0, 1)
const stalled = fc.integer({ min: -60, max: 720 }).map((since): EventBody => ({ type: 'stalled', since: at(since) }))
const limited = fc.option(fc.integer({ min: -60, max: 900 })).map((lifts): EventBody => ({
  type: 'limit-reached',
  provider: 'anthropic',
  lifts: lifts === null ? null : at(lifts),
  resumeAt: null,
}))
const happening = fc.record({
  minute: fc.double({ min: -300, max: 720, noNaN: true }),
  session: fc.constantFrom('a', 'b'),
  request: fc.constantFrom('r1', 'r2'),
  body: fc.oneof(fc.constantFrom(...bodies), ended, stalled, limited),
})

it('whatever happened: spans follow each other without gaps, none is negative, and shares are of the whole', () => {
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 60 }), fc.integer({ min: -60, max: 700 }), (all, begun) => {
      const { events, put } = story()
      for (const { minute, session: id, request, body } of all) {
        const isOfNone = body.type === 'engine' || body.type === 'provider-back'
        put(minute, isOfNone ? null : id, body, isOfNone ? null : request)
      }
      const report = reportOf(events, [session('a', { shape: 'needs' }), session('b', { startedAt: at(begun) })])
      for (const one of report.sessions) {
        let last = one.from
        for (const { from, until } of one.spans) {
          expect(from).toBe(last)
          expect(until).toBeGreaterThan(from)
          last = until
        }
        expect(last).toBe(end)
        expect(wholeOf(one.sums)).toBeCloseTo(end - one.from, 3)
        for (const kind of spanKinds) expect(one.sums[kind]).toBeGreaterThanOrEqual(0)
      }
      for (const { from, until, lostMs } of [...report.outages, ...report.limits]) {
        expect(until ?? end).toBeGreaterThanOrEqual(from)
        expect(lostMs).toBeGreaterThanOrEqual(0)
      }
      for (const one of [...report.recoveries, ...report.stalls])
        expect(one.until ?? end).toBeGreaterThanOrEqual(one.from)
      for (const [i, outage] of report.outages.entries())
        for (const other of report.outages.slice(i + 1))
          expect(outage.provider !== other.provider || (outage.until ?? end) <= other.from).toBe(true)
    }),
  )
})

it('never rounds a share to a lie', () => {
  expect([shareOf(0, 10), shareOf(1, 1_000), shareOf(999, 1_000), shareOf(10, 10), shareOf(1, 0)]).toEqual([
    0, 1, 99, 100, 0,
  ])
})
