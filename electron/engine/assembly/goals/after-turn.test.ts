import { expect, it, describe } from 'vitest'
import type { EventBody } from '../../../../shared/events.ts'
import type { StopMessageStatusView } from '../../../../shared/state.ts'
import { silentLog } from '../../base/log.ts'
import { recordingClient } from '../../pipeline/testing/recording-client.ts'
import { draftOf, emptySummary, noOverrides, type Turn, type TurnEnd } from '../../pipeline/turn.ts'
import { codecOf } from '../../protocol/index.ts'
import type { StopMessage } from '../../servertools/stop-message/stop-message.ts'
import { noStopMessage } from '../../servertools/stop-message/view.ts'
import type { Terminal } from '../../sessions/binding/terminal.ts'
import { createSessionStore } from '../../sessions/session-store.ts'
import { machine, registryOn, tmuxPane } from '../../sessions/testing/machine.ts'
import type { TurnIdentity } from '../../sessions/types.ts'
import { createBench, settle, silentListener, T, type BenchOptions } from '../../terminals/outbox/testing/bench.ts'
import { safeFor } from '../../terminals/safe-text.ts'
import { createContinuations, createContinue } from './after-turn.ts'

const first = ['mend the parser', 'The parser reads the header twice. I mended that, and all tests pass.']
const then = ['and the lexer?', 'The lexer was right already, I only added a test for empty lines.']

/** Terminals, sessions and queues, and what follows from a request under another id. */
async function scene() {
  const on = machine()
  const bench = createBench({ clock: on.clock })
  const { terminals, dead } = await registryOn(on)
  const sessions = createSessionStore({ store: on.store, clock: on.clock, log: silentLog })
  await bench.start()
  const did: string[] = []
  const follow = createContinuations({
    outboxes: bench.outboxes,
    registry: terminals,
    sessions,
    automation: {
      async rename(scope, from, to) {
        did.push(`goal ${from} -> ${to}`)
        await (await bench.outboxes.of(scope)).exclusive((transaction) => transaction.rename(from, to))
      },
    },
    alarms: {
      async rename(from, to) {
        did.push(`alarms ${from} -> ${to}`)
      },
    },
    rebinder: { again: (terminalId) => did.push(`again ${terminalId}`) },
  })
  const open = async (session: string, pane: string) =>
    (await terminals.register(tmuxPane(session, pane, { client: 'claude' }))).terminal
  const outboxOf = ({ scope }: Terminal) => bench.outboxes.of(scope)
  /** each said by a person and answered, one after the other */
  const talk = async (terminal: Terminal, sessionId: string, texts: readonly string[]) => {
    await sessions.open(sessionId, { client: 'claude' })
    sessions.note(sessionId, (facts) => ({ turns: facts.turns + texts.length / 2, cwd: '/p' }))
    terminals.setSession(terminal.terminalId, sessionId)
    const outbox = await outboxOf(terminal)
    for (let at = 0; at < texts.length; at += 2) {
      const said = texts[at] ?? ''
      const start = { requestId: `${sessionId}-${at}`, sessionId, kind: 'turn', hasNewMainTurn: true } as const
      await outbox.requestStarted({ ...start, lastUserTexts: [said], said })
      outbox.requestEnded(start.requestId, { sessionId, text: texts[at + 1] ?? '', goesOn: false })
    }
    await settle(on.clock)
  }
  /** a request of this id comes with that history */
  const asks = async (terminal: Terminal, sessionId: string, history: readonly string[]) => {
    await sessions.open(sessionId, { client: 'claude' })
    const { terminalId, scope } = terminal
    const identity = { kind: 'turn', sessionId, terminalId, scope, registeredClientOnly: false } as TurnIdentity
    await follow(identity, { history: () => history.map((text) => ['<system-reminder>x</system-reminder>', text]) })
  }
  return { on, terminals, dead, sessions, did, open, talk, asks, outboxOf }
}

it('a conversation that goes on under another id takes along what is set for it', async () => {
  const { sessions, did, open, talk, asks, outboxOf } = await scene()
  const pane = await open('one', '%1')
  await talk(pane, 's1', first)
  await sessions.choose('s1', () => ({ name: 'parser', pinned: true }))
  await (await outboxOf(pane)).add({ sessionId: 's1', text: 'go on', source: 'user' })

  await asks(pane, 's2', first)
  expect(did).toEqual(['alarms s1 -> s2', 'goal s1 -> s2'])
  const outbox = await outboxOf(pane)
  expect(outbox.list()).toMatchObject([{ sessionId: 's2', text: 'go on', state: 'queued' }])
  expect(outbox.conversation()).toBe('s2')
  expect(outbox.conversations().map(({ sessionId }) => sessionId)).toEqual(['s2'])
  expect(sessions.get('s2')).toMatchObject({ name: 'parser', pinned: true, turns: 1, continuedIn: null })
  expect(sessions.get('s1')).toMatchObject({ name: '', pinned: false, turns: 0, continuedIn: 's2' })
})

it.each<[string, readonly string[]]>([
  ['no history', []],
  ['an equal first message alone', [first[0] ?? '']],
  ['another answer to it', [first[0] ?? '', 'I could not find any parser in this folder.']],
  ['its words, and others after them', [...first, ...then, 'go on', 'Nothing else is left to do in this folder.']],
  ['other words', then],
])('%s proves nothing', async (_, history) => {
  const { did, open, talk, asks } = await scene()
  const pane = await open('one', '%1')
  await talk(pane, 's1', first)
  await asks(pane, 's2', history)
  expect(did).toEqual([])
})

it('two short words prove nothing', async () => {
  const { did, open, talk, asks } = await scene()
  const pane = await open('one', '%1')
  await talk(pane, 's1', ['say ok', 'ok'])
  await asks(pane, 's2', ['say ok', 'ok'])
  expect(did).toEqual([])
})

it('goes back with it, and a fork that is asked again without it gets nothing', async () => {
  const { did, sessions, open, talk, asks } = await scene()
  const pane = await open('one', '%1')
  await talk(pane, 's1', first)
  await asks(pane, 's2', first)
  await talk(pane, 's2', then)
  did.length = 0

  // the older one, as it was before: what is set stays where the conversation went on
  await asks(pane, 's1', first)
  expect(did).toEqual([])
  expect(sessions.get('s1')?.continuedIn).toBeNull()

  await asks(pane, 's1', [...first, ...then])
  expect(did).toEqual(['alarms s2 -> s1', 'goal s2 -> s1'])
})

it('a fork in a second terminal leaves it with the one that lives', async () => {
  const { did, open, talk, asks } = await scene()
  const pane = await open('one', '%1')
  await talk(pane, 's1', first)
  await asks(await open('two', '%2'), 's2', first)
  expect(did).toEqual([])
})

it('a terminal that ended hands it to the one in which its conversation goes on under another id', async () => {
  const { did, terminals, open, talk, asks } = await scene()
  const pane = await open('one', '%1')
  await talk(pane, 's1', first)
  await terminals.end(pane.terminalId, 0, 'the agent ended')
  const next = await open('two', '%2')
  await asks(next, 's2', first)
  expect(did).toEqual(['alarms s1 -> s2', 'goal s1 -> s2', `again ${next.terminalId}`])
  expect(terminals.get(pane.terminalId)?.sessionId).toBe('s2')
})

function turnOf(identity: Partial<Turn['identity']> = {}, requestId = 'r1'): Turn {
  const codec = codecOf('messages')
  const body = Buffer.from('{"model":"m","messages":[{"role":"user","content":"Hi"}]}')
  return {
    codec,
    draft: draftOf(codec, body),
    bytesIn: 0,
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
