import { describe, expect, it } from 'vitest'
import type { EventBody, TimelineEvent } from '../../../shared/events.ts'
import { entry } from '../../testing/views.ts'
import { latestFollowup } from './latest-followup.ts'
import { parseRounds } from './goal-form.ts'

describe('rounds as a person writes them', () => {
  it.each([
    ['10', 10],
    [' 3 ', 3],
    ['', null],
    ['∞', null],
    ['0', 'bad'],
    ['-1', 'bad'],
    ['1.5', 'bad'],
    ['1e3', 'bad'],
    ['ten', 'bad'],
    ['9999999', 'bad'],
  ] as const)('“%s” is %s', (text, rounds) => expect(parseRounds(text)).toBe(rounds))
})

describe('the latest followup', () => {
  const event = (seq: number, body: EventBody): TimelineEvent => ({
    id: String(seq),
    seq,
    at: seq,
    sessionId: 'a',
    scope: null,
    requestId: null,
    body,
  })
  const queued = (seq: number, entryId: string) =>
    event(seq, { type: 'queued', entryId, source: 'stopMessage', text: entryId, round: seq })

  it('is the newest one with its receipt', () => {
    const followup = latestFollowup(
      [],
      [
        queued(1, 'a'),
        queued(2, 'b'),
        event(3, { type: 'submitted', entryId: 'b', extraEnter: false }),
        event(4, { type: 'used', used: 2, max: 5 }),
        event(5, { type: 'confirmed', entryId: 'b', late: false, afterMs: 2 }),
      ],
    )
    expect(followup).toMatchObject({
      id: 'b',
      round: 2,
      submittedAt: 3,
      used: { used: 2, max: 5 },
      confirmed: { afterMs: 2 },
    })
  })

  it('passes over what was dropped before it was typed', () => {
    expect(
      latestFollowup([], [queued(1, 'a'), queued(2, 'b'), event(3, { type: 'cancelled', entryId: 'b', by: 'user' })])
        ?.id,
    ).toBe('a')
  })

  it('comes from the queue while its events are not loaded', () => {
    expect(latestFollowup([entry({ id: 'q', text: 'go', hold: { code: 'draft' }, createdAt: 7 })], [])).toMatchObject({
      id: 'q',
      text: 'go',
      queuedAt: 7,
      hold: { code: 'draft' },
    })
    expect(latestFollowup([], [])).toBeNull()
  })
})
