/** What a provider of another protocol does not have: stored responses, counting; and the record of what was lost. */
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { conversionBench, modelOf, pairs, spoken } from '../support/conversion-bench.ts'
import { callTool, say } from '../support/mock-upstream/index.ts'
import { waitFor } from '../../shared/testing/wait-for.ts'

const b = conversionBench()

describe.each(spoken.filter((type) => type !== 'openai-responses'))('previous_response_id over %s', (type) => {
  const openai = () => new OpenAI({ baseURL: `${b.engine.baseUrl}/v1`, apiKey: b.engine.key, maxRetries: 0 })

  it.each([
    ['whole', false],
    ['streaming', true],
  ])('tells the provider the whole conversation, %s', async (_how, stream) => {
    b.answers(
      callTool('look', { at: 'x' }, { call: { id: 'call_1' }, text: 'Looking.' }),
      say('A tree.'),
      say('You are welcome.'),
    )
    const tools: OpenAI.Responses.FunctionTool[] = [
      {
        type: 'function',
        name: 'look',
        description: 'Looks',
        strict: false,
        parameters: { type: 'object', properties: { at: { type: 'string' } } },
      },
    ]
    const ask = async (more: {
      input: OpenAI.Responses.ResponseInput | string
      previous_response_id?: string
    }): Promise<OpenAI.Responses.Response> => {
      const body = { model: modelOf(type), tools, instructions: 'Be brief.', ...more }
      return stream ? openai().responses.stream(body).finalResponse() : openai().responses.create(body)
    }
    const first = await ask({ input: 'What is there?' })
    const second = await ask({
      previous_response_id: first.id,
      input: [{ type: 'function_call_output', call_id: 'call_1', output: 'a tree' }],
    })
    expect(second.output_text).toBe('A tree.')
    const third = await ask({ previous_response_id: second.id, input: 'Thanks' })
    expect(third.output_text).toBe('You are welcome.')
    expect(b.heard(3)).toMatchObject({
      system: 'Be brief.',
      calls: [{ id: 'call_1', name: 'look', input: { at: 'x' } }],
      results: [{ id: 'call_1', text: 'a tree' }],
    })
    const body = b.request(3).body.toString()
    for (const text of ['What is there?', 'Looking.', 'A tree.', 'Thanks']) expect(body).toContain(text)
    expect(new Set([first.id, second.id, third.id]).size).toBe(3)
  })

  it('refuses a response it does not know', async () => {
    await expect(
      openai().responses.create({ model: modelOf(type), input: 'Hi', previous_response_id: 'resp_unknown' }),
    ).rejects.toMatchObject({ status: 400, code: 'previous_response_not_found' })
  })
})

describe('what a target can’t express', () => {
  it('is told in the turn’s record by name', async () => {
    const pair = pairs.find(({ client, type }) => client.name === '@anthropic-ai/sdk' && type === 'openai-responses')
    if (!pair) throw new Error('no such pair')
    b.answers(say('Hi.'))
    const talk = b.talk(pair)
    talk.user('A request to be found')
    await talk.ask({ stream: false, stop: ['END'] })
    await waitFor('the record', async () =>
      (await b.engine.control.api.turns.query(5)).some((turn) => turn.dropped?.some((name) => name.includes('stop'))),
    )
  })

  it('is no reason to count wrongly: tokens are estimated', async () => {
    const anthropic = new Anthropic({ baseURL: b.engine.baseUrl, apiKey: b.engine.key, maxRetries: 0 })
    const count = async (model: string, text: string): Promise<number> =>
      (await anthropic.messages.countTokens({ model, messages: [{ role: 'user', content: text }] })).input_tokens
    for (const type of spoken.filter((t) => t !== 'anthropic')) {
      const few = await count(modelOf(type), 'Hi')
      expect(few).toBeGreaterThan(0)
      expect(await count(modelOf(type), 'word '.repeat(1000))).toBeGreaterThan(few + 900)
    }
  })
})
