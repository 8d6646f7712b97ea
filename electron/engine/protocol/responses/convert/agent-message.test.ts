import { describe, expect, it } from 'vitest'
import { conversionOf } from '../../conversions.ts'
import { readCanonical, writeCanonical } from '../../canonical/convert-request.ts'
import { responsesConversion } from './index.ts'

const message = (content: unknown, more: object = {}) => ({
  type: 'agent_message',
  author: '/lead',
  recipient: '/lead/child',
  content,
  ...more,
})
const read = (...input: object[]) =>
  readCanonical(responsesConversion, { model: 'm', input: [...input] }, '/v1/responses')
const task = message([
  { type: 'input_text', text: 'Message Type: NEW_TASK\nPayload:\n' },
  { type: 'encrypted_content', encrypted_content: 'Count the lines of the log' },
])

describe('what one agent of Codex tells another', () => {
  it.each(['chat', 'messages', 'gemini'] as const)('reaches a provider of %s as words of that agent', (to) => {
    const developer = { type: 'message', role: 'developer', content: 'You are a sub-agent.' }
    const { body, dropped } = writeCanonical(read(developer, task), conversionOf[to], { model: 'm', maxOutput: 100 })
    expect(body.toString()).toContain(
      '<agent_message>\\nFrom agent /lead to agent /lead/child, not from the user:\\n\\n' +
        'Message Type: NEW_TASK\\nPayload:\\nCount the lines of the log',
    )
    expect(dropped).toEqual([])
  })

  it('is a message of its own behind an answer and a result, and keeps pictures', () => {
    const { messages } = read(
      { type: 'function_call', call_id: 'c1', name: 'wait_agent', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c1', output: 'done' },
      message([
        { type: 'input_text', text: 'See' },
        { type: 'input_image', image_url: 'https://a.test/b.png' },
      ]),
      message('Again', { author: undefined }),
    )
    expect(messages.map(({ role, parts }) => [role, ...parts.map(({ type }) => type)])).toEqual([
      ['assistant', 'tool-call'],
      ['user', 'tool-result'],
      ['user', 'text', 'image'],
      ['user', 'text'],
    ])
    expect(messages[3]?.parts[0]).toMatchObject({
      text: expect.stringMatching(/^<agent_message>\nFrom agent unnamed .*Again$/s),
    })
  })

  it('says what is encrypted for another model, and names it', () => {
    const { messages, unread } = read(
      message([
        { type: 'input_text', text: 'Payload:\n' },
        { type: 'encrypted_content', encrypted_content: 'gAAAAABpVxQm9udGhlcm9hZH' },
      ]),
    )
    const said = JSON.stringify(messages)
    expect(said).not.toContain('gAAAAA')
    expect(said).toContain('can’t be read here')
    expect(unread).toEqual(['input[].content[].encrypted_content'])
  })
})
