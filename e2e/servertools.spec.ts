/** What sessions are offered of Onward's own tools, and what comes of their calls, over real HTTP. */
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  allEntries,
  bodyOf,
  chatEntry,
  geminiEntry,
  messagesEntry,
  responsesEntry,
  type TestEntry,
} from './support/entries.ts'
import { startEngineForTest } from './support/engine.ts'
import { heard } from './support/heard.ts'
import { callTool, gate, say } from './support/mock-upstream/index.ts'
import { call, post } from './support/post.ts'
import { conversationIn, conversationOf, toolsOf } from './support/provider-history.ts'
import { callClock, clockInput, look, servertoolWorld, type Conversation } from './support/servertool-world.ts'
import { waitFor } from '../shared/testing/wait-for.ts'

const w = servertoolWorld()
const tools = [look]
const ask = (talk: Conversation, text: string, more: { stream?: boolean; tools?: typeof tools } = {}) => {
  talk.user(text)
  return talk.ask({ stream: true, tools, ...more })
}
const declared = (n: number) => heard(w.request(n)).tools.map(({ name }) => name)
const plain = (door: TestEntry, body: string, headers: Record<string, string> = {}) =>
  post(w.engine, door.path, body, { headers: { ...door.headers, 'x-session-id': randomUUID(), ...headers } })
const eventsOf = (session: string) =>
  w.engine.control.events
    .filter(({ sessionId, body }) => sessionId === session && body.type.startsWith('servertool-'))
    .map(({ body }) => body)

describe.each(allEntries)('in $entry', (door) => {
  it('the time is told to anyone, other tools stand beside the client’s own', async () => {
    w.answers(say('Yes.'), say('Yes.'))
    await ask(w.talk(door), 'Hello?')
    expect(declared(1)).toEqual(['look', 'clock'])
    await ask(w.talk(door), 'Hello?', { tools: [] })
    expect(declared(2)).toEqual(['clock'])
  })

  it('a tool of the client’s by the same name wins', async () => {
    w.answers(callClock({ text: 'The clock.' }), say('Thanks.'))
    const talk = w.talk(door)
    const first = await ask(talk, 'Look at your clock.', { tools: [look, { ...look, name: 'clock' }] })
    expect(first).toMatchObject({ finish: 'tool-calls', calls: [{ name: 'clock', input: clockInput }] })
    expect(declared(1)).toEqual(['look', 'clock'])
    talk.results(first.calls.map((call) => ({ call, text: 'my own time' })))
    await talk.ask({ stream: true, tools: [look, { ...look, name: 'clock' }] })
    expect(heard(w.request(2)).results.map(({ text }) => text)).toEqual(['my own time'])
    expect(conversationOf(w.request(2))).toEqual(conversationIn(door.list, talk.sent[1] ?? ''))
    expect(eventsOf(talk.session)).toEqual([])
  })

  it('a session keeps its list of tools, whatever is switched, and a call to one that is off is told so', async () => {
    const { api } = w.engine.control
    w.answers(say('One.'), callClock(), say('Off it is.'), say('Three.'), say('New.'), say('Four.'))
    const talk = w.talk(door)
    await ask(talk, 'One?')
    try {
      await api.setServertool.mutate({ tool: 'clock', on: false })
      await waitFor('the switch', async () =>
        (await api.status.query()).servertools?.tools.some(({ name, on }) => name === 'clock' && !on),
      )
      expect((await ask(talk, 'Two?')).text).toBe('Off it is.')
      expect(heard(w.request(3)).results).toMatchObject([{ text: expect.stringContaining('switched off') as string }])
      expect(eventsOf(talk.session)).toMatchObject([
        { type: 'servertool-called' },
        { type: 'servertool-failed', tool: 'clock', round: 1, code: 'switched-off' },
        { type: 'servertool-round', round: 2 },
      ])
      await ask(talk, 'Three?')
      await ask(w.talk(door), 'New?')
      expect(declared(5)).toEqual(['look'])
    } finally {
      await api.setServertool.mutate({ tool: 'clock', on: null })
    }
    await w.engine.stop()
    w.engine = await w.engine.restart()
    await ask(talk, 'Four?')
    expect(new Set([1, 2, 3, 4, 6].map((n) => toolsOf(w.request(n)))).size).toBe(1)
  })

  it('is told of in the timeline and in the turn’s record, with all that was used', async () => {
    const usage = (input: number, output: number) => ({ usage: { input, output, cachedInput: 0, reasoning: 0 } })
    w.answers(callClock({ text: 'Let me see.', ...usage(100, 10) }), say('Late.', usage(150, 7)))
    const talk = w.talk(door)
    expect((await ask(talk, 'Late?')).usage).toMatchObject({ input: 150, output: 17 })
    const timeline = await waitFor('the end of the turn', async () => {
      const events = await w.engine.control.api.timeline.query({ session: talk.session })
      return events.some(({ body }) => body.type === 'turn-ended') && events
    })
    const result = heard(w.request(2)).results[0]?.text ?? ''
    const bytes = Buffer.byteLength(result)
    expect(
      timeline
        .map(({ body }) => body)
        .filter(({ type }) => type.startsWith('servertool-'))
        .toSorted((a, b) => a.type.localeCompare(b.type)),
    ).toMatchObject([
      { type: 'servertool-called', tool: 'clock', round: 1 },
      { type: 'servertool-ran', tool: 'clock', round: 1, ms: expect.any(Number) as number, bytes },
      { type: 'servertool-round', round: 2, tools: ['clock'] },
    ])
    const turn = (await w.engine.control.api.turns.query(5)).find(({ sessionId }) => sessionId === talk.session)
    expect(turn).toMatchObject({
      finish: 'stop',
      usage: { input: 250, output: 17 },
      servertools: [{ tool: 'clock', round: 1, bytes, failure: null }],
    })
    expect(JSON.stringify(timeline)).not.toContain('nowMs')
  })

  it('a third round is the last: its calls are refused, and what is called then is taken out', async () => {
    w.answers(
      callClock({ text: 'One.' }),
      callClock({ text: 'Two.' }),
      callClock({ text: 'Three.' }),
      callClock({ text: 'Four.' }),
    )
    const talk = w.talk(door)
    const answer = await ask(talk, 'Late?')
    expect(answer).toMatchObject({ finish: 'stop', calls: [] })
    expect(answer.text.replaceAll(/\s+/g, '')).toBe('One.Two.Three.Four.')
    expect(w.requests()).toHaveLength(4)
    expect(heard(w.request(4)).results.map(({ text }) => text.includes('nowMs'))).toEqual([true, true, false])
    await expect
      .poll(() => eventsOf(talk.session).at(-1))
      .toEqual({ type: 'servertool-stripped', tools: ['clock'], why: 'depth' })
    w.answers(say('Done.'))
    await ask(talk, 'Go on.')
    const before = conversationOf(w.request(4))
    expect(conversationOf(w.request(5)).slice(0, before.length)).toEqual(before)
    expect(heard(w.request(5)).results).toHaveLength(4)
  })

  it('an answer without a word of the model’s tells what was done', async () => {
    // the tool ran; the round behind it was empty, and so was the one that was asked for then
    w.answers(callClock(), { kind: 'answer' }, { kind: 'answer' }, say('Good.'))
    const talk = w.talk(door)
    expect(await ask(talk, 'Late?')).toMatchObject({ text: '(Onward: used the clock)', finish: 'stop' })
    await ask(talk, 'Go on.')
    const last = w.request(4)
    expect(last.body.toString()).not.toContain('used the clock')
    const before = conversationOf(w.request(2))
    expect(conversationOf(last).slice(0, before.length)).toEqual(before)
    expect(last.lastUserText).toBe('Go on.')
  })

  it.each([true, false])(
    'an empty answer is asked for once more, and empty again it stays as it is (streaming: %s)',
    async (stream) => {
      w.answers({ kind: 'answer' }, say('Here I am.'), say('Good.'))
      const talk = w.talk(door)
      expect((await ask(talk, 'Are you there?', { stream })).text).toBe('Here I am.')
      expect(w.request(2).lastUserText).toBe('continue')
      await expect
        .poll(() => eventsOf(talk.session))
        .toMatchObject([{ type: 'servertool-reacted', tool: 'empty_reply_continue' }])
      await ask(talk, 'Go on.', { stream })
      const before = conversationOf(w.request(2))
      expect(conversationOf(w.request(3)).slice(0, before.length)).toEqual(before)

      w.answers({ kind: 'answer' }, { kind: 'answer' })
      const silent = w.talk(door)
      expect(
        await ask(silent, 'And you?', { stream }).then(
          ({ text }) => text,
          () => '',
        ),
      ).toBe('')
      expect(w.requests()).toHaveLength(5)
    },
  )
})

describe('requests beside the turns', () => {
  const claude = { 'user-agent': 'claude-cli/2.1.330 (external, cli)', 'anthropic-version': '2023-06-01' }
  const compaction =
    'CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.\n\nYour ' +
    'task is to create a detailed summary of the conversation so far.'

  it('a compaction carries the session’s tools and its whole history, and runs none', async () => {
    w.answers(callClock({ text: 'Let me see.' }), say('Late.'), callClock({ text: 'A summary.' }))
    const talk = w.talk(messagesEntry, undefined, claude)
    await ask(talk, 'Late?')
    expect(await ask(talk, compaction)).toMatchObject({ text: 'A summary.', calls: [], finish: 'stop' })
    expect(w.requests()).toHaveLength(3)
    expect(toolsOf(w.request(3))).toBe(toolsOf(w.request(1)))
    const before = conversationOf(w.request(2))
    expect(conversationOf(w.request(3)).slice(0, before.length)).toEqual(before)
    expect(eventsOf(talk.session).at(-1)).toEqual({ type: 'servertool-stripped', tools: ['clock'], why: 'not-a-turn' })
  })

  it.each([
    ['a title', {}, { system: [{ type: 'text', text: 'You are naming a coding session' }] }],
    [
      'a sub-agent',
      { 'x-claude-code-agent-id': 'a1' },
      { tools: [{ name: 'look', input_schema: { type: 'object' } }] },
    ],
  ])('%s goes up as it came, and so does its answer', async (_what, headers, more) => {
    w.answers(say('Yes.'), callClock({ text: 'Mine.' }))
    const { session } = w.talk(messagesEntry, undefined, claude)
    await ask(w.talk(messagesEntry, session, claude), 'Late?')
    const body = bodyOf(messagesEntry, ['Late?'], more)
    const answer = await plain(messagesEntry, body, { ...claude, ...headers, 'x-session-id': session })
    expect(w.request(2).body.toString()).toBe(body)
    expect(answer.body.toString()).toContain('"clock"')
    expect(eventsOf(session)).toEqual([])
  })
})

describe('switched off', () => {
  it.each(['config', 'environment'] as const)('by the %s, bytes go up and come down as they are', async (by) => {
    const engine = await startEngineForTest(
      { ...w.config, clock: { timeTag: false }, ...(by === 'config' ? { servertools: { enabled: false } } : {}) },
      by === 'config' ? {} : { env: { ROUTECODEX_SERVER_TOOLS: '0' } },
    )
    try {
      for (const door of allEntries) {
        w.answers(callTool('clock', clockInput, { as: 'json' }))
        const body = bodyOf(door, ['Late?'])
        const answer = await post(engine, door.path, body, { headers: { ...door.headers, 'x-session-id': 'one' } })
        expect(w.requests().at(-1)?.body.toString()).toBe(body)
        expect(answer.body.toString()).toContain('"clock"')
      }
      expect((await engine.control.api.status.query()).servertools).toMatchObject({
        on: false,
        by: by === 'config' ? 'config' : 'env',
      })
    } finally {
      await engine.dispose()
    }
  })

  it('for a model that takes no tools', async () => {
    const { providers = {} } = w.config
    await w.engine.use({
      ...w.config,
      providers: {
        ...providers,
        plain: { ...providers['chat'], type: 'openai-chat', models: { 'm-2': { tools: false, timeTag: false } } },
      },
    })
    w.answers(say('Yes.'))
    const body = bodyOf(chatEntry, ['Late?'], { model: 'm-2' })
    expect((await plain(chatEntry, body)).status).toBe(200)
    expect(w.request(1).body.toString()).toBe(body)
    await w.engine.use(w.config)
  })
})

describe('a client that goes away', () => {
  it.each([responsesEntry, messagesEntry, chatEntry, geminiEntry])(
    'while the second round is under way ends it, and nothing is kept ($entry)',
    async (door) => {
      const session = randomUUID()
      w.answers(callClock({ text: 'Let me see.' }), say('Late.', { hold: { at: 'head', until: gate() } }))
      const leaving = call(w.engine, door.streamPath ?? door.path, bodyOf(door, ['Late?'], { stream: true }), {
        headers: { ...door.headers, 'x-session-id': session },
      })
      const second = await waitFor('the second round', () => w.requests()[1])
      leaving.leave()
      expect(await second.over).toBe('left')
      await waitFor('the end of the turn', () =>
        w.engine.control.events.some(
          ({ sessionId, body }) => sessionId === session && body.type === 'turn-ended' && body.clientLeft,
        ),
      )
      expect(w.kept()).not.toContain(session)
    },
  )
})
