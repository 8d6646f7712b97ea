/**
 * What an agent asks beside its conversation goes through and is nothing else (requests as Claude Code 2.1.332 sends
 * them); and what it goes on with by itself is seen as soon as it begins.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waitFor } from '../shared/testing/wait-for.ts'
import { messagesEntry, providersFor } from './support/entries.ts'
import { removeHomes } from './support/engine-process.ts'
import { fail, startMockUpstream, type MockUpstream } from './support/mock-upstream/index.ts'
import { nothingMore } from './support/nothing-more.ts'
import { post } from './support/post.ts'
import { startSkewedEngine, type SkewedEngine } from './support/skewed-engine.ts'

const key = 'local-test-key'
let mock: MockUpstream
let engine: SkewedEngine
beforeAll(async () => {
  mock = await startMockUpstream({ keys: ['sk-upstream'], auxiliary: 'script' })
  engine = await startSkewedEngine({
    config: { ...providersFor(mock, 'sk-upstream', [messagesEntry]), server: { keys: [key] } },
  })
})
afterAll(async () => {
  await engine?.stop()
  await mock?.dispose()
  removeHomes()
})

const text = (words: string, marked = false) => ({
  type: 'text',
  text: words,
  ...(marked ? { cache_control: { type: 'ephemeral' } } : {}),
})
const user = (words: string, marked = false) => ({ role: 'user', content: [text(words, marked)] })
const assistant = (words: string) => ({ role: 'assistant', content: [text(words)] })
const tools = ['Bash', 'Read'].map((name) => ({ name, description: name, input_schema: { type: 'object' } }))

function ask(session: string, messages: readonly object[], more: object = { tools }) {
  const body = { model: 'm-1', max_tokens: 32_000, messages, ...more }
  return post({ ...engine, key }, messagesEntry.path, JSON.stringify(body), {
    headers: {
      ...messagesEntry.headers,
      'user-agent': 'claude-cli/2.1.332 (external, cli)',
      'x-claude-code-session-id': session,
    },
  })
}
const told = (session: string) =>
  engine.control.events.filter((event) => event.sessionId === session).map(({ body }) => body)
const sentLast = () => mock.requests.at(-1)?.body.toString() ?? ''

describe('a side request', () => {
  const history = [user('hello'), assistant('Done.')]
  const sideQuestion =
    '<system-reminder>This is a side question from the user. You must answer this question directly in a single ' +
    'response.\n</system-reminder>'
  const schema = { output_config: { format: { type: 'json_schema', schema: { type: 'object' } } } }

  it.each<[string, readonly object[], object]>([
    [
      '/btw',
      [...history.slice(0, 1), { role: 'assistant', content: [text('Done.')] }, user(`${sideQuestion}\n\nwhat is it?`)],
      { tools },
    ],
    ['a fork nobody has met', [user('hello', true), assistant('Done.'), user('Say what you think of it.')], { tools }],
    ['a name for the session', [user('<conversation>\nhello\n</conversation>')], schema],
    ['a page that was fetched', [user('Look at this page, and say what it is about.')], {}],
    ['a question with a tool of its own', [user('Judge this.')], { tools: [{ name: 'verdict', input_schema: {} }] }],
  ])('takes no alarm and counts as no turn: %s', async (_, messages, more) => {
    const session = randomUUID()
    expect((await ask(session, [user('hello', true)])).status).toBe(200)
    await waitFor('the session', () => told(session).some(({ type }) => type === 'turn-ended'))
    await engine.control.api.addAlarm.mutate({ session, dueAt: engine.clock.now() + 60_000, task: 'look at the build' })
    engine.clock.jump(61_000)

    expect((await ask(session, messages, more)).status).toBe(200)
    expect(sentLast()).not.toContain('look at the build')
    await nothingMore(mock, engine)
    expect(told(session).filter(({ type }) => type === 'turn-ended')).toMatchObject([
      { kind: 'turn', turn: 1 },
      { kind: 'aside', turn: null },
    ])
    expect(await engine.control.api.sessions.query()).toContainEqual(expect.objectContaining({ id: session, turns: 1 }))

    expect((await ask(session, [...history, user('go on', true)])).status).toBe(200)
    expect(sentLast()).toContain('look at the build')
  })
})

describe('Claude Code that goes on by itself when its plan’s limit is reset', () => {
  it('takes away what Onward would have typed, as soon as it begins', async () => {
    const session = randomUUID()
    await ask(session, [user('hello', true)])
    await waitFor('the session', () => told(session).some(({ type }) => type === 'turn-ended'))
    await engine.control.api.setResumeAtReset.mutate({ session, on: true })
    const reset = String(Math.ceil(engine.clock.now() / 1000) + 3_600)
    mock.queue(
      fail(429, {
        headers: { 'anthropic-ratelimit-unified-status': 'rejected', 'anthropic-ratelimit-unified-reset': reset },
      }),
    )
    await ask(session, [user('hello'), assistant('Done.'), user('next', true)])
    await waitFor('the limit', () => told(session).some(({ type }) => type === 'limit-reached'))

    // Whether it is answered or refused once more.
    await ask(session, [
      user('hello'),
      assistant('Done.'),
      user('next'),
      user('Your claude.ai usage is available again before the usage-limit reset. Continue the task …', true),
    ])
    await waitFor('it is seen', () =>
      told(session).some((body) => body.type === 'resume-cancelled' && body.why === 'went-on'),
    )
  })
})
