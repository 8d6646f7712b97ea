import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { geminiPathFor, geminiStreamForm, readGeminiPath } from './path.ts'
import { runs } from '../../../../shared/testing/runs.ts'

describe('a path of the Gemini API', () => {
  it.each([
    [
      '/v1beta/models/gemini-3:generateContent',
      { version: 'v1beta', model: 'gemini-3', method: 'generateContent', query: '' },
    ],
    [
      '/v1/models/a/b.c:free:streamGenerateContent?alt=sse',
      { version: 'v1', model: 'a/b.c:free', method: 'streamGenerateContent', query: '?alt=sse' },
    ],
    ['/v1beta/models/a%2Fb%20c:countTokens', { version: 'v1beta', model: 'a/b c', method: 'countTokens', query: '' }],
    [
      '/v1beta/tunedModels/t-1:generateContent',
      { version: 'v1beta', model: 'tunedModels/t-1', method: 'generateContent', query: '' },
    ],
    [
      '/v1beta/models/glm/glm-5:generateContent',
      { version: 'v1beta', model: 'glm/glm-5', method: 'generateContent', query: '' },
    ],
    [
      '/v1beta/glm/glm-5:streamGenerateContent?alt=sse',
      { version: 'v1beta', model: 'glm/glm-5', method: 'streamGenerateContent', query: '?alt=sse' },
    ],
    [
      '/v1/v1beta/router/up/m.1:free:countTokens',
      { version: 'v1beta', model: 'router/up/m.1:free', method: 'countTokens', query: '' },
    ],
    ['/v1beta/glm-5:generateContent', null],
    ['/glm/glm-5:generateContent', null],
    ['/v1beta//glm:generateContent', null],
    ['/v1beta/models/:generateContent', null],
    ['/v1beta/models/m:embedContent', null],
    ['/v1beta/models/m', null],
    ['/v1beta/models/%zz:generateContent', null],
    ['', null],
  ])('%s', (path, expected) => {
    expect(readGeminiPath(path)).toEqual(expected)
  })

  it.each([
    ['/v1beta/models/a:generateContent', 'a', '/v1beta/models/a:generateContent'],
    ['/v1beta/models/a%2Db:generateContent', 'a-b', '/v1beta/models/a%2Db:generateContent'],
    [
      '/v1beta/models/a:streamGenerateContent?alt=sse&x=%20',
      'b.2/x:free',
      '/v1beta/models/b.2/x:free:streamGenerateContent?alt=sse&x=%20',
    ],
    ['/v1/models/a:countTokens', 'ü?#', '/v1/models/%C3%BC%3F%23:countTokens'],
    ['/v1beta/models/a:generateContent', 'tunedModels/t', '/v1beta/tunedModels/t:generateContent'],
    ['/v1beta/models/a:generateContent', 'models/b', '/v1beta/models/b:generateContent'],
  ])('%s for %s', (path, model, expected) => {
    expect(geminiPathFor(path, model)).toBe(expected)
  })

  it('is read again as the model it was written for', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, unit: 'grapheme' }).filter((model) => !/^(?:models|tunedModels)\//.test(model)),
        (model) => {
          expect(readGeminiPath(geminiPathFor('/v1beta/models/x:generateContent?a=1', model))).toMatchObject({
            model,
            query: '?a=1',
          })
        },
      ),
      runs(100),
    )
  })

  it.each([
    ['?alt=sse', 'sse'],
    ['?a=1&alt=sse', 'sse'],
    ['', 'json-array'],
    ['?alt=json', 'json-array'],
    ['?altx=sse', 'json-array'],
  ] as const)('streams with %s as %s', (query, form) => {
    expect(geminiStreamForm({ version: 'v1beta', model: 'm', method: 'streamGenerateContent', query })).toBe(form)
    expect(geminiStreamForm({ version: 'v1beta', model: 'm', method: 'generateContent', query })).toBeNull()
  })
})
