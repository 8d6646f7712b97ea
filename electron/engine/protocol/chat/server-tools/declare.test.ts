import { describe, expect, it } from 'vitest'
import { splice } from '../../json-bytes/index.ts'
import type { ToolDeclaration } from '../../server-tools/types.ts'
import { chatCodec } from '../codec.ts'
import { cannotDeclare, clientTools, declare } from './declare.ts'

const lens = (json: string) => chatCodec.read(Buffer.from(json))
const clock: ToolDeclaration = {
  name: 'clock',
  description: 'Sets “alarms”.',
  parameters: { type: 'object', properties: {} },
  strict: true,
}
const fetch: ToolDeclaration = {
  name: 'web_fetch',
  description: 'Fetches.',
  parameters: { type: 'object' },
  strict: false,
}
const ours = [
  '{"type":"function","function":{"name":"clock","description":"Sets ' +
    '“alarms”.","parameters":{"type":"object","properties":{}},"strict":true}}',
  '{"type":"function","function":{"name":"web_fetch",' +
    '"description":"Fetches.","parameters":{"type":"object"},"strict":false}}',
].join(',')
const declared = (json: string): string => splice(Buffer.from(json), declare(lens(json), [clock, fetch])).toString()

describe('tools of Onward in a Chat request', () => {
  it.each([
    ['no list', '{"model":"m"}', `{"tools":[${ours}],"model":"m"}`],
    ['null', '{"tools" : null ,"a":1.0}', `{"tools" : [${ours}] ,"a":1.0}`],
    ['an empty list', '{"tools":[ ]}', `{"tools":[${ours} ]}`],
    [
      'a list',
      '{ "tools" : [ {"type":"function", "function":{"name":"re\\u0061d"} } \n] , "a" : 1.0 }',
      `{ "tools" : [ {"type":"function", "function":{"name":"re\\u0061d"} },${ours} \n] , "a" : 1.0 }`,
    ],
    ['nothing at all', '{}', `{"tools":[${ours}]}`],
  ])('stand behind the client’s own: %s', (_what, json, expected) => {
    expect(declared(json)).toBe(expected)
  })

  it('are no change where there are none', () => {
    expect(declare(lens('{"tools":null}'), [])).toEqual([])
  })

  it('know the names of the client’s, of every kind', () => {
    const tools = [
      { type: 'function', function: { name: 'read' } },
      { type: 'custom', custom: { name: 'patch' } },
      { function: { name: 'bare' } },
      { type: 'web_search', web_search: { enable: true } },
      { type: 'function', name: 'flat' },
      'odd',
      null,
    ]
    expect(clientTools(lens(JSON.stringify({ tools, functions: [{ name: 'old' }, {}] })))).toEqual([
      'read',
      'patch',
      'bare',
      'web_search',
      'flat',
      'old',
    ])
    expect(clientTools(lens('{"tools":"odd","functions":null}'))).toEqual([])
  })
})

describe('a Chat request that can bear no more tools', () => {
  it.each([
    ['{"n":2}', /several choices/],
    ['{"functions":[{"name":"f"}]}', /functions/],
    ['{"tools":{}}', /no list/],
    ['{"prediction":{"type":"content","content":"x"}}', /predicted/],
    ['{"web_search_options":{}}', /searches/],
  ])('says why: %s', (json, why) => {
    expect(cannotDeclare(lens(json))).toMatch(why)
  })
  it.each([
    '{}',
    '{"n":1}',
    '{"n":null}',
    '{"functions":[]}',
    '{"tools":[]}',
    '{"tools":null,"prediction":null,"web_search_options":null}',
    '{"web_search_options":{},"tools":[{"type":"function","function":{"name":"read"}}]}',
    '{"tool_choice":"none"}',
    '{"tool_choice":{"type":"function","function":{"name":"read"}}}',
    '{"tools":[{"type":"web_search"}]}',
    '{"response_format":{"type":"json_object"}}',
  ])('is not every odd one: %s', (json) => {
    expect(cannotDeclare(lens(json))).toBeNull()
  })
})
