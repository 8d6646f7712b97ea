import { describe, expect, it } from 'vitest'
import type { TimelineEvent } from '../../shared/events.ts'
import { stopsOf } from './stops-of.ts'

const timeline = (...events: [at: number, body: object][]): TimelineEvent[] =>
  events.map(([at, body]) => ({ at, body }) as TimelineEvent)
const turn = { type: 'turn-ended', kind: 'turn' }
const submitted = { type: 'submitted', extraEnter: false }

describe('stops of a timeline', () => {
  it('are counted from the end of the turn that each followup answers', () => {
    const stops = stopsOf(
      timeline(
        [100, turn],
        [110, { type: 'queued' }],
        [300, { type: 'turn-ended', kind: 'probe' }],
        [400, submitted],
        [420, { type: 'confirmed' }],
        [1_000, turn],
        [1_020, { type: 'queued' }],
        [4_500, { ...submitted, extraEnter: true }],
        [4_600, { type: 'confirmed' }],
        [5_000, turn],
      ),
    )
    expect(stops).toEqual([
      { queuedMs: 10, typedMs: 300, receivedMs: 320, enterTwice: false },
      { queuedMs: 20, typedMs: 3_500, receivedMs: 3_600, enterTwice: true },
    ])
  })
})
