import { expect, it } from 'vitest'
import { silentLog } from '../../base/log.ts'
import { createSessionStore } from '../../sessions/session-store.ts'
import { machine, registryOn, tmuxPane } from '../../sessions/testing/machine.ts'
import type { Terminal } from '../../sessions/binding/terminal.ts'
import type { TurnIdentity } from '../../sessions/types.ts'
import { createBench, settle } from '../../terminals/outbox/testing/bench.ts'
import { createContinuations } from './continuations.ts'

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
