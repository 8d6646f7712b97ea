import type OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { ask } from '../testing/wire.ts'
import { simulatorClients, user } from './testing/simulator-clients.ts'

const { files, simulator, clients } = simulatorClients()

describe('a scenario file', () => {
  it('gives its replies in order of the conversation, the same one to a retry', async () => {
    files['demo/a.json'] = JSON.stringify({
      replies: [
        { text: 'first' },
        { tools: [{ name: 'read_file', arguments: { path: 'a' } }] },
        { text: 'third', finish: 'length' },
      ],
    })
    const { openai } = await clients('demo/~demo%2Fa.json')
    const messages: OpenAI.ChatCompletionMessageParam[] = user('go')
    const first = await openai.chat.completions.create({ model: 'm', messages })
    expect((await openai.chat.completions.create({ model: 'm', messages })).choices).toEqual(first.choices)
    messages.push({ role: 'assistant', content: 'first' }, ...user('on'))
    const second = await openai.chat.completions.create({ model: 'm', messages })
    expect(second.choices[0]?.finish_reason).toBe('tool_calls')
    messages.push(second.choices[0]?.message ?? { role: 'assistant' }, {
      role: 'tool',
      tool_call_id: 'c',
      content: 'r',
    })
    const third = await openai.chat.completions.create({ model: 'm', messages })
    expect([third.choices[0]?.message.content, third.choices[0]?.finish_reason]).toEqual(['third', 'length'])
    messages.push({ role: 'assistant', content: 'third' }, ...user('simulate: say beyond'))
    expect((await openai.chat.completions.create({ model: 'm', messages })).choices[0]?.message.content).toBe('beyond')
  })

  it.each([
    ['no file', 'gone.json', null, /gone\.json does not exist/],
    ['no JSON', 'bad.json', '{', /is not JSON/],
    ['a wrong member', 'odd.json', '{"replies":[{"txt":"a"}]}', /is wrong at replies\.0/],
  ])('with %s is an error that says so', async (_name, path, content, message) => {
    if (content !== null) files[path] = content
    const told = await ask(simulator(), { url: `simulator://demo/~${path}/v1/messages`, body: Buffer.from('{}') })
    expect([told.error?.code, told.error?.message]).toEqual(['bad-scenario', expect.stringMatching(message)])
  })
})
