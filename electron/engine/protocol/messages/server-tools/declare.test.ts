import { describe, expect, it } from 'vitest'
import { validateMessagesRequest } from '../../testing/validate-messages.ts'
import { splice } from '../../json-bytes/index.ts'
import { messagesCodec } from '../codec.ts'
import { messagesServerTools } from './index.ts'

const tool = (name: string) => ({
  name,
  description: `Does ${name}.`,
  parameters: { type: 'object', properties: { at: { type: 'string' } } },
  strict: true,
})
const declared =
  '{"name":"clock","description":"Does clock.","input_schema":{"type":"object","properties":{"at":{"type":"string"}}}}'
const lensOf = (body: string) => messagesCodec.read(Buffer.from(body))
const withTools = (body: string, ...names: string[]) =>
  splice(Buffer.from(body), messagesServerTools.declare(lensOf(body), names.map(tool))).toString()

describe('declaring tools', () => {
  it.each([
    ['absent', '{ "model": "m", "messages": [] }', `{"tools":[${declared}], "model": "m", "messages": [] }`],
    ['null', '{"tools" : null,"messages":[]}', `{"tools" : [${declared}],"messages":[]}`],
    ['empty', '{"tools": [ ] ,"messages":[]}', `{"tools": [${declared} ] ,"messages":[]}`],
    [
      'there',
      '{"messages":[],"tools":[ {"name":"a","x":1.0} ,\n {"type":"web_search_20250305","name":"web_search"} ] }',
      '{"messages":[],"tools":[ {"name":"a","x":1.0} ,\n ' +
        `{"type":"web_search_20250305","name":"web_search"},${declared} ] }`,
    ],
  ])('comes behind a list that is %s', (_how, body, out) => {
    expect(withTools(body, 'clock')).toBe(out)
    expect(withTools(body)).toBe(body)
  })

  it('makes a request that Anthropic takes', () => {
    const body = JSON.stringify({
      model: 'm',
      max_tokens: 9,
      messages: [{ role: 'user', content: 'Hi.' }],
      tools: [{ name: 'Bash', input_schema: { type: 'object' } }],
    })
    expect(validateMessagesRequest(JSON.parse(withTools(body, 'clock', 'web_fetch')))).toEqual([])
  })

  it('knows the names of all kinds of tools', () => {
    const tools = [
      { name: 'Bash', input_schema: {} },
      { type: 'custom', name: 'B\u00e9' },
      { type: 'web_search_20250305', name: 'web_search' },
      { type: 'mcp_toolset', mcp_server_name: 'files' },
      {},
      3,
    ]
    expect(messagesServerTools.clientTools(lensOf(JSON.stringify({ messages: [], tools })))).toEqual([
      'Bash',
      'Bé',
      'web_search',
      'files',
    ])
    expect(messagesServerTools.clientTools(lensOf('{"messages":[]}'))).toEqual([])
    expect(messagesServerTools.clientTools(lensOf('{"messages":[],"tools":null}'))).toEqual([])
  })

  it.each([
    ['{"messages":[]}', null],
    ['{"messages":[],"tools":null}', null],
    ['{"messages":[],"tools":[],"tool_choice":{"type":"none"}}', null],
    ['{"messages":[],"tools":[{"type":"web_search_20250305","name":"web_search"}],"tool_choice":{"type":"any"}}', null],
    ['{"messages":[],"tools":{}}', '“tools” is no list'],
    ['{"messages":[],"tools":"x"}', '“tools” is no list'],
    ['{"model":"m"}', 'no list of messages'],
  ])('says why it can’t: %s', (body, why) => {
    expect(messagesServerTools.cannotDeclare(lensOf(body))).toBe(why)
  })
})
