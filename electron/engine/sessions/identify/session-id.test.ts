import { describe, expect, it } from 'vitest'
import { ask, type AskInput } from '../testing/facts.ts'
import { responseMemory } from './identify.ts'
import { sessionHeaders, sessionIdOf } from './session-id.ts'

const uuid = '0198a7c2-1d3e-7000-8000-00000000abcd'
const other = '0198a7c2-1d3e-7000-8000-0000000000ff'
const hex = 'a'.repeat(64)
const none = () => null
const metadata = { session_id: uuid, thread_id: other, turn_id: 't', request_kind: 'turn', thread_source: 'user' }

describe('sessionIdOf, what each client sends', () => {
  it.each<[string, AskInput, string, string]>([
    [
      'Claude Code 2.1 header',
      { headers: { 'X-Claude-Code-Session-Id': uuid } },
      uuid,
      'header x-claude-code-session-id',
    ],
    [
      'Claude Code 2.1 body alone',
      { body: { metadata: { user_id: JSON.stringify({ device_id: hex, account_uuid: '', session_id: uuid }) } } },
      uuid,
      'body metadata.user_id',
    ],
    [
      'Claude Code 2.0',
      { body: { metadata: { user_id: `user_${hex}_account__session_${uuid}` } } },
      uuid,
      'body metadata.user_id',
    ],
    [
      'Claude Code 2.0 with an account',
      { body: { metadata: { user_id: `user_${hex}_account_${other}_session_${uuid}` } } },
      uuid,
      'body metadata.user_id',
    ],
    [
      'Codex 0.169',
      {
        entry: 'responses',
        headers: { 'session-id': uuid, 'thread-id': other, 'x-codex-turn-metadata': JSON.stringify(metadata) },
      },
      uuid,
      'header session-id',
    ],
    [
      'Codex 0.77',
      { entry: 'responses', headers: { session_id: uuid, conversation_id: other } },
      uuid,
      'header session_id',
    ],
    [
      'Codex body: cache key',
      { entry: 'responses', body: { prompt_cache_key: uuid, client_metadata: { session_id: other } } },
      uuid,
      'body prompt_cache_key',
    ],
    [
      'Kimi Code 2.1',
      { entry: 'chat', body: { prompt_cache_key: `session_${uuid}` } },
      `session_${uuid}`,
      'body prompt_cache_key',
    ],
    [
      'Codex body: client metadata',
      { entry: 'responses', body: { client_metadata: { session_id: uuid, thread_id: other } } },
      uuid,
      'body client_metadata.session_id',
    ],
    [
      'Codex body: turn metadata',
      { entry: 'responses', body: { client_metadata: { 'x-codex-turn-metadata': JSON.stringify(metadata) } } },
      uuid,
      'x-codex-turn-metadata session_id',
    ],
    [
      'turn metadata, plain',
      { entry: 'responses', headers: { 'x-codex-turn-metadata': JSON.stringify(metadata) } },
      uuid,
      'x-codex-turn-metadata session_id',
    ],
    [
      'turn metadata, URL-encoded',
      { entry: 'responses', headers: { 'x-codex-turn-metadata': encodeURIComponent(JSON.stringify(metadata)) } },
      uuid,
      'x-codex-turn-metadata session_id',
    ],
    [
      'turn metadata, base64',
      {
        entry: 'responses',
        headers: { 'x-codex-turn-metadata': Buffer.from(JSON.stringify(metadata)).toString('base64') },
      },
      uuid,
      'x-codex-turn-metadata session_id',
    ],
    [
      'turn metadata, base64url',
      {
        entry: 'responses',
        headers: {
          'x-codex-turn-metadata': Buffer.from(JSON.stringify({ ...metadata, x: '~~~???' })).toString('base64url'),
        },
      },
      uuid,
      'x-codex-turn-metadata session_id',
    ],
    [
      'opencode',
      { entry: 'chat', headers: { 'x-session-id': 'ses_1aB', 'x-session-affinity': 'ses_1aB' } },
      'ses_1aB',
      'header x-session-id',
    ],
    ['any body', { entry: 'chat', body: { metadata: { session_id: 'mine' } } }, 'mine', 'body metadata.session_id'],
  ])('%s', (_, input, id, source) => {
    expect(sessionIdOf(ask(input), none)).toEqual({ id, source })
  })

  it.each<[string, AskInput]>([
    ['an SDK that sends nothing', {}],
    ['an empty header (opencode, unset variable)', { headers: { 'x-session-id': '', session_id: '  ' } }],
    ['a user id that is a person', { body: { metadata: { user_id: 'user-42' } } }],
    ['a user id that only looks like JSON', { body: { metadata: { user_id: '{"session_id":' } } }],
    ['a user id of another type', { body: { metadata: { user_id: 42 } } }],
    ['a cache key outside of Responses', { entry: 'chat', body: { prompt_cache_key: 'bucket' } }],
    ['turn metadata that is no JSON', { entry: 'responses', headers: { 'x-codex-turn-metadata': '%7Bbad' } }],
    ['turn metadata that is a list', { entry: 'responses', headers: { 'x-codex-turn-metadata': '[1]' } }],
    ['an id with control characters', { headers: { session_id: 'a\u001b[2Jb' } }],
    ['an id too long to be one', { headers: { session_id: 'x'.repeat(513) } }],
    ['metadata that is a text', { body: { metadata: 'session_id' } }],
  ])('none: %s', (_, input) => {
    expect(sessionIdOf(ask(input), none)).toBeNull()
  })

  it('takes headers in their order, an empty one counting as absent', () => {
    for (const [i, header] of sessionHeaders.entries()) {
      const headers = Object.fromEntries(sessionHeaders.map((name, j) => [name, j < i ? '' : `id ${j}`]))
      expect(sessionIdOf(ask({ headers, body: { metadata: { session_id: 'body' } } }), none)).toEqual({
        id: `id ${i}`,
        source: `header ${header}`,
      })
    }
  })

  it('takes the body before the answer before it, and that one only for Responses', () => {
    const previous = responseMemory()
    previous.remember('resp_1', 'session one')
    const body = { previous_response_id: 'resp_1' }
    expect(sessionIdOf(ask({ entry: 'responses', body }), previous.sessionOf)).toEqual({
      id: 'session one',
      source: 'previous_response_id',
    })
    expect(
      sessionIdOf(ask({ entry: 'responses', body: { ...body, prompt_cache_key: 'key' } }), previous.sessionOf)?.id,
    ).toBe('key')
    expect(
      sessionIdOf(ask({ entry: 'responses', body: { previous_response_id: 'resp_2' } }), previous.sessionOf),
    ).toBeNull()
    expect(sessionIdOf(ask({ entry: 'chat', body }), previous.sessionOf)).toBeNull()
  })
})

describe('responseMemory', () => {
  it('forgets the oldest answer when it is full', () => {
    const memory = responseMemory(2)
    memory.remember('a', '1')
    memory.remember('b', '2')
    memory.remember('a', '1')
    memory.remember('c', '3')
    expect(['a', 'b', 'c'].map(memory.sessionOf)).toEqual(['1', null, '3'])
  })

  it('takes no name that Onward gives the conversations of terminals, which anybody could foretell', () => {
    for (const id of ['tmux:main#2', 'tmux:a b:%3@12#1', 'pty:12345678#1'])
      expect(sessionIdOf(ask({ headers: { 'x-session-id': id } }), none)).toBeNull()
    expect(sessionIdOf(ask({ headers: { 'x-session-id': 'tmux:main' } }), none)?.id).toBe('tmux:main')
  })
})
