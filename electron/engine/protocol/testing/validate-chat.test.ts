import { describe, expect, it } from 'vitest'
import { validateChatBody, validateChatRequest, validateChatStream } from './validate-chat.ts'

const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_764_000_000, model: 'm' }
const chunk = (delta: object, finish: string | null = null, more: object = {}) => ({
  ...head,
  choices: [{ index: 0, delta, finish_reason: finish }],
  ...more,
})
const role = chunk({ role: 'assistant', content: '' })
const hello = chunk({ content: 'Hello' })
const stop = chunk({}, 'stop')
const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }
const begin = chunk({
  tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'read', arguments: '' } }],
})
const stream = (...events: (object | string)[]) =>
  events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('')

describe('validateChatStream', () => {
  it.each([
    ['text', stream(role, hello, stop, '[DONE]')],
    [
      'tools',
      stream(
        role,
        begin,
        chunk({ tool_calls: [{ index: 0, function: { arguments: '{}' } }] }),
        chunk({}, 'tool_calls'),
        '[DONE]',
      ),
    ],
    ['usage', stream({ ...role, usage: null }, { ...stop, usage: null }, { ...head, choices: [], usage }, '[DONE]')],
    [
      'an error',
      stream(role, hello, {
        error: { message: 'gone', type: 'server_error', param: null, code: 'upstream-broke-off' },
      }),
    ],
  ])('accepts %s', (_, text) => {
    expect(validateChatStream(text)).toEqual([])
  })

  it.each([
    ['no [DONE]', stream(role, hello, stop), 'ends without [DONE]'],
    ['[DONE] without a finish', stream(role, hello, '[DONE]'), 'before a finish_reason'],
    ['no role', stream(hello, stop, '[DONE]'), 'must give the role'],
    ['the role twice', stream(role, role, stop, '[DONE]'), 'role is given twice'],
    ['another id', stream(role, { ...hello, id: 'chatcmpl-2' }, stop, '[DONE]'), 'another id'],
    ['text after the finish', stream(role, stop, hello, '[DONE]'), 'comes after its finish_reason'],
    ['events after [DONE]', stream(role, stop, '[DONE]', hello), 'comes after the end'],
    [
      '[DONE] after an error',
      stream(role, { error: { message: 'x', type: 'server_error' } }, '[DONE]'),
      'comes after the end',
    ],
    [
      'usage before the finish',
      stream({ ...role, usage: null }, { ...head, choices: [], usage }, { ...stop, usage: null }, '[DONE]'),
      'behind the finish_reason',
    ],
    [
      'a wrong sum',
      stream(
        { ...role, usage: null },
        { ...stop, usage: null },
        { ...head, choices: [], usage: { ...usage, total_tokens: 9 } },
        '[DONE]',
      ),
      'not the sum',
    ],
    [
      'usage in some chunks only',
      stream(role, stop, { ...head, choices: [], usage }, '[DONE]'),
      'every chunk or in none',
    ],
    [
      'a call without an id',
      stream(
        role,
        chunk({ tool_calls: [{ index: 0, type: 'function', function: { name: 'read' } }] }),
        chunk({}, 'tool_calls'),
        '[DONE]',
      ),
      'without its id',
    ],
    ['a call begun twice', stream(role, begin, begin, chunk({}, 'tool_calls'), '[DONE]'), 'begun twice'],
    [
      'call indices with a gap',
      stream(
        role,
        chunk({ tool_calls: [{ index: 1, id: 'c', type: 'function', function: { name: 'read', arguments: '' } }] }),
        chunk({}, 'tool_calls'),
        '[DONE]',
      ),
      'out of order',
    ],
    ['stop though tools are called', stream(role, begin, stop, '[DONE]'), 'though tools are called'],
    ['tool_calls without calls', stream(role, chunk({}, 'tool_calls'), '[DONE]'), 'no tool is called'],
    ['an unknown finish reason', stream(role, chunk({}, 'end_turn'), '[DONE]'), 'must be one of'],
    [
      'arguments as an object',
      stream(
        role,
        chunk({ tool_calls: [{ index: 0, id: 'c', type: 'function', function: { name: 'read', arguments: {} } }] }),
        chunk({}, 'tool_calls'),
        '[DONE]',
      ),
      'must be a text',
    ],
    ['an event name', `event: message\n${stream(role, stop, '[DONE]')}`, 'not one data line'],
    ['broken JSON', stream(role, '{"id":', stop, '[DONE]'), 'not a JSON object'],
    ['a last event that is not closed', stream(role, stop) + 'data: [DONE]', 'not closed'],
  ])('refuses %s', (_, text, problem) => {
    expect(validateChatStream(text).join('\n')).toContain(problem)
  })

  it('says when the usage chunk is missing that was asked for', () => {
    expect(validateChatStream(stream(role, stop, '[DONE]'), { usage: true })).toEqual(['the usage chunk is missing'])
  })
})

describe('validateChatBody', () => {
  const body = {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [
      { index: 0, message: { role: 'assistant', content: 'Hi', refusal: null }, logprobs: null, finish_reason: 'stop' },
    ],
    usage,
  }
  it('accepts an answer', () => {
    expect(validateChatBody(body)).toEqual([])
  })
  it.each([
    ['no choices', { ...body, choices: [] }, 'has 0 entries'],
    [
      'no refusal member',
      { ...body, choices: [{ ...body.choices[0], message: { role: 'assistant', content: 'Hi' } }] },
      'refusal is missing',
    ],
    ['an unknown member', { ...body, stop_reason: 'end_turn' }, 'not documented'],
    ['created as a text', { ...body, created: '1' }, 'created'],
  ])('refuses %s', (_, value, problem) => {
    expect(validateChatBody(value).join('\n')).toContain(problem)
  })
})

describe('validateChatRequest', () => {
  const request = { model: 'gpt-5', messages: [{ role: 'user', content: 'Hi' }] }
  const call = {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read', arguments: '{}' } }],
  }
  const result = { role: 'tool', tool_call_id: 'c1', content: 'ok' }
  it('accepts a request', () => {
    expect(validateChatRequest({ ...request, messages: [...request.messages, call, result] })).toEqual([])
  })
  it.each([
    ['a result without a call', { ...request, messages: [result] }, 'answers no call'],
    ['a call without a result', { ...request, messages: [call, ...request.messages] }, 'before the results'],
    [
      'an image in a tool message',
      {
        ...request,
        messages: [call, { ...result, content: [{ type: 'image_url', image_url: { url: 'https://a/b.png' } }] }],
      },
      'messages[1].content',
    ],
    [
      'Anthropic content',
      { ...request, messages: [{ role: 'user', content: [{ type: 'image', source: {} }] }] },
      'must be one of text, image_url',
    ],
    ['five stop sequences', { ...request, stop: ['a', 'b', 'c', 'd', 'e'] }, 'has 5 entries'],
    ['a tool choice without tools', { ...request, tool_choice: 'auto' }, 'only allowed with tools'],
    ['both limits', { ...request, max_tokens: 1, max_completion_tokens: 1 }, 'both given'],
    ['metadata without store', { ...request, metadata: { a: 'b' } }, 'only allowed with store'],
    ['an unknown member', { ...request, top_k: 3 }, 'not documented'],
    [
      'an illegal tool name',
      { ...request, tools: [{ type: 'function', function: { name: 'a.b' } }] },
      'tools[0].function.name',
    ],
    [
      'an empty assistant message',
      { ...request, messages: [{ role: 'assistant', content: null }] },
      'neither content nor calls',
    ],
  ])('refuses %s', (_, value, problem) => {
    expect(validateChatRequest(value).join('\n')).toContain(problem)
  })
})
