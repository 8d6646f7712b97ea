import { expect, it } from 'vitest'
import type { EventBody, TimelineEvent } from '../../../shared/events.ts'
import { receiptsOf } from './receipts.ts'

const event = (seq: number, body: EventBody): TimelineEvent => ({
  id: String(seq),
  seq,
  at: seq,
  sessionId: 'a',
  scope: null,
  requestId: null,
  body,
})

it('finds the newest followup of each round, and nothing that belongs to none', () => {
  const receipts = receiptsOf([
    event(1, { type: 'queued', entryId: 'old', source: 'stopMessage', text: 'old', round: 1 }),
    event(2, { type: 'queued', entryId: 'said', source: 'user', text: 'mine', round: null }),
    event(3, { type: 'queued', entryId: 'new', source: 'stopMessage', text: 'new', round: 1 }),
    event(4, { type: 'submitted', entryId: 'new', extraEnter: false }),
    event(5, { type: 'queued', entryId: 'two', source: 'stopMessage', text: 'two', round: 2 }),
  ])
  expect([...receipts].map(([round, { text, submittedAt }]) => [round, text, submittedAt])).toEqual([
    [1, 'new', 4],
    [2, 'two', null],
  ])
})
