import Anthropic from '@anthropic-ai/sdk'
import { describe, expect, it } from 'vitest'
import { finishNames } from '../finish-names.ts'
import { asked } from '../testing/asked.ts'
import { heardOf } from '../testing/heard-of.ts'
import { asList, asObject, type JsonObject } from '../values.ts'
import { wireProtocols } from './request.ts'
import { converted } from './testing/converted.ts'

const line = (data: JsonObject): string => `data: ${JSON.stringify(data)}\n\n`
const chunk = (delta: JsonObject, finish_reason: string | null = null): string =>
  line({
    id: 'c1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'up',
    choices: [{ index: 0, delta, finish_reason }],
  })

/** An answer of one call with these arguments, as a provider of Chat says it. */
const answers = {
  stream: (args: string, finish: string) =>
    chunk({
      role: 'assistant',
      tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'write', arguments: '' } }],
    }) +
    [...args].map((piece) => chunk({ tool_calls: [{ index: 0, function: { arguments: piece } }] })).join('') +
    chunk({}, finish) +
    'data: [DONE]\n\n',
  body: (args: string, finish: string) =>
    JSON.stringify({
      id: 'c1',
      object: 'chat.completion',
      created: 1,
      model: 'up',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'write', arguments: args } }],
          },
          finish_reason: finish,
        },
      ],
    }),
}
const forms = (['stream', 'body'] as const).flatMap((as) =>
  (['stream', 'body'] as const).map((wants) => ({ as, wants })),
)
const clients = wireProtocols.filter((to) => to !== 'chat')

/** Reads a stream with Anthropic's own SDK. */
const finalMessage = (stream: string): Promise<Anthropic.Message> =>
  new Anthropic({
    baseURL: 'http://provider.test',
    apiKey: 'k',
    maxRetries: 0,
    fetch: () => Promise.resolve(new Response(stream, { headers: { 'content-type': 'text/event-stream' } })),
  }).messages
    .stream({ model: 'm', max_tokens: 100, messages: [{ role: 'user', content: 'hi' }] })
    .finalMessage()

describe('a call whose arguments end in the middle', () => {
  const half = '{"path":"/etc/x","content":"half'
  const ends = [...finishNames, ['brand_new', 'incomplete'] as const].filter(
    ([, meaning]) => meaning !== 'error' && meaning !== 'length',
  )

  describe.each(ends)('of an answer that ends with “%s”', (name) => {
    it.each(clients)('is an error for a client of %s, in both forms', (to) => {
      for (const form of forms)
        expect(converted('chat', to, answers[form.as](half, name), form).error).toContain('upstream-half-call')
    })

    it('is an error for Anthropic’s SDK', async () => {
      const { text } = converted('chat', 'messages', answers.stream(half, name), { as: 'stream', wants: 'stream' })
      await expect(finalMessage(text)).rejects.toThrow('in the middle of a tool call')
    })
  })
})

/** Texts that are no object: Chat and Responses can say them, Messages can't. */
describe.each(['not json', '{"a":1}}', '{"a":1}{"b":2}', '[1]', '"{}"', '{"a":"\n"}', '{"a":tru}', 'nul', '7'])(
  'arguments that are no object: %j',
  (args) => {
    it('are an error for a client of Messages', async () => {
      for (const form of forms)
        expect(converted('chat', 'messages', answers[form.as](args, 'tool_calls'), form).error).toContain(
          'upstream-bad-call',
        )
      const { text } = converted('chat', 'messages', answers.stream(args, 'tool_calls'), {
        as: 'stream',
        wants: 'stream',
      })
      await expect(finalMessage(text)).rejects.toThrow('arguments that are no JSON object')
    })

    it('are what the model wrote for a client of Responses', () => {
      for (const form of forms) {
        const { text } = converted('chat', 'responses', answers[form.as](args, 'tool_calls'), form)
        expect(heardOf('responses', text, form.wants === 'stream').calls).toMatchObject([{ name: 'write', text: args }])
      }
    })

    it('are a call that could not be made for a client of Gemini', () => {
      for (const form of forms) {
        const { text, dropped } = converted('chat', 'gemini', answers[form.as](args, 'tool_calls'), form)
        expect(text).toContain('MALFORMED_FUNCTION_CALL')
        expect(dropped).toContain('functionCall.args')
      }
    })

    it('in the history stand in an object, on record', () => {
      const history = asked('chat', 'messages', historyOf(args))
      expect(JSON.stringify(history.body)).toContain(JSON.stringify({ arguments: args }))
      expect(history.dropped).toContain('messages[].arguments')
      expect(asked('chat', 'gemini', historyOf(args)).dropped).toContain('messages[].arguments')
    })
  },
)

const historyOf = (args: string): JsonObject => ({
  model: 'm',
  messages: [
    { role: 'user', content: 'go' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'write', arguments: args } }],
    },
    { role: 'tool', tool_call_id: 'call_1', content: 'ok' },
  ],
})

/** How models call a tool that takes nothing. */
describe.each(['null', '', ' ', ' null\n', '{}'])('no arguments, said as %j', (args) => {
  it.each(clients)('are an empty object for a client of %s', (to) => {
    for (const form of forms) {
      const { text, error, dropped } = converted('chat', to, answers[form.as](args, 'tool_calls'), form)
      expect(error).toBeNull()
      expect(dropped).toEqual([])
      const [call] = heardOf(to, text, form.wants === 'stream').calls
      expect(call).toMatchObject({ name: 'write' })
      expect(JSON.parse(call?.text === '' ? '{}' : (call?.text ?? 'none'))).toEqual({})
    }
  })

  it('are an empty object for a client of Chat', () => {
    const call = { id: 'fc_1', type: 'function_call', call_id: 'call_1', name: 'write', arguments: args }
    const body = JSON.stringify({ id: 'resp_1', object: 'response', status: 'completed', model: 'up', output: [call] })
    for (const wants of ['stream', 'body'] as const) {
      const { text } = converted('responses', 'chat', body, { as: 'body', wants })
      expect(heardOf('chat', text, wants === 'stream').calls).toMatchObject([{ name: 'write', text: '{}' }])
    }
  })

  it('are an empty object for Anthropic’s SDK', async () => {
    const { text } = converted('chat', 'messages', answers.stream(args, 'tool_calls'), {
      as: 'stream',
      wants: 'stream',
    })
    expect((await finalMessage(text)).content).toMatchObject([{ type: 'tool_use', input: {} }])
  })

  it('are an empty object in the history', () => {
    const messages = asked('chat', 'messages', historyOf(args))
    const gemini = asked('chat', 'gemini', historyOf(args))
    expect(JSON.stringify(messages.body)).toContain('"input":{}')
    expect(asList(gemini.body['contents']).map((content) => asObject(content)?.['parts'])).toContainEqual([
      expect.objectContaining({ functionCall: expect.objectContaining({ args: {} }) }),
    ])
    for (const { dropped } of [messages, gemini]) expect(dropped).not.toContain('messages[].arguments')
  })
})
