import { expect, it } from 'vitest'
import type { EventBody, TimelineEvent } from '../../../../shared/events.ts'
import type { ReviewView } from '../../../../shared/review.ts'
import { pastRounds } from './past-rounds.ts'

const events = (...bodies: EventBody[]): TimelineEvent[] =>
  bodies.map((body, i) => ({ id: `${i}`, seq: i, at: i, sessionId: 's', scope: null, requestId: null, body }))
const review = (round: number, code: 'not-reached' | 'discarded' | 'reached-unchecked'): EventBody => {
  const view: ReviewView = {
    round,
    at: 0,
    ms: 1,
    by: 'zai/glm-5',
    backend: 'model',
    outcome: { code },
    say: '',
    evidence: [],
    blockers: [],
    looks: [],
    checks: [],
    usage: null,
    costUsd: null,
  }
  return { type: 'review-done', review: view }
}
const sent = (round: number, text: string): EventBody => ({
  type: 'queued',
  entryId: `e${round}`,
  source: 'stopMessage',
  text,
  round,
})
const stopped = (used: number, text?: string): EventBody => ({
  type: 'matched',
  steps: [],
  used,
  max: null,
  ...(text === undefined ? {} : { did: { calls: 2, tools: [{ name: 'shell', count: 2 }], text } }),
})
const armed: EventBody = { type: 'armed', text: 'green', max: null, review: true, by: 'user' }

it('tells the rounds of the last goal, newest first', () => {
  const told = pastRounds(
    events(
      armed,
      sent(1, 'of the goal before'),
      armed,
      review(1, 'not-reached'),
      sent(1, 'fix it'),
      review(2, 'discarded'),
      review(2, 'reached-unchecked'),
    ),
  )
  expect(told).toMatchObject([
    { n: 2, sent: null, review: { outcome: { code: 'reached-unchecked' } } },
    { n: 1, sent: 'fix it', review: { outcome: { code: 'not-reached' } } },
  ])
  expect(pastRounds(events())).toEqual([])
})

it('tells what the agent had done, also after a restart in between', () => {
  const told = pastRounds(
    events(
      armed,
      stopped(0, 'All done!'),
      stopped(0),
      review(1, 'not-reached'),
      sent(1, 'fix it'),
      stopped(1, 'really done'),
      review(2, 'reached-unchecked'),
      stopped(2, 'cleared meanwhile'),
    ),
  )
  expect(told).toMatchObject([
    { n: 2, did: { calls: 2, text: 'really done' } },
    { n: 1, did: { calls: 2, tools: [{ name: 'shell', count: 2 }], text: 'All done!' }, sent: 'fix it' },
  ])
})
