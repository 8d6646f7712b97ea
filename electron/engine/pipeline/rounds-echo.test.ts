import { describe, expect, it } from 'vitest'
import { entryProtocols } from '../../../shared/words.ts'
import { objectsOf } from '../protocol/join/testing/rounds.ts'
import { asObject, parseObject, type JsonObject } from '../protocol/values.ts'
import { requestOf, userItem } from './testing/client-view.ts'
import { roundsScene } from './testing/rounds-scene.ts'
import { lookTool } from './testing/slow-tool.ts'

const readTool = {
  type: 'function',
  name: 'Read',
  description: 'Own.',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  strict: false,
}

/** Members that a response repeats, each with a value of the client's own. */
const asked: JsonObject = {
  instructions: 'Be short.',
  max_output_tokens: 500,
  max_tool_calls: 7,
  metadata: { team: 'a' },
  parallel_tool_calls: false,
  prompt_cache_key: 'k1',
  reasoning: { effort: 'high', summary: 'auto' },
  safety_identifier: 'u7',
  service_tier: 'flex',
  store: false,
  temperature: 0.4,
  text: { verbosity: 'low' },
  tool_choice: { type: 'function', name: 'Read' },
  tools: [readTool, { type: 'web_search' }],
  top_logprobs: 2,
  top_p: 0.9,
  truncation: 'auto',
  user: 'me',
}

/** Returns all copies of the request in an answer. */
const echoesOf = (text: string, stream: boolean): JsonObject[] =>
  stream
    ? objectsOf(text).flatMap((event) => {
        const response = asObject(event['response'])
        return response ? [response] : []
      })
    : [parseObject(Buffer.from(text)) ?? {}]

const looks = { text: 'One.', toolCalls: [{ name: 'look', id: 'call_a', input: {} }] }

describe.each(entryProtocols)('what a response repeats of its request, answered by %s', (provider) => {
  const scene = () => roundsScene('responses', { provider, tools: [lookTool({ declared: 'every-turn' })] })

  describe.each([true, false])('stream: %s', (stream) => {
    it.each([
      ['alone', 1],
      ['made of two rounds', 2],
    ])('is what the client sent, member by member: an answer %s', async (_, rounds) => {
      const s = await scene()
      const { client, over } = await s.ask({ model: 'm', input: 'Hi', ...asked }, { stream })
      const first = await s.upstream.round(1)
      expect(first.body.toString()).toContain('"look"')
      if (rounds === 2) {
        first.answer(looks)
        ;(await s.upstream.round(2)).answer({ text: 'Two.' })
      } else first.answer({ text: 'One.' })
      const { error } = await over
      expect(error).toBeNull()
      expect(client.text).not.toContain('"look"')
      const echoes = echoesOf(client.text, stream)
      expect(echoes).toHaveLength(stream ? 3 : 1)
      for (const echo of echoes) {
        expect(echo['tools']).toEqual(asked['tools'])
        // The provider may fill in the rest as it likes.
        if (provider === 'responses') continue
        for (const [name, value] of Object.entries(asked))
          if (name === 'text') expect(echo[name]).toEqual({ format: { type: 'text' }, verbosity: 'low' })
          else expect([name, echo[name]]).toEqual([name, value])
      }
    })

    it('has no tools and the usual choice where the client declares none', async () => {
      const s = await scene()
      const { client, over } = await s.ask({ model: 'm', input: 'Hi' }, { stream })
      const first = await s.upstream.round(1)
      expect(first.body.toString()).toContain('"look"')
      first.answer({ text: 'One.' })
      await over
      for (const echo of echoesOf(client.text, stream))
        expect(echo).toMatchObject({ tools: [], tool_choice: 'auto', previous_response_id: null, instructions: null })
    })

    it('names the response that the client went on from', async () => {
      const s = await scene()
      const one = await s.ask({ model: 'm', input: 'Hi', store: true }, { stream })
      ;(await s.upstream.round(1)).answer(looks)
      ;(await s.upstream.round(2)).answer({ text: 'Two.' })
      await one.over
      const id = echoesOf(one.client.text, stream).at(-1)?.['id']
      const two = await s.ask({ model: 'm', input: 'More', store: true, previous_response_id: id }, { stream })
      const third = await s.upstream.round(3)
      if (provider === 'responses') expect(third.json['previous_response_id']).not.toBe(id)
      third.answer({ text: 'Three.' })
      await two.over
      for (const echo of echoesOf(two.client.text, stream)) expect(echo['previous_response_id']).toBe(id)
    })
  })
})

it.each(entryProtocols.flatMap((client) => entryProtocols.map((provider) => [client, provider] as const)))(
  'no answer to a %s client by a %s provider holds the name of a tool of Onward’s',
  async (entry, provider) => {
    for (const stream of [true, false]) {
      const s = await roundsScene(entry, { provider, tools: [lookTool()] })
      const { client, over } = await s.ask(requestOf(entry, [userItem(entry, 'Hi')]), { stream })
      ;(await s.upstream.round(1)).answer(looks)
      ;(await s.upstream.round(2)).answer({ text: 'Two.' })
      await over
      expect(client.text).toContain('Two.')
      expect(client.text).not.toContain('"look"')
    }
  },
)
