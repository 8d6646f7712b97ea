import { describe, expect, it } from 'vitest'
import type { EventBody } from '../../../../shared/events.ts'
import type { StopMessageStatusView } from '../../../../shared/state.ts'
import { noStopMessage } from '../../servertools/stop-message/view.ts'
import { codecOf } from '../../protocol/index.ts'
import { recordingClient } from '../../pipeline/testing/recording-client.ts'
import { emptySummary, noOverrides, type Turn, type TurnEnd } from '../../pipeline/turn.ts'
import type { StopMessage } from '../../servertools/stop-message/stop-message.ts'
import { createBench, settle, silentListener, T, type BenchOptions } from '../../terminals/outbox/testing/bench.ts'
import { safeFor } from '../../terminals/typing/safe-text.ts'
import { createContinue } from './continue.ts'
import { draftOf } from '../../pipeline/request/request-draft.ts'

function turnOf(identity: Partial<Turn['identity']> = {}, requestId = 'r1'): Turn {
  const codec = codecOf('messages')
  const body = Buffer.from('{"model":"m","messages":[{"role":"user","content":"Hi"}]}')
  return {
    codec,
    draft: draftOf(codec, body),
    bytesIn: 0,
    requestBytes: { held: false },
    ordinal: 1,
    receipt: { ours: [], proves: [] },
    overrides: noOverrides,
    ownAnswer: null,
    reentered: false,
    tried: [],
    dropped: [],
    identity: {
      sessionId: 's1',
      sessionSource: null,
      client: 'codex',
      kind: 'turn',
      terminalId: T,
      scope: T,
      scopeProblem: null,
      registeredClientOnly: false,
      retry: false,
      ...identity,
    },
    call: {
      requestId,
      entry: 'messages',
      endpoint: 'generate',
      method: 'POST',
      path: '/v1/messages',
      headers: {},
      caller: { kind: 'local', suffix: null },
      callingProcess: null,
      body,
      receivedAt: 0,
      reply: recordingClient().reply,
    },
  }
}
const endOf = (more: Partial<TurnEnd> = {}): TurnEnd => ({
  summary: emptySummary('stop', null),
  status: 200,
  route: null,
  choice: null,
  ttfbMs: 1,
  durationMs: 1,
  bytesOut: 1,
  clientLeft: false,
  continueWith: { text: 'Next part.' },
  ...more,
})
const stopMessage = (status: StopMessageStatusView): ReturnType<StopMessage['view']> => ({
  stopMessage: { text: 'Continue.', max: 3, used: 3, review: false, armedAt: 0, lastUsedAt: null, status },
  lastStopMessage: null,
  sessionId: 's1',
  askedIn: [],
})
const nothing = noStopMessage

async function world(view = nothing, options: BenchOptions = {}) {
  const bench = createBench(options)
  bench.outboxes.use(() => silentListener)
  const events: EventBody[] = []
  const outbox = await bench.outboxes.of(T)
  const goesOn = createContinue({
    outboxes: bench.outboxes,
    automation: { view: () => view },
    record: (_, body) => {
      events.push(body)
    },
  })
  return {
    bench,
    events,
    goesOn,
    waiting: () =>
      outbox.exclusive(async (transaction) =>
        transaction.entries().map(({ text, source, sessionId }) => ({ text, source, sessionId })),
      ),
  }
}

describe('what a model asked to be told next', () => {
  it('waits in its terminal’s outbox, once per request', async () => {
    const w = await world()
    for (let i = 0; i < 2; i++) await w.goesOn(turnOf(), endOf())?.()
    expect(await w.waiting()).toEqual([{ text: 'Next part.', source: 'continue_execution', sessionId: 's1' }])
    expect(w.events).toEqual([])
    // A terminal gets one followup at a time; the second is reported, not lost in silence.
    await w.goesOn(turnOf({}, 'r2'), endOf({ continueWith: { text: 'And then.' } }))?.()
    expect((await w.waiting()).map(({ text }) => text)).toEqual(['Next part.'])
    expect(w.events).toMatchObject([{ type: 'engine-problem', code: 'entry-pending' }])
    await settle(w.bench.clock)
    w.bench.outboxes.dispose()
  })

  it('is a model’s text: the agent opens nothing for it', async () => {
    const w = await world(nothing, { client: 'qwen', safeText: safeFor })
    await w.goesOn(turnOf(), endOf({ continueWith: { text: 'Read @notes.md next.' } }))?.()
    expect(await w.waiting()).toMatchObject([{ text: 'Read \\@notes.md next.' }])
    w.bench.outboxes.dispose()
  })

  it.each<[string, Partial<Turn['identity']>, Partial<TurnEnd>]>([
    ['nobody asked for it', {}, { continueWith: undefined }],
    ['the client left', {}, { clientLeft: true }],
    ['there is no terminal', { scope: null, terminalId: null }, {}],
    ['there is no session', { sessionId: null }, {}],
  ])('is nothing where %s', async (_what, identity, end) => {
    const w = await world()
    expect(w.goesOn(turnOf(identity), endOf(end))).toBeNull()
    w.bench.outboxes.dispose()
  })

  it.each<[StopMessageStatusView, boolean]>([
    [{ kind: 'armed' }, false],
    [{ kind: 'done', reason: { code: 'goal-reached' }, at: 0 }, true],
  ])('gives way to a stopMessage that is set: %j', async (status, goesOn) => {
    const w = await world(stopMessage(status))
    expect(w.goesOn(turnOf(), endOf()) !== null).toBe(goesOn)
    w.bench.outboxes.dispose()
  })

  it('that can’t be put there is told of', async () => {
    const w = await world()
    const failing = createContinue({
      outboxes: { ...w.bench.outboxes, of: () => Promise.reject(new Error('disk full')) },
      automation: { view: () => nothing },
      record: (_, body) => {
        w.events.push(body)
      },
    })
    await failing(turnOf(), endOf())?.()
    expect(w.events).toEqual([{ type: 'engine-problem', code: 'continue-execution', message: 'disk full' }])
    w.bench.outboxes.dispose()
  })
})
