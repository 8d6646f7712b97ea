/** The timeline of billing-service as the mocks show it, relative to `now` (14:12:32 there). */
import type { DecisionStep, EventBody, RouteFact, TimelineEvent } from '../../../shared/events.ts'
import { sceneReview } from './scene-goals.ts'
import { sceneToolEvents } from './scene-servertools.ts'

const id = 'billing-service-01jd'
export const sceneFollowup =
  'Two tests in rounding.test.ts still fail: refunds round half cents up. ' +
  'Fix refundLine(), run npm test again, then write the PR description.'
export const sceneRoute: RouteFact = {
  provider: 'zai',
  model: 'glm-5',
  keyAlias: 'main',
  category: 'default',
  why: [
    { code: 'category', category: 'default', because: { code: 'otherwise' } },
    { code: 'sticky', target: 'zai.glm-5', since: Date.UTC(2026, 10, 21, 8, 41) },
  ],
  skipped: [
    {
      candidate: 'anthropic.claude-sonnet',
      why: {
        code: 'resting',
        key: null,
        rest: {
          why: 'limit',
          window: '5h',
          since: Date.UTC(2026, 10, 21, 13, 10),
          lifts: Date.UTC(2026, 10, 21, 15),
          until: Date.UTC(2026, 10, 21, 15),
        },
      },
    },
  ],
}

const steps: DecisionStep[] = [
  { check: 'not-reentered', ok: true },
  { check: 'is-turn', ok: true },
  { check: 'not-paused', ok: true },
  { check: 'has-scope', ok: true, detail: 'pty:3' },
  { check: 'armed', ok: true },
  { check: 'rounds-free', ok: true, detail: '12 of 30' },
  { check: 'terminal-alive', ok: true, detail: 'claude is in front' },
  { check: 'plain-stop', ok: true },
  { check: 'client-stayed', ok: true },
  { check: 'budget-free', ok: true },
  { check: 'agent-finished', ok: true },
  { check: 'no-entry-pending', ok: true },
]

/** @param at an instant of that day as seconds before `now` */
export function sceneTimeline(now: number): TimelineEvent[] {
  let seq = 0
  const event = (secondsAgo: number, body: EventBody, requestId: string | null = null): TimelineEvent => ({
    id: `ev-${++seq}`,
    seq,
    at: now - secondsAgo * 1000,
    sessionId: id,
    scope: 'pty:billing-service',
    requestId,
    body,
  })
  const turn = (
    requestId: string,
    secondsAgo: number,
    number: number | null,
    over: Partial<Extract<EventBody, { type: 'turn-ended' }>>,
  ): TimelineEvent[] => {
    const body = {
      type: 'turn-ended',
      turn: number,
      kind: 'turn',
      finish: 'stop',
      status: 200,
      usage: null,
      costUsd: null,
      ttfbMs: 900,
      durationMs: 5000,
      route: { ...sceneRoute, why: [], skipped: [] },
      tools: [],
      clientLeft: false,
      ...over,
    } as const
    return [
      event(
        secondsAgo,
        {
          type: 'turn-started',
          client: 'claude',
          entry: 'messages',
          kind: body.kind,
          model: 'claude-sonnet',
          retry: false,
        },
        requestId,
      ),
      event(secondsAgo - body.durationMs / 1000, body, requestId),
    ]
  }
  const usage = (input: number, output: number) => ({
    input,
    cachedInput: Math.round(input * 0.93),
    output,
    reasoning: 0,
  })
  const noFire = (
    secondsAgo: number,
    requestId: string,
    reason: Extract<EventBody, { type: 'skipped' }>['reason'],
    failing: DecisionStep,
  ) => event(secondsAgo, { type: 'skipped', reason, steps: [...steps.slice(0, 4), failing] }, requestId)
  return [
    event(4469, {
      type: 'armed',
      text: 'All tests green and the PR description written',
      max: 30,
      review: true,
      by: 'user',
    }),
    ...turn('r-c', 3141, null, { kind: 'compaction', usage: usage(181_000, 2_200), durationMs: 19_000, costUsd: 0.09 }),
    noFire(
      3122,
      'r-c',
      { code: 'not-a-turn', kind: 'compaction' },
      { check: 'is-turn', ok: false, detail: 'compaction' },
    ),
    ...turn('r38', 2452, 38, {
      finish: 'tool-calls',
      usage: usage(39_700, 1_100),
      durationMs: 5_100,
      tools: ['Edit'],
      costUsd: 0.02,
    }),
    ...turn('r39', 1710, 39, { usage: usage(44_100, 1_800), durationMs: 6_000, costUsd: 0.03 }),
    noFire(
      1704,
      'r39',
      { code: 'agent-not-finished', why: 'own-goal' },
      { check: 'agent-finished', ok: false, detail: 'own-goal' },
    ),
    ...sceneToolEvents((secondsAgo, body) => event(secondsAgo, body, 'r39')),
    event(1352, { type: 'queued', entryId: 'f-say', source: 'user', text: 'Check CI on main', round: null }),
    event(1351, { type: 'held', entryId: 'f-say', reason: { code: 'typing' } }),
    event(1309, { type: 'typed', entryId: 'f-say' }),
    event(1308, { type: 'submitted', entryId: 'f-say', extraEnter: false }),
    event(1306, { type: 'confirmed', entryId: 'f-say', late: false, afterMs: 1200 }),
    ...turn('r40', 852, 40, {
      finish: 'tool-calls',
      usage: usage(45_000, 900),
      durationMs: 4_400,
      tools: ['Bash', 'Read', 'Read'],
      costUsd: 0.02,
    }),
    noFire(
      848,
      'r40',
      { code: 'not-a-plain-stop', finish: 'tool-calls' },
      { check: 'plain-stop', ok: false, detail: 'tool call' },
    ),
    ...turn('r41', 86, 41, {
      usage: usage(48_200, 3_100),
      durationMs: 8_200,
      route: sceneRoute,
      tools: ['Read', 'Edit', 'Bash'],
      costUsd: 0.03,
    }),
    event(78, { type: 'matched', steps, used: 11, max: 30 }, 'r41'),
    event(77, { type: 'review-started', round: 12, backend: 'model' }, 'r41'),
    event(39, { type: 'review-done', review: sceneReview(now) }, 'r41'),
    event(39, { type: 'queued', entryId: 'f-12', source: 'stopMessage', text: sceneFollowup, round: 12 }),
    event(38.6, { type: 'typed', entryId: 'f-12' }),
    event(38.3, { type: 'submitted', entryId: 'f-12', extraEnter: false }),
    event(38.3, { type: 'used', used: 12, max: 30 }),
    event(
      38,
      { type: 'turn-started', client: 'claude', entry: 'messages', kind: 'turn', model: 'claude-sonnet', retry: false },
      'r42',
    ),
    event(36.9, { type: 'confirmed', entryId: 'f-12', late: false, afterMs: 1400 }, 'r42'),
  ]
}
