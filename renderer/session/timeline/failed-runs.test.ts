import { describe, expect, it } from 'vitest'
import type { EventBody, TimelineEvent } from '../../../shared/events.ts'
import { groupEvents } from './groups.ts'
import { timelineRows } from './rows.ts'

const DAY = 86_400_000
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
const turn = (at: number, status: number, kind: 'turn' | 'title' = 'turn') => [
  event(at, { type: 'turn-started', client: 'claude', entry: 'chat', kind, model: null, retry: false }, `r${at}`),
  event(
    at + 1,
    {
      type: 'turn-ended',
      turn: null,
      kind,
      finish: status < 400 ? 'stop' : 'error',
      status,
      usage: null,
      ttfbMs: null,
      durationMs: 1,
      route: null,
      tools: [],
      clientLeft: false,
      ...(status < 400 ? {} : { error: { code: 'upstream', message: `failed at ${at}` } }),
    },
    `r${at}`,
  ),
]
const told = (at: number) => event(at, { type: 'notified', class: 'needs-you', result: 'shown' })
const notFired = (at: number) =>
  event(at, { type: 'skipped', reason: { code: 'nothing-armed' }, steps: [] }, `r${at - 2}`)
const shown = (events: readonly TimelineEvent[], open: readonly string[] = []) =>
  timelineRows(groupEvents(events), 'all', (at) => Math.floor(at / DAY), new Set(open)).map((row) =>
    row.kind === 'day'
      ? 'day'
      : row.row.kind === 'failures'
        ? `${row.row.count}${row.row.side ? ' beside' : ''} from ${row.row.since} to ${row.row.last.at}`
        : row.row.kind === 'event'
          ? row.row.event.body.type
          : row.row.kind,
  )

describe('failures in a row', () => {
  it('are one entry, whatever tells of them in between, and open into all of them', () => {
    seq = 0
    const events = [...turn(10, 200), ...turn(20, 503), notFired(22), ...turn(30, 503), told(35), ...turn(40, 503)]
    expect(shown(events)).toEqual(['day', '3 from 20 to 41', 'notified', 'turn'])
    const key = `failures:${events.find(({ at }) => at === 20)?.id ?? ''}`
    expect(shown(events, [key])).toEqual([
      'day',
      '3 from 20 to 41',
      'turn',
      'turn',
      'turn',
      'skipped',
      'notified',
      'turn',
    ])
    expect(shown([...events, ...turn(50, 503)], [key])[1]).toBe('4 from 20 to 51')
  })

  it('end with a turn that goes well, another reason, an order of a person, and the day', () => {
    expect(shown([...turn(1, 503), ...turn(2, 200), ...turn(3, 503)])).toEqual(['day', 'turn', 'turn', 'turn'])
    expect(shown([...turn(11, 503), ...turn(13, 503), ...turn(15, 401), ...turn(17, 401)])).toEqual([
      'day',
      '2 from 15 to 18',
      '2 from 11 to 14',
    ])
    const resumed = event(25, { type: 'resumed', what: 'session' })
    expect(shown([...turn(21, 503), resumed, ...turn(27, 503)])).toEqual(['day', 'turn', 'resumed', 'turn'])
    expect(shown([...turn(31, 503), ...turn(DAY + 1, 503)])).toEqual(['day', 'turn', 'day', 'turn'])
  })

  it('are of main turns: a title that fails between two of them stands beside', () => {
    expect(shown([...turn(1, 503), ...turn(3, 503, 'title'), ...turn(5, 503)])).toEqual([
      'day',
      '2 from 1 to 6',
      'turn',
    ])
  })

  it('are one for each cause, whichever comes in between, and one for all that failed beside', () => {
    const rest = event(4, {
      type: 'provider-resting',
      provider: 'zai',
      key: null,
      rest: { why: 'failures', count: 3, until: 9 },
    })
    const events = [...turn(1, 503), ...turn(3, 529, 'title'), rest, ...turn(5, 529), ...turn(7, 503, 'title')]
    expect(shown([...events, ...turn(9, 503), ...turn(11, 529)])).toEqual([
      'day',
      '2 from 5 to 12',
      '2 from 1 to 10',
      '2 beside from 3 to 8',
      'provider-resting',
    ])
  })
})
