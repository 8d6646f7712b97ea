import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addressOf, takeKey } from './paths.ts'
import { runs } from '../../../shared/testing/runs.ts'

const generate = (entry: string, path: string) => ({ kind: 'entry', entry, endpoint: 'generate', path })

describe('the path of a request', () => {
  it.each([
    ['/v1/chat/completions', generate('chat', '/v1/chat/completions')],
    ['/chat/completions', generate('chat', '/v1/chat/completions')],
    ['/v1/v1/chat/completions', generate('chat', '/v1/chat/completions')],
    ['/v1/responses', generate('responses', '/v1/responses')],
    ['/responses', generate('responses', '/v1/responses')],
    ['/v1/responses/', generate('responses', '/v1/responses')],
    ['//v1/messages', generate('messages', '/v1/messages')],
    ['/v1/v1/messages', generate('messages', '/v1/messages')],
    [
      '/v1/messages/count_tokens',
      { kind: 'entry', entry: 'messages', endpoint: 'count', path: '/v1/messages/count_tokens' },
    ],
    [
      '/v1/v1/messages/count_tokens',
      { kind: 'entry', entry: 'messages', endpoint: 'count', path: '/v1/messages/count_tokens' },
    ],
    [
      '/v1/responses/compact',
      { kind: 'entry', entry: 'responses', endpoint: 'compact', path: '/v1/responses/compact' },
    ],
    [
      '/v1/responses/input_tokens',
      { kind: 'entry', entry: 'responses', endpoint: 'count', path: '/v1/responses/input_tokens' },
    ],
    ['/responses/compact', { kind: 'entry', entry: 'responses', endpoint: 'compact', path: '/v1/responses/compact' }],
    [
      '/v1/responses/resp_1/compact',
      { kind: 'entry', entry: 'responses', endpoint: 'compact', path: '/v1/responses/resp_1/compact' },
    ],
    ['/v1/responses/resp_1', { kind: 'stored-response' }],
    ['/v1/responses/resp_1/cancel', { kind: 'stored-response' }],
    ['/v1/models', { kind: 'models', id: null }],
    ['/models', { kind: 'models', id: null }],
    ['/v1/models/glm.glm-5', { kind: 'models', id: 'glm.glm-5' }],
    ['/v1/models/anth%2Fclaude', { kind: 'models', id: 'anth/claude' }],
    ['/v1/models/a/b:c', { kind: 'models', id: 'a/b:c' }],
    ['/v1/models/%zz', { kind: 'unknown' }],
    [
      '/v1beta/models/gemini-3:streamGenerateContent?alt=sse',
      generate('gemini', '/v1beta/models/gemini-3:streamGenerateContent'),
    ],
    ['/v1beta/models/gemini-3:generateContent', generate('gemini', '/v1beta/models/gemini-3:generateContent')],
    ['/v1/models/gemini-3:generateContent', generate('gemini', '/v1/models/gemini-3:generateContent')],
    ['/v1alpha/models/gemini-3:generateContent', generate('gemini', '/v1alpha/models/gemini-3:generateContent')],
    ['/v1beta/tunedModels/mine:generateContent', generate('gemini', '/v1beta/tunedModels/mine:generateContent')],
    ['/v1/v1beta/models/gemini-3:generateContent', generate('gemini', '/v1beta/models/gemini-3:generateContent')],
    ['/v1beta/v1beta/models/gemini-3:generateContent', generate('gemini', '/v1beta/models/gemini-3:generateContent')],
    ['/models/gemini-3:generateContent', generate('gemini', '/v1beta/models/gemini-3:generateContent')],
    [
      '/v1beta/models/up%2Fm%3Afree:generateContent',
      generate('gemini', '/v1beta/models/up%2Fm%3Afree:generateContent'),
    ],
    ['/v1beta/models/up/m.1:free:generateContent', generate('gemini', '/v1beta/models/up/m.1:free:generateContent')],
    [
      '/v1beta/models/gemini-3:countTokens',
      { kind: 'entry', entry: 'gemini', endpoint: 'count', path: '/v1beta/models/gemini-3:countTokens' },
    ],
    ['/v1beta/glm/glm-5:generateContent', generate('gemini', '/v1beta/models/glm/glm-5:generateContent')],
    ['/v1beta/models/%zz:generateContent', { kind: 'unknown' }],
    ['/v1beta/models/gemini-3:embedContent', { kind: 'gemini-operation' }],
    ['/v1beta/files', { kind: 'gemini-operation' }],
    ['/v1beta/models', { kind: 'models', id: null }],
    ['/v1/v1beta/models', { kind: 'models', id: null }],
    ['/v1beta/models/gemini-3', { kind: 'models', id: 'gemini-3' }],
    ['/v1beta/models/up%2Fm', { kind: 'models', id: 'up/m' }],
    ['/', { kind: 'page', page: 'root' }],
    ['/health', { kind: 'page', page: 'health' }],
    ['/ready', { kind: 'page', page: 'ready' }],
    ['/api/hello', { kind: 'page', page: 'hello' }],
    ['/onward/turns/req_1', { kind: 'turn', requestId: 'req_1' }],
    ['/onward/turns/req%201/', { kind: 'turn', requestId: 'req 1' }],
    ['/onward/turns/%zz', { kind: 'unknown' }],
    ['/onward/turns/', { kind: 'unknown' }],
    ['/onward/turns/a/b', { kind: 'unknown' }],
    ['/v1/embeddings', { kind: 'unknown' }],
    ['/v1/v1/v1/messages', { kind: 'unknown' }],
    ['http://127.0.0.1/v1/messages', { kind: 'unknown' }],
    ['*', { kind: 'unknown' }],
  ])('%s', (url, endpoint) => {
    expect(addressOf(url).endpoint).toEqual(endpoint)
  })

  it('keeps the query apart', () => {
    expect(addressOf('/v1/messages?beta=true')).toMatchObject({
      endpoint: { path: '/v1/messages' },
      query: '?beta=true',
      path: '/v1/messages',
    })
  })

  it.each([
    ['?key=secret', 'secret', ''],
    ['?alt=sse&key=a%2Bb%3A%3Arcc-session%3Aw', 'a+b::rcc-session:w', '?alt=sse'],
    ['?key=one&alt=sse&%6Bey=two&x=%zz', 'one', '?alt=sse&x=%zz'],
    ['?key=%zz', '%zz', ''],
    ['?monkey=1&keys=2', null, '?monkey=1&keys=2'],
    ['?', null, '?'],
    ['', null, ''],
  ])('takes the key out of the query %s', (asked, queryKey, query) => {
    expect(addressOf(`/v1beta/models/m:generateContent${asked}`)).toMatchObject({
      queryKey,
      query,
      path: '/v1beta/models/m:generateContent',
    })
  })

  it.each([
    ['/t/abc/v1/messages?beta=true', 'abc', '/v1/messages'],
    ['/t/abc/messages', 'abc', '/messages'],
    ['/t/abc/api/hello', 'abc', '/api/hello'],
    ['/t/abc%3A%3Arcc-session%3A%241/v1/messages', 'abc::rcc-session:$1', '/v1/messages'],
    ['/t/abc', 'abc', '/'],
    ['/t/%zz/v1/messages', null, '/v1/messages'],
  ])('takes the key off %s', (url, urlKey, path) => {
    expect(addressOf(url)).toMatchObject({ urlKey, path })
  })

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string(), (tail) => {
        expect(addressOf(`/${tail}`).endpoint.kind).toBeTypeOf('string')
        expect(addressOf(`/t/${tail}`).endpoint.kind).toBeTypeOf('string')
      }),
      runs(100),
    )
  })
})

describe('the key of a query', () => {
  it('is taken out, whatever else stands there', () => {
    const part = fc.constantFrom('alt=sse', 'key', 'key=', 'key=a', 'k=1', '%6bey=b', 'x=%zz', '=', '', 'keyed=1')
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const query = parts.length === 0 ? '' : `?${parts.join('&')}`
        const taken = takeKey(query)
        expect(takeKey(taken.query).key).toBeNull()
        if (taken.key === null) expect(taken.query).toBe(query)
      }),
      runs(100),
    )
  })
})
