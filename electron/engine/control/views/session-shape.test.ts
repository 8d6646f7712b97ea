import { describe, expect, it } from 'vitest'
import type { OutboxEntryView, StopMessageView } from '../../../../shared/state.ts'
import { sessionShape, type ShapeFacts } from './session-shape.ts'

const armed: StopMessageView = {
  text: 'go on',
  used: 1,
  max: 3,
  review: false,
  status: { kind: 'armed' },
  armedAt: 1,
  lastUsedAt: null,
}
const entry = (state: OutboxEntryView['state'], hold: OutboxEntryView['hold'] = null): OutboxEntryView => ({
  id: 'e',
  scope: 'pty:1',
  sessionId: 's',
  round: 1,
  text: 't',
  source: 'stopMessage',
  createdAt: 1,
  revision: 1,
  state,
  hold,
  fail: null,
  typedAt: null,
  submittedAt: null,
  confirmedAt: null,
})
const ignored = entry('queued', { code: 'enter-ignored' })
const behind = entry('queued', { code: 'behind', entryId: 'e' })
const nearLimit = { code: 'near-limit', provider: 'zai', window: '5h', usedPercent: 92, at: 1, until: 2 } as const
const quiet: ShapeFacts = {
  working: null,
  needsYou: null,
  terminal: 'alive',
  stopMessage: null,
  leftGoal: null,
  queue: [],
  limit: null,
  nearLimit: null,
  failure: null,
  triesInVain: false,
  recovers: null,
  rests: null,
  stalled: null,
  drivesAsk: null,
  pausedByUser: false,
  idleBut: null,
}

const leftGoal = { sessionId: 's0', text: 'go on', used: 1, max: 3 }
const asks = { what: 'asks', asked: null }
const failure = {
  provider: 'zai',
  status: 529,
  message: 'Overloaded.',
  tries: 3,
  since: 1,
  at: 2,
  tried: [],
  retries: true,
}
const given = { ...failure, retries: false }
const limit: ShapeFacts['limit'] = { provider: 'zai', since: 1, lifts: 2, resume: false, resumeAt: null }

describe('sessionShape', () => {
  const rows: [string, Partial<ShapeFacts>, string, string][] = [
    ['nothing armed', {}, 'idle', 'idle'],
    ['a turn runs', { working: { turn: 4, since: 1 } }, 'working', 'working'],
    ['a dialog is open while a turn runs', { working: { turn: 4, since: 1 }, needsYou: asks }, 'needs', 'needs-you'],
    [
      'a pause that asks',
      { stopMessage: { ...armed, status: { kind: 'paused', reason: { code: 'not-received' }, at: 1 } } },
      'needs',
      'paused',
    ],
    ['paused by the person', { stopMessage: armed, pausedByUser: true, queue: [entry('queued')] }, 'paused', 'paused'],
    [
      'failed, though the terminal is gone',
      {
        terminal: 'gone',
        stopMessage: { ...armed, status: { kind: 'failed', reason: { code: 'agent-gone' }, at: 1 } },
      },
      'failed',
      'failed',
    ],
    ['its terminal has another conversation', { terminal: 'left', stopMessage: armed }, 'gone', 'left'],
    ['a goal of the conversation before', { leftGoal }, 'needs', 'left-goal'],
    ['a turn runs beside such a goal', { leftGoal, working: { turn: 1, since: 1 } }, 'working', 'working'],
    ['paused beside such a goal', { leftGoal, pausedByUser: true }, 'paused', 'paused'],
    [
      'a text waits beside such a goal',
      { leftGoal, queue: [entry('queued', { code: 'draft' })] },
      'needs',
      'left-goal',
    ],
    ['a receipt is awaited beside such a goal', { leftGoal, queue: [entry('submitted')] }, 'held', 'awaiting-receipt'],
    ['terminal gone', { terminal: 'gone' }, 'gone', 'gone'],
    ['a followup is held', { stopMessage: armed, queue: [entry('queued', { code: 'typing' })] }, 'held', 'held'],
    ['Enter did nothing on a text', { stopMessage: armed, queue: [ignored] }, 'needs', 'held'],
    ['Enter did nothing on a text that another waits for', { queue: [behind, ignored] }, 'needs', 'held'],
    ['Enter did nothing, and a turn runs', { queue: [ignored], working: { turn: 4, since: 1 } }, 'working', 'working'],
    ['Enter did nothing, terminal gone', { queue: [ignored], terminal: 'gone' }, 'gone', 'gone'],
    ['a followup waits its turn', { stopMessage: armed, queue: [entry('queued')] }, 'held', 'queued'],
    ['typed, receipt awaited', { stopMessage: armed, queue: [entry('submitted')] }, 'held', 'awaiting-receipt'],
    [
      'rounds used',
      { stopMessage: { ...armed, status: { kind: 'done', reason: { code: 'rounds-used', used: 3, max: 3 }, at: 1 } } },
      'done',
      'done',
    ],
    ['at its limit, though armed', { limit, stopMessage: armed }, 'held', 'limited'],
    [
      'at its limit after its rounds',
      { limit, stopMessage: { ...armed, status: { kind: 'done', reason: { code: 'goal-reached' }, at: 1 } } },
      'held',
      'limited',
    ],
    ['working again after a limit', { limit, working: { turn: 4, since: 1 } }, 'working', 'working'],
    ['a dialog at a limit', { limit, needsYou: asks }, 'needs', 'needs-you'],
    [
      'failed at a limit',
      { limit, stopMessage: { ...armed, status: { kind: 'failed', reason: { code: 'not-submitted' }, at: 1 } } },
      'failed',
      'failed',
    ],
    ['paused at a limit', { limit, pausedByUser: true }, 'paused', 'paused'],
    ['a followup waits at a limit', { limit, queue: [entry('queued')] }, 'held', 'queued'],
    ['a receipt is awaited at a limit', { limit, queue: [entry('submitted')] }, 'held', 'awaiting-receipt'],
    ['at its limit, terminal gone', { limit, terminal: 'gone' }, 'gone', 'gone'],
    ['its agent tries again', { failure, stopMessage: armed }, 'needs', 'retrying'],
    ['its agent tries again after the first failure', { failure: { ...failure, tries: 1 } }, 'held', 'retrying'],
    ['its agent tries again, paused', { failure, pausedByUser: true }, 'needs', 'retrying'],
    [
      'the next try waits for an answer',
      { failure, triesInVain: true, working: { turn: 4, since: 1 } },
      'needs',
      'retrying',
    ],
    ['the next try is answered', { failure, working: { turn: 4, since: 1 } }, 'working', 'working'],
    ['a dialog while it waits', { failure, triesInVain: true, needsYou: asks }, 'needs', 'needs-you'],
    ['its agent tries again at a limit', { failure, limit }, 'held', 'limited'],
    ['its agent gave up, terminal gone', { failure: given, terminal: 'gone' }, 'gone', 'gone'],
    ['its agent gave up, though armed', { failure: given, stopMessage: armed }, 'failed', 'turn-failed'],
    ['its agent gave up, and a followup waits', { failure: given, queue: [entry('queued')] }, 'failed', 'turn-failed'],
    [
      'its agent gave up, and a followup is held',
      { failure: given, stopMessage: armed, queue: [entry('queued', { code: 'draft' })] },
      'failed',
      'turn-failed',
    ],
    ['its agent gave up, a receipt is awaited', { failure: given, queue: [entry('typing')] }, 'failed', 'turn-failed'],
    ['its agent gave up behind a limit', { failure: given, limit }, 'failed', 'turn-failed'],
    [
      'its agent gave up after its rounds',
      { failure: given, stopMessage: { ...armed, status: { kind: 'done', reason: { code: 'goal-reached' }, at: 1 } } },
      'failed',
      'turn-failed',
    ],
    ['its agent gave up, paused', { failure: given, pausedByUser: true }, 'failed', 'paused'],
    ['its agent gave up, and Enter did nothing on a text', { failure: given, queue: [ignored] }, 'needs', 'held'],
    ['the turn after a failed one runs', { failure: given, working: { turn: 4, since: 1 } }, 'working', 'working'],
    ['a dialog after a failed turn', { failure: given, needsYou: asks }, 'needs', 'needs-you'],
    ['armed and quiet', { stopMessage: armed }, 'idle', 'armed'],
    ['armed, near a limit, without a terminal', { stopMessage: armed, nearLimit, terminal: 'none' }, 'held', 'held'],
  ]
  it.each(rows)('%s', (_name, facts, shape, say) => {
    const result = sessionShape({ ...quiet, ...facts })
    expect([result.shape, result.say.code]).toEqual([shape, say])
  })

  it('says what a dialog asks, and since when', () =>
    expect(sessionShape({ ...quiet, needsYou: { ...asks, since: 4 } }).say).toEqual({
      code: 'needs-you',
      what: 'asks',
      since: 4,
    }))

  it('says when the limit lifts that its agent gave up behind, paused or not', () => {
    const known = { limit: { provider: 'zai', lifts: 2 } }
    expect(sessionShape({ ...quiet, failure: given, limit }).say).toMatchObject({ code: 'turn-failed', ...known })
    expect(sessionShape({ ...quiet, failure: given, limit, pausedByUser: true }).say).toMatchObject({ failure: known })
    expect(sessionShape({ ...quiet, failure: given, limit: { ...limit, lifts: null } }).say).toMatchObject({
      limit: { provider: 'zai', lifts: null },
    })
    expect(sessionShape({ ...quiet, failure: given }).say).not.toHaveProperty('limit')
  })

  it('says what failed beside a pause and beside followups that wait', () => {
    const { provider, status, message, since, tries, tried } = given
    const failed = { provider, status, message, since, tries, tried }
    const queue = [entry('queued'), entry('queued')]
    expect(sessionShape({ ...quiet, failure: given, queue }).say).toEqual({
      code: 'turn-failed',
      ...failed,
      waiting: 2,
    })
    expect(sessionShape({ ...quiet, failure: given, queue, pausedByUser: true }).say).toEqual({
      code: 'paused',
      reason: { code: 'by-user' },
      waiting: 2,
      failure: failed,
    })
    const paused: StopMessageView = { ...armed, status: { kind: 'paused', reason: { code: 'not-received' }, at: 1 } }
    expect(sessionShape({ ...quiet, failure: given, stopMessage: paused })).toMatchObject({
      shape: 'needs',
      say: { reason: { code: 'not-received' }, failure: failed },
    })
  })

  it('asks for a person where its agent ended by itself and is not started again, as long as a goal is set', () => {
    const rests = { ...quiet, terminal: 'gone', rests: 'too-often', stopMessage: armed } as const
    expect(sessionShape(rests)).toEqual({ shape: 'failed', say: { code: 'gone', rests: 'too-often' } })
    expect(sessionShape({ ...rests, stopMessage: null })).toEqual({ shape: 'gone', say: { code: 'gone' } })
    expect(sessionShape({ ...rests, terminal: 'alive' }).say.code).toBe('armed')
  })
})
