import { describe, expect, it } from 'vitest'
import { messagesConversion } from './index.ts'

describe.each(['input_text', 'output_text', undefined])('a text block of the type %s', (type) => {
  const block = (text: string) => ({ type, text, cache_control: { type: 'ephemeral' } })
  const { system, messages, unread } = messagesConversion.readRequest(
    {
      model: 'm',
      max_tokens: 10,
      system: [block('Be brief')],
      messages: [
        { role: 'user', content: [block('Look')] },
        { role: 'assistant', content: [block('I look'), { type: 'tool_use', id: 'c1', name: 'look', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: [block('seen')] }] },
      ],
    },
    { path: '/v1/messages' },
  )

  it('is text everywhere, its mark kept', () => {
    const text = (words: string) => ({ type: 'text', text: words, cache: { type: 'ephemeral' } })
    expect(system).toEqual([text('Be brief')])
    expect(messages).toMatchObject([
      { parts: [text('Look')] },
      { parts: [text('I look'), { type: 'tool-call' }] },
      { parts: [{ type: 'tool-result', parts: [text('seen')] }] },
    ])
    expect(unread).toEqual([])
  })
})
