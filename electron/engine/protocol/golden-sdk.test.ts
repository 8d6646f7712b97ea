import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI, type GenerateContentResponse } from '@google/genai'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { wireProtocols, type WireProtocol } from './canonical/request.ts'
import { asStream } from './testing/golden/converted.ts'
import { canBeAskedBy, expectedOf } from './testing/golden/expected.ts'
import type { Facts } from './testing/golden/facts.ts'
import { goldens, type Golden } from './testing/golden/load.ts'
import { withServer } from './testing/serve-once.ts'

/** What an SDK makes of the stream, as far as a program looks at it. */
interface Read {
  words: string
  calls: { name: string; arguments: unknown }[]
}

const hello = { role: 'user', content: 'hi' } as const
const served = (golden: Golden, client: WireProtocol) => {
  const body = asStream(golden, client)
  return () => Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }))
}
const openai = (golden: Golden, client: WireProtocol): OpenAI =>
  new OpenAI({ baseURL: 'http://provider.test/v1', apiKey: 'k', maxRetries: 0, fetch: served(golden, client) })

/** The official SDKs as clients of converted answers. */
const read: Record<WireProtocol, (golden: Golden) => Promise<Read>> = {
  async chat(golden) {
    const stream = openai(golden, 'chat').chat.completions.stream({ model: 'm', messages: [hello] })
    const message = (await stream.finalChatCompletion()).choices[0]?.message
    return {
      words: (message?.content ?? '') + (message?.refusal ?? ''),
      calls: (message?.tool_calls ?? []).map(({ function: { name, arguments: given } }) => ({
        name,
        arguments: parsed(given),
      })),
    }
  },
  async responses(golden) {
    const { output } = await openai(golden, 'responses').responses.stream({ model: 'm', input: 'hi' }).finalResponse()
    return {
      words: output
        .flatMap((item) => (item.type === 'message' ? item.content : []))
        .map((part) => (part.type === 'refusal' ? part.refusal : part.text))
        .join(''),
      calls: output.flatMap((item) =>
        item.type === 'function_call'
          ? [{ name: item.name, arguments: parsed(item.arguments) }]
          : item.type === 'custom_tool_call'
            ? [{ name: item.name, arguments: item.input }]
            : [],
      ),
    }
  },
  async messages(golden) {
    const sdk = new Anthropic({
      baseURL: 'http://provider.test',
      apiKey: 'k',
      maxRetries: 0,
      fetch: served(golden, 'messages'),
    })
    const { content } = await sdk.messages.stream({ model: 'm', max_tokens: 100, messages: [hello] }).finalMessage()
    return {
      words: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
      calls: content.flatMap((block) =>
        block.type === 'tool_use' ? [{ name: block.name, arguments: block.input }] : [],
      ),
    }
  },
  gemini: (golden) =>
    withServer({ contentType: 'text/event-stream', body: Buffer.from(asStream(golden, 'gemini')) }, async (baseUrl) => {
      const sdk = new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl } })
      const chunks: GenerateContentResponse[] = []
      for await (const chunk of await sdk.models.generateContentStream({ model: 'm', contents: 'hi' }))
        chunks.push(chunk)
      const parts = chunks.flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? [])
      return {
        words: parts.map((part) => (part.thought ? '' : (part.text ?? ''))).join(''),
        calls: parts.flatMap(({ functionCall: call }) =>
          call ? [{ name: call.name ?? '', arguments: call.args }] : [],
        ),
      }
    }),
}

const all = goldens()
const note = /(?:\n\n)?\[[^[\]\n]+, not shown by this client\](?:\n\n)?/g

/** OpenAI's helper for streams of Chat knows functions only. */
const helperKnows = ({ calls }: Facts, client: WireProtocol): boolean =>
  client !== 'chat' || calls.every((call) => typeof call.arguments !== 'string')

describe.each(wireProtocols)('answers for a client of %s, read by its SDK', (client) => {
  const those = all.filter(
    ({ protocol, facts }) => protocol !== client && canBeAskedBy(facts, client) && helperKnows(facts, client),
  )
  const failed = ({ facts }: Golden): boolean => facts.finish === 'error' || facts.finish === 'broken-off'

  it.each(those.filter((golden) => !failed(golden)))('$name', async (golden) => {
    const { words, calls } = expectedOf(golden.facts, client)
    const seen = await read[client](golden)
    expect({ ...seen, words: seen.words.replaceAll(note, '') }).toEqual({
      words,
      calls: calls.map(({ name, arguments: given }) => ({ name, arguments: given })),
    })
  })

  it.each(those.filter(failed))('$name is an error', async (golden) => {
    await expect(read[client](golden)).rejects.toThrow()
  })
})

function parsed(json: string): unknown {
  const value: unknown = JSON.parse(json)
  return value
}
