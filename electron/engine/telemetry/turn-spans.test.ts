import { describe, expect, it } from 'vitest'
import type { TurnRecord } from '../../../shared/state.ts'
import { targetOf } from './targets.ts'
import { turnSpans } from './turn-spans.ts'

const at = Date.UTC(2026, 10, 21, 14)
const record: TurnRecord = {
  requestId: 'req_1',
  at,
  sessionId: 's1',
  scope: 'tmux:private-name',
  client: 'codex',
  entry: 'responses',
  kind: 'turn',
  model: 'sonnet',
  route: {
    provider: 'anth',
    model: 'claude-x',
    keyAlias: 'main',
    category: 'default',
    why: [{ code: 'alias', name: 'sonnet', target: 'anth.claude-x' }],
    skipped: [],
  },
  status: 200,
  finish: 'tool-calls',
  usage: { input: 100, cachedInput: 60, cacheWrite: 10, output: 20, reasoning: 5 },
  costUsd: 0.25,
  ttfbMs: 500,
  durationMs: 2_000,
  streamed: true,
  responseId: 'msg_1',
  bytesIn: 1,
  bytesOut: 1,
  error: null,
  turn: 3,
  by: 'onward',
}
const targets = (id: string) =>
  id === 'anth'
    ? targetOf('anthropic', 'https://api.anthropic.com')
    : id === 'local'
      ? targetOf('openai-chat', 'http://10.0.0.5:8000/v1')
      : null
const set = (attributes: object) =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null && value !== undefined))

describe('the span of a turn', () => {
  it('has model, tokens, cost, finish and route', () => {
    const { turn, attempts } = turnSpans(record, targets, false)
    expect({ ...turn, attributes: set(turn.attributes) }).toEqual({
      name: 'chat claude-x',
      start: at - 2_000,
      end: at,
      error: null,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'anthropic',
        'gen_ai.request.model': 'claude-x',
        'gen_ai.conversation.id': 's1',
        'server.address': 'api.anthropic.com',
        'server.port': 443,
        'gen_ai.request.stream': true,
        'gen_ai.response.id': 'msg_1',
        'gen_ai.response.time_to_first_chunk': 0.5,
        'gen_ai.response.finish_reasons': ['tool_call'],
        'gen_ai.usage.input_tokens': 100,
        'gen_ai.usage.output_tokens': 20,
        'gen_ai.usage.cache_read.input_tokens': 60,
        'gen_ai.usage.cache_creation.input_tokens': 10,
        'gen_ai.usage.reasoning.output_tokens': 5,
        'http.response.status_code': 200,
        'onward.request.id': 'req_1',
        'onward.client': 'codex',
        'onward.entry': 'responses',
        'onward.request.kind': 'turn',
        'onward.asked.model': 'sonnet',
        'onward.turn': 3,
        'onward.by': 'onward',
        'onward.finish': 'tool-calls',
        'onward.cost.usd': 0.25,
        'onward.provider': 'anth',
        'onward.route.key': 'main',
        'onward.route.category': 'default',
        'onward.route.why': ['alias'],
        'onward.attempts': 1,
      },
    })
    expect(attempts).toEqual([])
  })

  it('leaves out what it does not know, and names of people’s', () => {
    const more = { ...record, somethingNew: 'private', capturedIn: '/home/private' }
    expect(turnSpans(more, targets, true)).toEqual(turnSpans(record, targets, true))
    expect(JSON.stringify(turnSpans(more, targets, true))).not.toContain('private')
  })

  it('stands over one of each attempt before it', () => {
    const tried = [
      { at: at - 1_900, provider: 'local', model: 'm', keyAlias: null, status: 529, code: '529', durationMs: 300 },
    ]
    const { turn, attempts } = turnSpans({ ...record, tried }, targets, false)
    expect(turn.attributes['onward.attempts']).toBe(2)
    expect(attempts).toMatchObject([
      {
        name: 'chat m',
        start: at - 1_900,
        end: at - 1_600,
        error: { type: '529', message: null },
        attributes: {
          'gen_ai.provider.name': 'openai',
          'server.address': '10.0.0.5',
          'server.port': 8000,
          'error.type': '529',
          'http.response.status_code': 529,
          'onward.provider': 'local',
        },
      },
    ])
  })

  it('is named by the one that was asked last where none answered', () => {
    const tried = [
      { at, provider: 'local', model: 'm', keyAlias: null, status: null, code: 'upstream-timeout', durationMs: 1 },
    ]
    const error = { code: 'upstream-timeout', message: 'private' }
    const { turn } = turnSpans({ ...record, route: null, status: 504, finish: 'error', error, tried }, targets, false)
    expect(turn).toMatchObject({
      name: 'chat m',
      error: { type: 'upstream-timeout', message: null },
      attributes: { 'gen_ai.provider.name': 'openai', 'error.type': 'upstream-timeout', 'onward.attempts': 1 },
    })
    expect(turn.attributes['gen_ai.response.finish_reasons']).toBeNull()
  })

  it('is Onward’s own where nobody was asked', () => {
    const error = { code: 'no-provider', message: 'No provider is configured.' }
    const { turn } = turnSpans({ ...record, model: null, route: null, status: 503, error }, targets, false)
    expect(turn).toMatchObject({ name: 'chat', attributes: { 'gen_ai.provider.name': 'onward', 'onward.attempts': 0 } })
    expect(set(turn.attributes)).not.toHaveProperty('server.address')
  })

  it.each([
    ['a code of ours', { error: { code: 'answer-too-large', message: '' } }, 'answer-too-large'],
    ['a text of a provider', { error: { code: 'You said: hello', message: '' } }, '_OTHER'],
    ['a status', { status: 429 }, '429'],
    ['an answer that broke off', { finish: 'broken-off' as const }, 'broken_off'],
  ])('has the type of its error: %s', (_, given, type) => {
    const { turn } = turnSpans({ ...record, ...given }, targets, false)
    expect(turn.error?.type).toBe(type)
    expect(turn.attributes['error.type']).toBe(type)
  })

  it('has the error’s words only with texts', () => {
    const failed = { ...record, status: 400, error: { code: 'bad', message: 'You said: hello' } }
    expect(turnSpans(failed, targets, false).turn.error).toEqual({ type: 'bad', message: null })
    expect(turnSpans(failed, targets, true).turn.error).toEqual({ type: 'bad', message: 'You said: hello' })
  })

  it('counts no tokens where they were only counted', () => {
    const { turn } = turnSpans({ ...record, kind: 'count' }, targets, false)
    expect(turn.name).toBe('count_tokens claude-x')
    expect(set(turn.attributes)).not.toHaveProperty('gen_ai.usage.input_tokens')
  })
})

describe('a provider by the conventions', () => {
  it.each([
    ['openai-responses', 'https://api.openai.com/v1', 'openai', 'chat'],
    ['openai-chat', 'https://api.deepseek.com', 'deepseek', 'chat'],
    ['openai-chat', 'https://my.openai.azure.com/openai', 'azure.ai.openai', 'chat'],
    ['openai-chat', 'https://openrouter.ai/api/v1', 'openai', 'chat'],
    ['anthropic', 'https://api.z.ai/api/anthropic', 'anthropic', 'chat'],
    ['gemini', 'https://generativelanguage.googleapis.com', 'gcp.gemini', 'generate_content'],
    ['gemini', 'https://gemini.example.org', 'gcp.gen_ai', 'generate_content'],
    ['simulator', null, 'onward.simulator', 'chat'],
  ] as const)('is of type %s at %s: %s', (type, url, name, operation) => {
    expect(targetOf(type, url)).toMatchObject({ name, operation })
  })
})
