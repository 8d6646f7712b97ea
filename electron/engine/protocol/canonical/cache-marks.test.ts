import { describe, expect, it } from 'vitest'
import { conversionOf } from '../conversions.ts'
import type { JsonObject } from '../values.ts'
import { readCanonical, writeCanonical } from './convert-request.ts'

const written = (body: JsonObject, from: 'chat' | 'messages', to: 'messages' | 'chat') =>
  JSON.parse(
    writeCanonical(readCanonical(conversionOf[from], body, '/'), conversionOf[to], {
      model: 'claude-x',
      maxOutput: null,
    }).body.toString(),
  ) as JsonObject
const tool = (name: string) => ({
  type: 'function',
  function: { name, parameters: { type: 'object', properties: {} } },
})
const mark = { type: 'ephemeral' }

describe('prompt caching for clients that can’t ask for it', () => {
  it('marks the ends of tools, system texts and conversation for Anthropic', () => {
    const body = written(
      {
        model: 'm',
        tools: [tool('a'), tool('b')],
        messages: [
          { role: 'system', content: 'S' },
          { role: 'user', content: 'one' },
          { role: 'assistant', content: 'two' },
          { role: 'user', content: 'three' },
        ],
      },
      'chat',
      'messages',
    )
    expect(body['tools']).toMatchObject([{ name: 'a' }, { name: 'b', cache_control: mark }])
    expect(body['system']).toMatchObject([{ text: 'S', cache_control: mark }])
    expect(body['messages']).toMatchObject([
      { role: 'user' },
      { role: 'assistant' },
      { role: 'user', content: [{ type: 'text', text: 'three', cache_control: mark }] },
    ])
    expect(JSON.stringify(body).split('cache_control').length - 1).toBe(3)
  })

  it.each([
    ['behind words', [{ role: 'user', content: 'one' }], { type: 'text', text: 'one', cache_control: mark }],
    [
      'behind results',
      [
        { role: 'user', content: 'one' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'a', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'c', content: 'r' },
      ],
      { type: 'tool_result', cache_control: mark },
    ],
  ])('marks what stands in front of the time tag: %s', (_, messages, last) => {
    const tag = '[Time/Date]: utc=`2026-11-21T14:00:00.000Z`'
    const body = written(
      { model: 'm', tools: [tool('a')], messages: [...messages, { role: 'user', content: tag }] },
      'chat',
      'messages',
    )
    const list = body['messages'] as { content: unknown[] }[]
    expect(list.at(-1)?.content).toMatchObject([last, { type: 'text', text: tag }])
    expect(JSON.stringify(list).split('cache_control').length - 1).toBe(1)
  })

  it('tells nobody else, and leaves a client’s own marks', () => {
    expect(
      JSON.stringify(written({ model: 'm', messages: [{ role: 'user', content: 'one' }] }, 'chat', 'chat')),
    ).not.toContain('cache')
    const own = {
      model: 'm',
      max_tokens: 9,
      system: [{ type: 'text', text: 'S', cache_control: mark }],
      messages: [{ role: 'user', content: 'one' }],
    }
    expect(JSON.stringify(written(own, 'messages', 'messages')).split('cache_control').length - 1).toBe(1)
  })
})
