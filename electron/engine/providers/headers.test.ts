import { describe, expect, it } from 'vitest'
import { upstreamHeaders, type RequestHeaderInput, downstreamHeaders } from './headers.ts'

const local = 'onward-local-key'
function headers(
  change: Partial<RequestHeaderInput> & { clientHeaders?: Record<string, string> } = {},
  hasBody = true,
): Record<string, string> {
  const usual: RequestHeaderInput = {
    entry: 'messages',
    type: 'anthropic',
    provider: { auth: 'key', headers: {}, quirks: {} },
    key: { value: 'sk-provider' },
    clientHeaders: {},
    isLocalKey: (value) => value === local,
  }
  return upstreamHeaders({ ...usual, ...change }, hasBody)
}
const names = (clientHeaders: Record<string, string>, change: Partial<RequestHeaderInput> = {}) =>
  Object.keys(headers({ clientHeaders, ...change }))

describe('a client’s headers', () => {
  it.each([
    ['anthropic-beta', 'claude-code-20250219,x'],
    ['anthropic-version', '2024-01-01'],
    ['user-agent', 'claude-cli/2.1.330 (external, cli)'],
    ['x-stainless-retry-count', '0'],
    ['x-app', 'cli'],
    ['accept', 'text/event-stream'],
    ['x-claude-code-session-id', 'a'],
    ['session-id', 'a'],
    ['session_id', 'a'],
    ['thread-id', 'a'],
    ['conversation_id', 'a'],
    ['x-session-affinity', 'ses_1'],
    ['idempotency-key', 'k'],
    ['http-referer', 'https://app.test'],
    ['x-title', 'App'],
    ['x-something-new', '1'],
    ['content-type', 'application/json; charset=utf-8'],
    ['accept-language', 'de'],
  ])('%s passes', (name, value) => {
    expect(headers({ clientHeaders: { [name]: value } })[name]).toBe(value)
  })

  it.each([
    ['x-codex-window-id', 'a:0'],
    ['x-codex-turn-metadata', '{"request_kind":"turn"}'],
    ['originator', 'codex_exec'],
  ])('%s of Codex passes to its protocol', (name, value) => {
    expect(headers({ entry: 'responses', type: 'openai-responses', clientHeaders: { [name]: value } })[name]).toBe(
      value,
    )
  })

  it.each([
    'host',
    'content-length',
    'connection',
    'keep-alive',
    'te',
    'trailer',
    'transfer-encoding',
    'upgrade',
    'expect',
    'proxy-authorization',
    'proxy-connection',
    'cookie',
    'origin',
    'referer',
    'forwarded',
    'via',
    'x-forwarded-for',
    'x-real-ip',
    'sec-fetch-mode',
    'access-control-request-method',
    'x-onward-key',
    'x-onward-anything',
    'x-tmux-session-id',
    'x-routecodex-tmux-session-id',
    'x-routecodex-session-id',
    'x-rcc-client-tmux-session-id',
    'x-rcc-session-id',
    'authorization',
    'api-key',
    'x-goog-api-key',
    'x-auth-token',
    'x-my-secret',
    'x-access-token',
    'cf-access-client-secret',
    'openai-organization',
    'openai-project',
    'chatgpt-account-id',
  ])('%s never passes', (name) => {
    expect(names({ [name]: 'something' })).not.toContain(name)
  })

  it('what a Connection header names is of that connection', () => {
    expect(names({ connection: 'close, X-Hop', 'x-hop': '1', 'x-stay': '1' })).toEqual(
      expect.not.arrayContaining(['x-hop']),
    )
    expect(names({ connection: 'close, X-Hop', 'x-hop': '1', 'x-stay': '1' })).toContain('x-stay')
  })

  it.each([
    ['plain', '{"tmuxSessionId":"main"}'],
    ['URL-encoded', encodeURIComponent('{"tmux_session_id":"main"}')],
    ['base64', Buffer.from('{"tmuxSessionId":"main"}').toString('base64')],
  ])('Codex metadata that names a terminal stays here (%s)', (_form, value) => {
    expect(names({ 'x-codex-turn-metadata': value })).not.toContain('x-codex-turn-metadata')
  })

  it.each([
    ['anthropic-beta', 'messages', 'anthropic', true],
    ['anthropic-beta', 'messages', 'simulator', true],
    ['anthropic-beta', 'messages', 'openai-chat', false],
    ['anthropic-beta', 'chat', 'anthropic', false],
    ['openai-beta', 'responses', 'openai-responses', true],
    ['openai-beta', 'chat', 'openai-chat', true],
    ['openai-beta', 'chat', 'anthropic', false],
    ['openai-beta', 'messages', 'anthropic', false],
    ['x-codex-turn-metadata', 'responses', 'openai-responses', true],
    ['x-codex-turn-metadata', 'responses', 'openai-chat', false],
    ['originator', 'responses', 'anthropic', false],
    ['x-claude-code-session-id', 'messages', 'openai-chat', false],
    ['x-goog-api-client', 'chat', 'openai-chat', false],
    ['x-goog-api-client', 'gemini', 'gemini', true],
    ['x-goog-api-client', 'gemini', 'anthropic', false],
    ['anthropic-beta', 'gemini', 'anthropic', false],
  ] as const)('a vendor’s headers stay within its family: %s from %s to %s passes: %s', (name, entry, type, passes) => {
    expect(names({ [name]: 'x' }, { entry, type }).includes(name)).toBe(passes)
  })

  it('a provider’s quirk keeps further ones back', () => {
    const provider = { auth: 'key' as const, headers: {}, quirks: { dropHeaders: ['X-Stainless-*', 'user-agent'] } }
    expect(names({ 'x-stainless-os': 'a', 'user-agent': 'b', 'x-app': 'c' }, { provider })).toEqual(
      expect.arrayContaining(['x-app']),
    )
    expect(
      names({ 'x-stainless-os': 'a', 'user-agent': 'b' }, { provider }).filter(
        (n) => n.startsWith('x-stainless') || n === 'user-agent',
      ),
    ).toEqual([])
  })
})

describe('what is set for the upstream', () => {
  it.each([
    ['anthropic', undefined, { 'x-api-key': 'sk-provider', 'anthropic-version': '2023-06-01' }],
    ['anthropic', 'bearer', { authorization: 'Bearer sk-provider' }],
    ['openai-chat', undefined, { authorization: 'Bearer sk-provider' }],
    ['openai-responses', undefined, { authorization: 'Bearer sk-provider' }],
    ['openai-chat', 'api-key', { 'api-key': 'sk-provider' }],
    ['gemini', undefined, { 'x-goog-api-key': 'sk-provider' }],
  ] as const)('the key of %s (%s)', (type, authHeader, expected) => {
    const out = headers({ type, provider: { auth: 'key', headers: {}, quirks: { authHeader } } })
    expect(out).toMatchObject(expected)
    expect(Object.values(out).filter((value) => value.includes('sk-provider')).length).toBe(1)
  })

  it('no compression, a content type where there is a body', () => {
    expect(headers({ clientHeaders: { 'accept-encoding': 'gzip, br' } })['accept-encoding']).toBe('identity')
    expect(headers()['content-type']).toBe('application/json')
    expect(headers({}, false)['content-type']).toBeUndefined()
  })

  it('the provider’s own headers come last and can not break the framing', () => {
    const provider = {
      auth: 'key' as const,
      headers: { 'X-API-Key': 'other', 'Content-Length': '0', Host: 'evil.test', 'X-Org': 'o' },
      quirks: {},
    }
    expect(headers({ provider })).toMatchObject({ 'x-api-key': 'other', 'x-org': 'o' })
    expect(Object.keys(headers({ provider }))).not.toEqual(expect.arrayContaining(['host']))
    expect(headers({ provider })['content-length']).toBeUndefined()
  })

  it('`auth: "none"` sends no credential', () => {
    const out = headers({
      provider: { auth: 'none', headers: {}, quirks: {} },
      clientHeaders: { authorization: 'Bearer x', 'x-api-key': 'y' },
    })
    expect([out['authorization'], out['x-api-key']]).toEqual([undefined, undefined])
  })
})

describe('`auth: "client"`: the caller’s own credential', () => {
  const provider = { auth: 'client' as const, headers: {}, quirks: {} }
  it('goes through, with what belongs to it, and replaces the provider’s key', () => {
    const out = headers({
      provider,
      clientHeaders: { authorization: 'Bearer sk-ant-oat', 'chatgpt-account-id': 'acc' },
    })
    expect(out).toMatchObject({ authorization: 'Bearer sk-ant-oat', 'chatgpt-account-id': 'acc' })
    expect(out['x-api-key']).toBeUndefined()
  })
  it('of Google’s is its header, and goes to Google only', () => {
    const clientHeaders = { 'x-goog-api-key': 'AIza-own::rcc-session:main' }
    expect(headers({ entry: 'gemini', type: 'gemini', provider, clientHeaders })['x-goog-api-key']).toBe('AIza-own')
    expect(
      headers({ entry: 'gemini', type: 'gemini', provider, clientHeaders: { 'x-goog-api-key': local } })[
        'x-goog-api-key'
      ],
    ).toBeUndefined()
    expect(headers({ entry: 'gemini', type: 'anthropic', provider, clientHeaders })['x-goog-api-key']).toBeUndefined()
    expect(
      headers({ entry: 'gemini', type: 'gemini', provider: { ...provider, auth: 'key' }, clientHeaders })[
        'x-goog-api-key'
      ],
    ).toBe('sk-provider')
  })
  it('loses the tag that names a terminal', () => {
    expect(
      headers({ provider, clientHeaders: { authorization: 'Bearer sk-own::rcc-session:main::rcc-sessiond:d' } })[
        'authorization'
      ],
    ).toBe('Bearer sk-own')
    expect(headers({ provider, clientHeaders: { 'x-api-key': 'sk-own::rcc-session:main' } })['x-api-key']).toBe(
      'sk-own',
    )
  })
  it.each<Record<string, string>>([
    { authorization: `Bearer ${local}` },
    { authorization: `bearer  ${local}` },
    { 'x-api-key': local },
    { authorization: local },
    { authorization: `Bearer ${local}::rcc-session:main` },
    { authorization: '' },
  ])('Onward’s own key is nobody’s credential: %j', (clientHeaders) => {
    const out = headers({ provider, clientHeaders: { ...clientHeaders, 'openai-organization': 'org' } })
    expect([out['authorization'], out['x-api-key'], out['openai-organization']]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
  it('one header with Onward’s key does not stop the other with the caller’s own', () => {
    const out = headers({ provider, clientHeaders: { authorization: `Bearer ${local}`, 'x-api-key': 'sk-own' } })
    expect([out['authorization'], out['x-api-key']]).toEqual([undefined, 'sk-own'])
  })
})

describe('a provider’s response headers', () => {
  it.each([
    'request-id',
    'retry-after',
    'anthropic-ratelimit-requests-reset',
    'x-ratelimit-remaining-tokens',
    'content-type',
    'content-encoding',
    'x-codex-primary-used-percent',
    'openai-processing-ms',
    'date',
    'cache-control',
    'x-anything',
  ])('%s passes', (name) => {
    expect(downstreamHeaders({ [name]: 'v' })).toEqual({ [name]: 'v' })
  })
  it.each([
    'connection',
    'keep-alive',
    'transfer-encoding',
    'te',
    'trailer',
    'upgrade',
    'proxy-authenticate',
    'authorization',
    'www-authenticate',
    'authentication-info',
    'location',
    'content-location',
    'refresh',
    'link',
    'set-cookie',
    'strict-transport-security',
    'alt-svc',
    'clear-site-data',
    'access-control-allow-origin',
    'content-security-policy',
    'x-onward-request-id',
  ])('%s does not', (name) => {
    expect(downstreamHeaders({ [name]: 'v' })).toEqual({})
  })
  it('repeated ones stay repeated; what Connection names does not pass', () => {
    expect(downstreamHeaders({ 'x-a': ['1', '2'], connection: 'X-Hop', 'x-hop': '1' })).toEqual({ 'x-a': ['1', '2'] })
  })
  it('the length passes only where the body goes by whole', () => {
    expect(downstreamHeaders({ 'content-length': '3' })).toEqual({})
    expect(downstreamHeaders({ 'content-length': '3' }, true)).toEqual({ 'content-length': '3' })
  })
})
