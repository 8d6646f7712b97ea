/**
 * What agents ask beside their turns, as they ask it (Claude Code 2.1.330, Codex 0.169, opencode 1.18), makes no line
 * in the list of sessions.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waitFor } from '../shared/testing/wait-for.ts'
import { bodyOf, chatEntry, messagesEntry, providersFor, responsesEntry, type BodyEntry } from './support/entries.ts'
import { removeHomes } from './support/engine-process.ts'
import { startEngineForTest, type EngineForTest } from './support/engine.ts'
import { say, startMockUpstream, type MockUpstream } from './support/mock-upstream/index.ts'
import { post } from './support/post.ts'

let mock: MockUpstream
let engine: EngineForTest
beforeAll(async () => {
  mock = await startMockUpstream()
  mock.otherwise = say('All is well.')
  engine = await startEngineForTest(providersFor(mock, 'sk-upstream', [messagesEntry, responsesEntry, chatEntry]))
})
afterAll(async () => {
  await engine?.dispose()
  await mock?.dispose()
  removeHomes()
})

const sessions = () => engine.control.api.sessions.query()
const ids = async (): Promise<readonly string[]> => (await sessions()).map(({ id }) => id)

async function ask(door: BodyEntry, texts: readonly string[], headers: Record<string, string>, more: object = {}) {
  const answer = await post(engine, door.path, bodyOf(door, texts, { ...more }), { headers })
  expect(answer.status).toBe(200)
}
const claude = (session: string) => ({
  'user-agent': 'claude-cli/2.1.330 (external, cli)',
  'x-claude-code-session-id': session,
})
const codex = (thread: string, metadata: object) => ({
  'user-agent': 'codex-tui/0.169.0',
  originator: 'codex-tui',
  'session-id': thread,
  'thread-id': thread,
  'x-codex-turn-metadata': JSON.stringify({ session_id: thread, thread_id: thread, ...metadata }),
})
const opencode = (session: string) => ({
  'user-agent': 'opencode/1.18.33 ai-sdk/provider-utils/4.0.27 runtime/bun/1.3.14',
  'x-session-id': session,
  'x-session-affinity': session,
})
const titleSystem = [
  { type: 'text', text: 'x-anthropic-billing-header: cc_version=2.1.330.a1b; cc_entrypoint=cli;' },
  { type: 'text', text: 'You are Claude Code' },
  { type: 'text', text: 'You are naming a coding session from its first message' },
]

describe('what agents ask beside their turns', () => {
  it.each<[string, string, () => Promise<void>]>([
    [
      'a title of Claude Code, which may come before the first turn',
      'c0000000-1111-4222-8333-944455556666',
      () =>
        ask(messagesEntry, ['<session>\nhello\n</session>'], claude('c0000000-1111-4222-8333-944455556666'), {
          system: titleSystem,
        }),
    ],
    [
      'a warm-up of Claude Code',
      'c0000001-1111-4222-8333-944455556666',
      () => ask(messagesEntry, ['Warmup'], claude('c0000001-1111-4222-8333-944455556666')),
    ],
    [
      'a title of Codex, in a thread of its own',
      '01a20496-514a-70d3-b8b1-ac2808c2824c',
      () =>
        ask(
          responsesEntry,
          ['hello'],
          codex('01a20496-514a-70d3-b8b1-ac2808c2824c', { request_kind: 'turn', thread_source: 'thread_title' }),
        ),
    ],
    [
      'a memory of Codex, in a thread of its own',
      '01a20497-514a-70d3-b8b1-ac2808c2824c',
      () =>
        ask(
          responsesEntry,
          ['hello'],
          codex('01a20497-514a-70d3-b8b1-ac2808c2824c', {
            request_kind: 'memory',
            thread_source: 'memory_consolidation',
          }),
        ),
    ],
    [
      'a sub-agent of Codex',
      '01a20498-514a-70d3-b8b1-ac2808c2824c',
      () =>
        ask(responsesEntry, ['hello'], {
          ...codex('01a20498-514a-70d3-b8b1-ac2808c2824c', { request_kind: 'turn', thread_source: 'subagent' }),
          'x-openai-subagent': 'collab_spawn',
        }),
    ],
    [
      'a sub-agent of opencode, which has a session of its own',
      'ses_child',
      () => ask(chatEntry, ['hello'], { ...opencode('ses_child'), 'x-parent-session-id': 'ses_parent' }),
    ],
    [
      'a title of opencode',
      'ses_title',
      () =>
        post(
          engine,
          chatEntry.path,
          JSON.stringify({
            model: 'm-1',
            messages: [
              { role: 'system', content: 'You are a title generator. You output ONLY a thread title.' },
              { role: 'user', content: 'hello' },
            ],
          }),
          { headers: opencode('ses_title') },
        ).then(({ status }) => expect(status).toBe(200)),
    ],
  ])('makes no session: %s', async (_what, id, send) => {
    const recorded = async () => (await engine.control.api.turns.query(100)).length
    const before = await recorded()
    await send()
    await waitFor('its record', async () => (await recorded()) > before)
    expect(await ids()).not.toContain(id)
  })

  it('and a session begins with its first turn, the title before it counted', async () => {
    const id = 'c0000000-1111-4222-8333-944455556666'
    await ask(messagesEntry, ['hello'], claude(id))
    const [session] = await waitFor('the session', async () => {
      const all = await sessions()
      return all.length > 0 && (all[0]?.usage.output ?? 0) > 0 ? all : undefined
    })
    expect(await ids()).toEqual([id])
    expect(session).toMatchObject({ id, turns: 1, client: 'claude' })
  })
})
