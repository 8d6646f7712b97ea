import { describe, expect, it } from 'vitest'
import { configSchema } from '../../../shared/config/schema.ts'
import { prepareUpstream, type PrepareInput, upstreamUrl } from './prepare.ts'
import { usualTimeouts } from './time-limits.ts'

const { providers } = configSchema.parse({
  providers: {
    p: { type: 'anthropic', baseUrl: 'https://models.test', quirks: { timeouts: { idleMs: 5 }, authHeader: 'bearer' } },
  },
})
const prepared = (change: Partial<PrepareInput> = {}) => {
  const provider = providers['p']
  if (!provider) throw new Error('no provider')
  return prepareUpstream({
    entry: 'messages',
    providerId: 'p',
    provider,
    type: provider.type,
    key: { value: 'sk' },
    method: 'POST',
    path: '/v1/messages?beta=true',
    clientHeaders: { 'x-api-key': 'local', 'user-agent': 'agent' },
    isLocalKey: () => true,
    body: Buffer.from('{}'),
    ...change,
  })
}

describe('a request prepared for a provider', () => {
  it('has its address, its credential, the client’s bytes and the time-outs in force', () => {
    const body = Buffer.from('{ "odd" :1}')
    expect(prepared({ body })).toEqual({
      url: 'https://models.test/v1/messages?beta=true',
      method: 'POST',
      body,
      headers: {
        'user-agent': 'agent',
        'content-type': 'application/json',
        'accept-encoding': 'identity',
        'anthropic-version': '2023-06-01',
        authorization: 'Bearer sk',
      },
      timeouts: { ...usualTimeouts, idleMs: 5 },
    })
  })

  it('a GET has no body', () => {
    expect(prepared({ method: 'GET', path: '/v1/models' })).toMatchObject({
      body: null,
      url: 'https://models.test/v1/models',
    })
    expect(prepared({ method: 'GET' }).headers['content-type']).toBeUndefined()
  })
})

describe('the upstream address of a client’s path', () => {
  it.each([
    ['openai-chat', 'https://api.openai.com/v1', '/v1/chat/completions', 'https://api.openai.com/v1/chat/completions'],
    [
      'openai-chat',
      'https://api.openai.com/v1/',
      '/v1/chat/completions?a=1',
      'https://api.openai.com/v1/chat/completions?a=1',
    ],
    ['openai-chat', 'http://127.0.0.1:9001', '/v1/chat/completions', 'http://127.0.0.1:9001/v1/chat/completions'],
    [
      'openai-chat',
      'https://api.z.ai/api/paas/v4',
      '/v1/chat/completions',
      'https://api.z.ai/api/paas/v4/chat/completions',
    ],
    ['openai-chat', 'https://x.test/compatible-mode/v1', '/v1/models', 'https://x.test/compatible-mode/v1/models'],
    [
      'openai-responses',
      'https://x.test/openai?api-version=2',
      '/v1/responses?b=1',
      'https://x.test/openai/responses?api-version=2&b=1',
    ],
    [
      'openai-responses',
      'https://x.test/v1',
      '/v1/responses/resp_1/cancel',
      'https://x.test/v1/responses/resp_1/cancel',
    ],
    [
      'anthropic',
      'https://api.anthropic.com',
      '/v1/messages?beta=true',
      'https://api.anthropic.com/v1/messages?beta=true',
    ],
    [
      'anthropic',
      'https://api.anthropic.com/v1',
      '/v1/messages/count_tokens',
      'https://api.anthropic.com/v1/messages/count_tokens',
    ],
    ['anthropic', 'https://api.z.ai/api/anthropic', '/v1/messages', 'https://api.z.ai/api/anthropic/v1/messages'],
    ['anthropic', 'https://api.z.ai/api/anthropic/v1/', '/v1/messages', 'https://api.z.ai/api/anthropic/v1/messages'],
    [
      'gemini',
      'https://generativelanguage.googleapis.com',
      '/v1beta/models/g:streamGenerateContent?alt=sse',
      'https://generativelanguage.googleapis.com/v1beta/models/g:streamGenerateContent?alt=sse',
    ],
    [
      'gemini',
      'https://x.test/v1beta/',
      '/v1beta/models/a%2Fb:generateContent',
      'https://x.test/v1beta/models/a%2Fb:generateContent',
    ],
    ['gemini', 'https://x.test/v1', '/v1beta/models/g:countTokens', 'https://x.test/v1/models/g:countTokens'],
    ['gemini', 'https://x.test/gemini', '/v1/models/g:countTokens', 'https://x.test/gemini/v1/models/g:countTokens'],
  ] as const)('%s %s %s', (type, baseUrl, path, expected) => {
    expect(upstreamUrl('p', { type, baseUrl }, path)).toBe(expected)
  })

  it('a provider named like a preset needs no address; another gets none', () => {
    expect(upstreamUrl('anthropic', { type: 'anthropic' }, '/v1/messages')).toBe(
      'https://api.anthropic.com/v1/messages',
    )
    expect(() => upstreamUrl('glm', { type: 'openai-chat' }, '/v1/models')).toThrow(/glm has no baseUrl/)
    expect(() => upstreamUrl('anthropic', { type: 'openai-chat' }, '/v1/models')).toThrow(/has no baseUrl/)
  })

  it('the simulator’s address carries provider and scenario', () => {
    expect(upstreamUrl('demo', { type: 'simulator' }, '/v1/messages?beta=true')).toBe(
      'simulator://demo/v1/messages?beta=true',
    )
    expect(upstreamUrl('demo', { type: 'simulator', scenario: 'a/b.json' }, '/v1/messages')).toBe(
      'simulator://demo/~a%2Fb.json/v1/messages',
    )
  })

  it.each(['/v1/responses/../../admin', '/v1/%2e%2E/x', '/v1/./x'])('a path that climbs is refused: %s', (path) => {
    expect(() => upstreamUrl('p', { type: 'openai-chat', baseUrl: 'http://x.test/v1' }, path)).toThrow(
      /must not contain/,
    )
  })
})
