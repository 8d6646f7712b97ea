import { describe, expect, it } from 'vitest'
import type { AnswerEvent } from '../../canonical/answer.ts'
import { responsesConversion } from './index.ts'
import { writeWhole, writeWire, writing } from './testing/answers.ts'

const query = { type: 'object', properties: { query: { type: 'string' } } }
const search = { type: 'tool_search', execution: 'client', description: 'Finds tools.', parameters: query }
const read = (body: object) => responsesConversion.readRequest({ model: 'm', ...body }, { path: '/v1/responses' })

/** Codex 0.171.0 finds its deferred tools by a search that it runs itself. */
describe('a search of tools that the client runs', () => {
  it('is declared as a function, and one of the vendor’s stays the vendor’s', () => {
    const { tools, unread } = read({ input: 'Hi', tools: [search, { type: 'tool_search' }] })
    expect(tools).toMatchObject([
      { type: 'function', name: 'tool_search', description: 'Finds tools.', parameters: query, searches: true },
      { type: 'native', kind: 'tool_search' },
    ])
    expect(unread).toEqual([])
  })

  it('is a call with its result in the conversation, and declares what it found', () => {
    const found = { type: 'namespace', name: 'mail', tools: [{ type: 'function', name: 'send', parameters: query }] }
    const { messages, tools, unread } = read({
      tools: [search],
      input: [
        { role: 'user', content: 'Mail it.' },
        {
          type: 'tool_search_call',
          call_id: 'c1',
          execution: 'client',
          arguments: { query: 'mail' },
          status: 'completed',
        },
        { type: 'tool_search_output', call_id: 'c1', execution: 'client', status: 'completed', tools: [found] },
      ],
    })
    expect(messages.slice(1)).toMatchObject([
      {
        role: 'assistant',
        parts: [{ type: 'tool-call', id: 'c1', name: 'tool_search', arguments: '{"query":"mail"}' }],
      },
      {
        role: 'user',
        parts: [{ type: 'tool-result', callId: 'c1', parts: [{ text: 'These tools are there now: mail__send.' }] }],
      },
    ])
    expect(tools).toMatchObject([{ name: 'tool_search' }, { name: 'send', namespace: 'mail' }])
    expect(unread).toEqual([])
  })

  it('that the vendor ran is recorded', () => {
    const { messages, unread } = read({
      input: [
        { role: 'user', content: 'Hi' },
        { type: 'tool_search_call', execution: 'server', call_id: null, arguments: {} },
        { type: 'tool_search_output', execution: 'server', call_id: null, tools: [] },
      ],
    })
    expect(messages).toHaveLength(1)
    expect(unread).toEqual(['input[].tool_search_call', 'input[].tool_search_output'])
  })

  it('comes back as an item of its own, in a stream and in a body', () => {
    const context = writing()
    const asked = { ...context, request: { ...context.request, tools: read({ tools: [search] }).tools } }
    const answer: AnswerEvent[] = [
      { type: 'start', model: null, usage: null },
      { type: 'begin', block: 0, part: { kind: 'tool-call', id: 'c1', name: 'tool_search', custom: false } },
      { type: 'delta', block: 0, text: '{"query":' },
      { type: 'delta', block: 0, text: '"mail"}' },
      { type: 'end', block: 0 },
      { type: 'finish', reason: 'tool-calls', stopSequence: null, usage: null },
    ]
    const item = {
      type: 'tool_search_call',
      status: 'completed',
      call_id: 'c1',
      execution: 'client',
      arguments: { query: 'mail' },
    }
    const wire = writeWire(answer, asked)
    expect([...wire.matchAll(/^event: (.*)$/gm)].map(([, type]) => type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.output_item.done',
      'response.completed',
    ])
    expect(JSON.parse(/"output":(\[\{.*\}\]),"usage"/.exec(wire)?.[1] ?? '[]')).toMatchObject([item])
    expect(writeWhole(answer, asked)).toMatchObject({ status: 'completed', output: [item] })
    // Without the search among the tools the name is any function's.
    expect(writeWhole(answer, context)).toMatchObject({ output: [{ type: 'function_call', name: 'tool_search' }] })
  })
})
