import { describe, expect, it } from 'vitest'
import { splice } from '../../json-bytes/index.ts'
import { validateGeminiRequest } from '../../testing/validate-gemini.ts'
import type { RequestLens } from '../../types.ts'
import { geminiCodec } from '../codec.ts'
import { cannotDeclare, clientTools, declare } from './declare.ts'

const sse = '/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse'
const lensOf = (body: string, path = sse): RequestLens => geminiCodec.read(Buffer.from(body), path)
const clock = {
  name: 'clock',
  description: 'Knows the time — 世界',
  parameters: { type: 'object', properties: { at: { type: 'string' } }, additionalProperties: false },
  strict: true,
}
const fetch = { name: 'web_fetch', description: 'Fetches', parameters: { type: 'object' }, strict: false }
const ours = JSON.stringify({
  name: clock.name,
  description: clock.description,
  parametersJsonSchema: clock.parameters,
})
const both =
  `${ours},` +
  `${JSON.stringify({ name: 'web_fetch', description: 'Fetches', parametersJsonSchema: { type: 'object' } })}`
const contents = '"contents":[{"role":"user","parts":[{"text":"a"}]}]'

describe('declaring tools', () => {
  it.each<[string, string, string]>([
    ['no tools', `{${contents}}`, `{"tools":[{"functionDeclarations":[${both}]}],${contents}}`],
    ['null', `{${contents},"tools" : null}`, `{${contents},"tools" : [{"functionDeclarations":[${both}]}]}`],
    ['an empty list', `{${contents},"tools": [ ] }`, `{${contents},"tools": [{"functionDeclarations":[${both}]}] }`],
    [
      'functions',
      `{${contents},"tools":[ {"functionDeclarations":[ {"name" : "read"} ]} ]}`,
      `{${contents},"tools":[ {"functionDeclarations":[ {"name" : "read"},${both} ]} ]}`,
    ],
    [
      'several lists of functions',
      `{${contents},"tools":[{"functionDeclarations":[{"name":"a"}]},` +
        '{"function_declarations":[{"name":"b"}]},{"googleSearch":{}}]}',
      `{${contents},"tools":[{"functionDeclarations":[{"name":"a"}]},` +
        `{"function_declarations":[{"name":"b"},${both}]},{"googleSearch":{}}]}`,
    ],
    [
      'an empty list of functions',
      `{${contents},"tools":[{"functionDeclarations":[]}]}`,
      `{${contents},"tools":[{"functionDeclarations":[${both}]}]}`,
    ],
    [
      'one function without brackets',
      `{${contents},"tools":{"functionDeclarations":{"name":"a"}}}`,
      `{${contents},"tools":{"functionDeclarations":[{"name":"a"},${both}]}}`,
    ],
    [
      'tools of Google’s',
      `{${contents},"tools":[{"googleSearch":{}}]}`,
      `{${contents},"tools":[{"googleSearch":{}},{"functionDeclarations":[${both}]}]}`,
    ],
    [
      'one of Google’s without brackets',
      `{${contents},"tools":{"googleSearch":{}}}`,
      `{${contents},"tools":[{"googleSearch":{}},{"functionDeclarations":[${both}]}]}`,
    ],
    [
      'a request inside countTokens',
      `{"generateContentRequest":{${contents}}}`,
      `{"generateContentRequest":{"tools":[{"functionDeclarations":[${both}]}],${contents}}}`,
    ],
  ])('%s', (_, body, expected) => {
    for (const _again of [1, 2]) {
      const lens = lensOf(body)
      expect(splice(lens.body, declare(lens, [clock, fetch])).toString()).toBe(expected)
    }
    const { tools } = JSON.parse(expected) as Record<string, unknown>
    if (Array.isArray(tools) && !body.includes('function_'))
      expect(validateGeminiRequest(JSON.parse(expected) as Record<string, unknown>)).toEqual([])
  })
  it('none changes nothing', () => {
    const lens = lensOf(`{${contents}}`)
    expect(splice(lens.body, declare(lens, []))).toBe(lens.body)
  })
})

describe('tools the client has', () => {
  it.each<[string, string[]]>([
    ['{}', []],
    ['{"tools":null}', []],
    ['{"tools":"x"}', []],
    [
      '{"tools":[{"functionDeclarations":[{"name":"a","parameters":{"name":"no"}},' +
        '{"description":"nameless"}]},{"google_search":{}},{"codeExecution":{},"urlContext":null}]}',
      ['a', 'googleSearch', 'codeExecution'],
    ],
    ['{"tools":{"functionDeclarations":{"name":"a"},"googleSearch":{}}}', ['a', 'googleSearch']],
    ['{"generate_content_request":{"tools":[{"function_declarations":[{"name":"a"}]}]}}', ['a']],
  ])('of %s', (body, expected) => {
    expect(clientTools(lensOf(body))).toEqual(expected)
  })
})

describe('a request that can’t bear tools', () => {
  const functions = '"tools":[{"functionDeclarations":[{"name":"a"}]}]'
  it.each<[string, string, string | null, string?]>([
    ['a plain one', '', null],
    ['one with functions', `,${functions}`, null],
    ['one that may call none of them', `,${functions},"toolConfig":{"functionCallingConfig":{"mode":"NONE"}}`, null],
    ['a JSON list', '', 'a stream as a JSON list', '/v1beta/models/x:streamGenerateContent'],
    ['a whole answer', '', null, '/v1beta/models/x:generateContent'],
    ['one candidate', ',"generationConfig":{"candidateCount":1}', null],
    ['several candidates', ',"generation_config":{"candidate_count":2}', 'several candidates'],
    ['cached content', ',"cachedContent":"cachedContents/x"', 'cached content'],
    [
      'tools of Google’s',
      ',"tools":[{"googleSearch":{}},{"code_execution":{}}]',
      'only tools of Google’s: googleSearch, codeExecution',
    ],
    ['tools of both', ',"tools":[{"googleSearch":{}},{"functionDeclarations":[{"name":"a"}]}]', null],
    [
      'tools of Google’s whose calls are shown',
      ',"tools":[{"googleSearch":{}}],"toolConfig":{"includeServerSideToolInvocations":true}',
      null,
    ],
    ['JSON', ',"generationConfig":{"responseMimeType":"application/json"}', 'an answer in application/json'],
    ['JSON beside functions', `,"generationConfig":{"responseMimeType":"application/json"},${functions}`, null],
    ['text', ',"generationConfig":{"responseMimeType":"text/plain","responseModalities":["TEXT"]}', null],
    ['pictures', ',"generationConfig":{"responseModalities":["TEXT","IMAGE"]}', 'an answer that is not only text'],
  ])('%s', (_, more, expected, path) => {
    expect(cannotDeclare(lensOf(`{${contents}${more}}`, path))).toBe(expected)
  })
})
