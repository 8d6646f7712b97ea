import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import type { EventBody, TimelineEvent } from '../../../shared/events.ts'
import { bodies } from '../../../shared/sentences/testing/variants.ts'
import type { ReviewOutcome } from '../../../shared/review.ts'
import { review } from '../../testing/views.ts'
import { groupEvents } from './groups.ts'
import { sameRow, timelineRows, type TimelineRow } from './rows.ts'
import type { TimelineFilter } from '../../state/ui.ts'
import { runs } from '../../../shared/testing/runs.ts'

let seq = 0
const event = (at: number, body: EventBody, requestId: string | null = null): TimelineEvent => ({
  id: `e${seq}`,
  seq: seq++,
  at,
  sessionId: 's',
  scope: null,
  requestId,
  body,
})
const started = (at: number, requestId: string, kind: 'turn' | 'count' | 'compaction' | 'aside' = 'turn') =>
  event(at, { type: 'turn-started', client: 'claude', entry: 'messages', kind, model: null, retry: false }, requestId)
const ended = (
  at: number,
  requestId: string,
  turn: number | null,
  kind: 'turn' | 'count' | 'compaction' | 'aside' = 'turn',
  over = {},
) =>
  event(
    at,
    {
      type: 'turn-ended',
      turn,
      kind,
      finish: 'stop',
      status: 200,
      usage: null,
      ttfbMs: null,
      durationMs: 1,
      route: null,
      tools: [],
      clientLeft: false,
      ...over,
    },
    requestId,
  )
const queued = (at: number, entryId: string, source: 'stopMessage' | 'user' = 'stopMessage') =>
  event(at, { type: 'queued', entryId, source, text: 'go on', round: 1 })
const rowsOf = (events: TimelineEvent[], filter: TimelineFilter = 'all') =>
  timelineRows(groupEvents(events), filter, (at) => Math.floor(at / 86_400_000))
const shortOf = (row: TimelineRow): string => {
  if (row.kind === 'day') return 'day'
  const inner = row.row
  const what =
    inner.kind === 'turn'
      ? `turn ${inner.ended?.body.turn ?? 'running'}${inner.times > 1 ? ` x${inner.times}` : ''}`
      : inner.kind === 'followup'
        ? `followup ${inner.followup.id}`
        : inner.kind === 'failures'
          ? `failures ${inner.count}`
          : inner.event.body.type
  return row.linked ? `- ${what}` : what
}

describe('a timeline', () => {
  it('reads turns newest first, and inside a turn from cause to effect', () => {
    const rows = rowsOf([
      started(1, 'r1'),
      ended(2, 'r1', 40),
      event(3, { type: 'skipped', reason: { code: 'nothing-armed' }, steps: [] }, 'r1'),
      event(4, { type: 'armed', text: 'x', max: 3, review: false, by: 'user' }),
      started(5, 'r2'),
      ended(6, 'r2', 41),
      event(7, { type: 'matched', steps: [], used: 0, max: 3 }),
      queued(8, 'f1'),
      started(9, 'r3'),
    ])
    expect(rows.map(shortOf)).toEqual([
      'day',
      'turn running',
      'turn 41',
      '- matched',
      '- followup f1',
      'armed',
      'turn 40',
      '- skipped',
    ])
  })

  it('folds the life of a followup into one row, also when its receipt comes with the next turn', () => {
    const rows = rowsOf([
      started(1, 'r1'),
      ended(2, 'r1', 1),
      queued(3, 'f1'),
      event(4, { type: 'held', entryId: 'f1', reason: { code: 'typing' } }),
      event(46, { type: 'typed', entryId: 'f1' }),
      event(47, { type: 'submitted', entryId: 'f1', extraEnter: false }),
      event(48, { type: 'used', used: 1, max: 3 }),
      started(50, 'r2'),
      event(50, { type: 'confirmed', entryId: 'f1', late: false, afterMs: 3 }, 'r2'),
    ])
    expect(rows.map(shortOf)).toEqual(['day', 'turn running', 'turn 1', '- followup f1'])
    expect(rows[3]).toMatchObject({
      row: {
        followup: {
          text: 'go on',
          round: 1,
          queuedAt: 3,
          hold: null,
          heldMs: 42,
          typedAt: 46,
          submittedAt: 47,
          confirmed: { at: 50, afterMs: 3 },
          used: { used: 1, max: 3 },
        },
      },
    })
  })

  it('tells a call of a tool and what came of it as one row, each call with its own end', () => {
    const ran = (at: number, tool: string, note: string) =>
      event(at, { type: 'servertool-ran', tool, round: 1, ms: 5, bytes: 10, note }, 'r1')
    const called = (at: number, tool: string, requestId = 'r1') =>
      event(at, { type: 'servertool-called', tool, round: 1 }, requestId)
    const rows = rowsOf([
      started(1, 'r1'),
      called(2, 'web_fetch'),
      called(2, 'clock'),
      called(2, 'web_fetch'),
      ran(3, 'clock', 'c'),
      ran(4, 'web_fetch', 'a'),
      called(5, 'web_fetch', 'r2'),
      event(6, { type: 'servertool-failed', tool: 'web_fetch', round: 1, ms: 4, code: 'x', message: 'b' }, 'r1'),
      ended(9, 'r1', 41),
      ran(10, 'clock', 'nobody called it'),
    ])
    expect(rows.map(shortOf)).toEqual([
      'day',
      'servertool-called',
      'turn 41',
      '- servertool-ran',
      '- servertool-ran',
      '- servertool-failed',
      '- servertool-ran',
    ])
    expect(rows.flatMap((row) => (row.kind === 'item' && row.row.kind === 'event' ? [row.row.at] : []))).toEqual([
      5, 2, 2, 2, 10,
    ])
    expect(rowsOf([started(1, 'r1'), called(2, 'clock'), ended(3, 'r1', 1)], 'problems')).toEqual([])
  })

  it('shows a tool that failed, and calls nobody ran, among the problems', () => {
    const bodies: EventBody[] = [
      { type: 'servertool-failed', tool: 'clock', round: 1, ms: 4, code: 'x', message: 'b' },
      { type: 'servertool-stripped', tools: ['clock'], why: 'depth' },
      { type: 'servertool-stripped', tools: ['clock'], why: 'not-a-turn' },
      { type: 'servertool-round', round: 2, tools: ['clock'] },
    ]
    expect(
      rowsOf([started(1, 'r1'), ...bodies.map((body, i) => event(2 + i, body, 'r1'))], 'problems').map(shortOf),
    ).toEqual(['day', 'servertool-failed', '- servertool-stripped'])
  })

  it('tells a review and what came of it as one row, at the time it began', () => {
    const began = (at: number, round: number) => event(at, { type: 'review-started', round, backend: 'model' })
    const done = (at: number, round: number, outcome: ReviewOutcome) =>
      event(at, { type: 'review-done', review: review({ round, outcome }) })
    const rows = rowsOf([
      started(1, 'r1'),
      ended(2, 'r1', 1),
      began(3, 4),
      done(9, 4, { code: 'not-reached' }),
      started(10, 'r2'),
      ended(11, 'r2', 2),
      began(12, 5),
    ])
    expect(rows.map(shortOf)).toEqual(['day', 'turn 2', '- review-started', 'turn 1', '- review-done'])
    expect(rows[4]).toMatchObject({ row: { at: 3 } })
    expect(
      rowsOf(
        [
          started(1, 'r1'),
          ended(2, 'r1', 1),
          done(3, 1, { code: 'not-reached' }),
          done(4, 2, { code: 'failed', why: 'x', inARow: 1 }),
          done(5, 3, { code: 'needs-user', text: 'x' }),
        ],
        'problems',
      ).map(shortOf),
    ).toEqual(['day', 'review-done', '- review-done'])
  })

  it('a late receipt takes back the failure', () => {
    const [, row] = rowsOf([
      queued(1, 'f1'),
      event(2, { type: 'failed', entryId: 'f1', source: 'stopMessage', reason: { code: 'not-received' } }),
      event(3, { type: 'confirmed', entryId: 'f1', late: true, afterMs: 2 }),
    ])
    expect(row).toMatchObject({ row: { followup: { end: null, confirmed: { late: true } } } })
  })

  it('shows what a person queues by itself', () =>
    expect(rowsOf([started(1, 'r1'), ended(2, 'r1', 1), queued(3, 'f1', 'user')]).map(shortOf)).toEqual([
      'day',
      'followup f1',
      'turn 1',
    ]))

  it('counts a run of token counts as one row, but never a failed one', () => {
    const counts = [1, 2, 3].flatMap((i) => [
      started(i * 10, `c${i}`, 'count'),
      ended(i * 10 + 1, `c${i}`, null, 'count'),
    ])
    const broken = [
      started(90, 'c9', 'count'),
      ended(91, 'c9', null, 'count', { status: 500, error: { code: 'x', message: 'x' } }),
    ]
    expect(rowsOf([...counts, ...broken]).map(shortOf)).toEqual(['day', 'turn running', 'turn running x3'])
  })

  it('puts a day above its newest group', () => {
    const day = 86_400_000
    expect(rowsOf([started(1, 'a'), started(day + 1, 'b'), started(day + 2, 'c')]).map(shortOf)).toEqual([
      'day',
      'turn running',
      'turn running',
      'day',
      'turn running',
    ])
  })

  it('shows what an agent asks beside its conversation only where that is wanted, or went wrong', () => {
    const events = [
      started(1, 'r1'),
      ended(2, 'r1', 1),
      started(3, 'r2', 'aside'),
      ended(4, 'r2', null, 'aside'),
      event(5, { type: 'skipped', reason: { code: 'not-a-turn', kind: 'aside' }, steps: [] }, 'r2'),
      started(6, 'r3', 'aside'),
      ended(7, 'r3', null, 'aside', { finish: 'error' }),
    ]
    expect(rowsOf(events).map(shortOf)).toEqual(['day', 'turn 1'])
    expect(rowsOf(events, 'automation')).toEqual([])
    expect(rowsOf(events, 'problems').map(shortOf)).toEqual(['day', 'turn running'])
    expect(rowsOf(events, 'asides').map(shortOf)).toEqual([
      'day',
      'turn running',
      'turn running',
      '- skipped',
      'turn 1',
    ])
  })

  it('filters automation and problems', () => {
    const events = [
      started(1, 'r1'),
      ended(2, 'r1', 1),
      started(3, 'r2'),
      ended(4, 'r2', 2, 'turn', { finish: 'error' }),
      event(5, { type: 'skipped', reason: { code: 'nothing-armed' }, steps: [] }),
    ]
    expect(rowsOf(events, 'automation').map(shortOf)).toEqual(['day', 'turn 2', '- skipped'])
    expect(rowsOf(events, 'problems').map(shortOf)).toEqual(['day', 'turn 2'])
  })

  it('loses no event and repeats no key, whatever comes in what order', () => {
    const anyBody = fc.constantFrom(...bodies)
    fc.assert(
      fc.property(fc.array(fc.tuple(anyBody, fc.constantFrom('r1', 'r2', null)), { maxLength: 60 }), (list) => {
        const events = list.map(([body, requestId], i) => event(i, body, requestId))
        const items = rowsOf(events, 'asides').flatMap((row) => (row.kind === 'item' ? [row] : []))
        expect(new Set(items.map((i) => i.key)).size).toBe(items.length)
        const shown = new Set(items.flatMap((i) => (i.row.kind === 'event' ? [i.row.event.id] : [])))
        const folded = events.filter((e) => !shown.has(e.id)).map((e) => e.body)
        expect(
          folded.filter(
            (body) =>
              !('entryId' in body) &&
              body.type !== 'turn-started' &&
              body.type !== 'turn-ended' &&
              body.type !== 'used' &&
              body.type !== 'servertool-called' &&
              body.type !== 'review-started',
          ),
        ).toEqual([])
      }),
      runs(100),
    )
  })

  it('knows what looks the same after more events came', () => {
    const before = [started(1, 'r1'), ended(2, 'r1', 1), queued(3, 'f1')]
    const rows = (events: TimelineEvent[]) => rowsOf(events).flatMap((row) => (row.kind === 'item' ? [row.row] : []))
    const [turn, followup] = rows(before)
    const [newer, sameTurn, typed] = rows([...before, event(4, { type: 'typed', entryId: 'f1' }), started(5, 'r2')])
    if (!turn || !followup || !newer || !sameTurn || !typed) throw new Error('rows are missing')
    expect([sameRow(turn, sameTurn), sameRow(followup, typed), sameRow(turn, newer), sameRow(turn, followup)]).toEqual([
      true,
      false,
      false,
      false,
    ])
  })

  it('groups ten thousand events', () => {
    const many = Array.from({ length: 2500 }, (_, i) => [
      started(i * 10, `m${i}`),
      ended(i * 10 + 1, `m${i}`, i),
      queued(i * 10 + 2, `q${i}`),
      event(i * 10 + 3, { type: 'typed', entryId: `q${i}` }),
    ]).flat()
    expect(rowsOf(many)).toHaveLength(5001)
  })
})
