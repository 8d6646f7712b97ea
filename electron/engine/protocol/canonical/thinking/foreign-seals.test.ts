import { describe, expect, it } from 'vitest'
import type { WireProtocol } from '../request.ts'
import { withoutForeignSeals, complainsOfThinking } from './foreign-seals.ts'
import { sealForClient } from './seal.ts'
import { noSignature } from './phases.ts'

const foreign = (client: WireProtocol) =>
  sealForClient({ of: client === 'messages' ? 'responses' : 'messages', data: 'sig' }, client)
const encoded = Buffer.from(foreign('gemini')).toString('base64')
const cleaned = (protocol: WireProtocol, body: object, model = 'm'): unknown =>
  JSON.parse(withoutForeignSeals(protocol, Buffer.from(JSON.stringify(body)), model).toString())
const user = { role: 'user', content: 'hi' }

describe('seals of another vendor on the way to the client’s own', () => {
  it('take citations along that were made for another vendor’s sources; the text stays', () => {
    const web = { type: 'web_search_result_location', cited_text: '', url: 'https://a.example', title: 'A' }
    const ours = { ...web, encrypted_index: foreign('messages') }
    const own = { ...web, encrypted_index: 'Eo8BCio' }
    const sent = (...citations: object[]) => ({
      messages: [user, { role: 'assistant', content: [{ type: 'text', text: 'Rain.', citations }] }, user],
    })
    expect(cleaned('messages', sent(ours, own, ours))).toEqual(sent(own))
    expect(cleaned('messages', sent(ours))).toEqual({
      messages: [user, { role: 'assistant', content: [{ type: 'text', text: 'Rain.' }] }, user],
    })
    expect(cleaned('messages', sent(own))).toEqual(sent(own))
  })

  it('go, and what stands beside them stays', () => {
    const thinking = { type: 'thinking', thinking: 'Hm.', signature: foreign('messages') }
    const own = { type: 'thinking', thinking: 'Mine.', signature: 'EqQB' }
    const said = { type: 'text', text: 'Yes.' }
    expect(
      cleaned('messages', {
        model: 'm',
        messages: [
          user,
          { role: 'assistant', content: [thinking, own, said] },
          { role: 'assistant', content: [thinking] },
          user,
        ],
      }),
    ).toEqual({ model: 'm', messages: [user, { role: 'assistant', content: [own, said] }, user] })
    expect(
      cleaned('responses', {
        input: [
          user,
          { type: 'reasoning', id: 'rs', summary: [], encrypted_content: foreign('responses') },
          { type: 'reasoning', id: 'rs2', summary: [], encrypted_content: 'gAAA' },
        ],
      }),
    ).toEqual({ input: [user, { type: 'reasoning', id: 'rs2', summary: [], encrypted_content: 'gAAA' }] })
    expect(
      cleaned('chat', {
        messages: [
          user,
          {
            role: 'assistant',
            content: 'Yes.',
            reasoning_details: [{ type: 'reasoning.encrypted', data: foreign('chat') }],
          },
        ],
      }),
    ).toEqual({ messages: [user, { role: 'assistant', content: 'Yes.' }] })
    expect(
      cleaned('gemini', {
        contents: [
          {
            role: 'model',
            parts: [
              { thought: true, text: 'Hm.', thoughtSignature: encoded },
              { functionCall: { name: 'look' }, thoughtSignature: encoded },
            ],
          },
        ],
      }),
    ).toEqual({
      contents: [{ role: 'model', parts: [{ functionCall: { name: 'look' }, thoughtSignature: noSignature }] }],
    })
  })

  it.each(['messages', 'responses', 'chat', 'gemini'] as const)(
    'without any, the bytes stay as they came (%s)',
    (protocol) => {
      for (const text of [
        '{ "messages" : [] , "n": 1.0 }',
        `{"messages":[{"role":"user","content":"what is onward.1. or ${encoded}?"}],"input":"onward.1.","n":1.0}`,
        '[1]',
      ]) {
        const body = Buffer.from(text)
        expect(withoutForeignSeals(protocol, body, 'm')).toBe(body)
      }
    },
  )
})

describe('a session of Messages that comes back from another vendor', () => {
  const call = { type: 'tool_use', id: 'call_1', name: 'look', input: {} }
  const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'ok' }] }
  const loop = (...blocks: object[]) => [user, { role: 'assistant', content: [...blocks, call] }, result]
  const thinking = { type: 'enabled', budget_tokens: 4000 }
  const clears = { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] }
  const foreignThought = { type: 'thinking', thinking: 'Hm.', signature: foreign('messages') }
  const unsigned = { type: 'thinking', thinking: 'Hm.', signature: '' }

  it.each([foreignThought, unsigned])('asks Claude without thinking where its calls lack it', (thought) => {
    const sent = { messages: loop(thought), thinking, context_management: clears }
    expect(cleaned('messages', sent, 'claude-sonnet-4-5')).toEqual({ messages: loop() })
    const more = { ...sent, context_management: { edits: [...clears.edits, { type: 'clear_tool_uses_20250919' }] } }
    expect(cleaned('messages', more, 'claude-sonnet-4-5')).toMatchObject({
      context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] },
    })
  })

  it('lets Claude think where it decides itself, and where the loop is over', () => {
    const adaptive = { messages: loop(foreignThought), thinking: { type: 'adaptive' }, context_management: clears }
    expect(cleaned('messages', adaptive, 'claude-opus-4-8')).toEqual({ ...adaptive, messages: loop() })
    const next = [{ role: 'assistant', content: 'Yes.' }, user]
    const over = { messages: [...loop(foreignThought), ...next], thinking }
    expect(cleaned('messages', over, 'claude-sonnet-4-5')).toEqual({ messages: [...loop(), ...next], thinking })
  })

  it('keeps the words for a model that wants thinking of every answer, whoever thought', () => {
    expect(cleaned('messages', { messages: loop(foreignThought), thinking }, 'kimi-k3')).toEqual({
      messages: loop(unsigned),
      thinking,
    })
    const wordless = { ...foreignThought, thinking: '' }
    expect(cleaned('messages', { messages: loop(wordless) }, 'deepseek-v4-pro')).toEqual({
      messages: loop({ ...unsigned, thinking: ' ' }),
    })
  })
})

it('an answer of Chat without the thinking that its model wants gets a placeholder', () => {
  const called = { role: 'assistant', tool_calls: [{ id: 'c', type: 'function', function: { name: 'look' } }] }
  const own = { ...called, reasoning_content: 'Hm.' }
  const sent = { messages: [user, called, own] }
  expect(cleaned('chat', sent, 'deepseek-v4-pro')).toEqual({
    messages: [user, { ...called, reasoning_content: ' ' }, own],
  })
  const whole = Buffer.from(JSON.stringify({ messages: [user, own, own] }))
  expect(withoutForeignSeals('chat', whole, 'deepseek-v4-pro')).toBe(whole)
})

it.each([
  'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`.',
  'messages.1.content.0: Invalid `signature` in `thinking` block',
  'messages.1.content.0.thinking.signature: Field required',
  'messages.1.content.0.thinking: each thinking block must contain thinking',
  'messages.1.content.0: If an assistant message contains any thinking blocks, the first block must be `thinking` or ' +
    '`redacted_thinking`. Found `text`.',
  'The `reasoning_content` in the thinking mode must be passed back to the API.',
  'thinking is enabled but reasoning_content is missing in assistant tool call message at index 2',
  "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
  "Item 'fc_1' of type 'function_call' was provided without its required 'reasoning' item: 'rs_1'.",
  "Item with id 'rs_0b5f' not found. Items are not persisted when `store` is set to false.",
  'Function call is missing a thought_signature in functionCall parts.',
])('a history refused for its thinking: %s', (message) => {
  expect(complainsOfThinking(JSON.stringify({ error: { message } }))).toBe(true)
})

it.each([
  'thinking.budget_tokens: Input should be greater than or equal to 1024',
  "Item with id 'msg_1' not found.",
  'max_tokens must be greater than thinking.budget_tokens',
])('and what is no such refusal: %s', (message) => {
  expect(complainsOfThinking(JSON.stringify({ error: { message } }))).toBe(false)
})
