import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI, type GenerateContentResponse } from '@google/genai'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { wireProtocols, type WireProtocol } from './canonical/request.ts'
import type { ClientAnswer } from './testing/golden/client-answer.ts'
import { asBody, asStream } from './testing/golden/converted.ts'
import { canBeAskedBy, expectedOf, seenOf } from './testing/golden/expected.ts'
import type { Facts } from './testing/golden/facts.ts'
import { goldens, type Golden } from './testing/golden/load.ts'
import { readers } from './testing/golden/readers.ts'
import { withServer } from './testing/serve-once.ts'

type Form = 'stream' | 'body'
interface Served {
  form: Form
  bytes: Buffer
}

const hello = { role: 'user', content: 'hi' } as const
const types: Record<Form, string> = { stream: 'text/event-stream', body: 'application/json' }
const fetchOf =
  ({ form, bytes }: Served) =>
  () =>
    Promise.resolve(new Response(new Uint8Array(bytes), { headers: { 'content-type': types[form] } }))
const openai = (served: Served): OpenAI =>
  new OpenAI({ baseURL: 'http://provider.test/v1', apiKey: 'k', maxRetries: 0, fetch: fetchOf(served) })

/** Reads an answer with the official SDK, from the object that it hands to a program. */
const read: Record<WireProtocol, (served: Served) => Promise<ClientAnswer>> = {
  async chat(served) {
    const { completions } = openai(served).chat
    return readers.chat.body(
      await (served.form === 'stream'
        ? completions.stream({ model: 'm', messages: [hello] }).finalChatCompletion()
        : completions.create({ model: 'm', messages: [hello] })),
    )
  },
  async responses(served) {
    const { responses } = openai(served)
    return readers.responses.body(
      await (served.form === 'stream'
        ? responses.stream({ model: 'm', input: 'hi' }).finalResponse()
        : responses.create({ model: 'm', input: 'hi' })),
    )
  },
  async messages(served) {
    const { messages } = new Anthropic({
      baseURL: 'http://provider.test',
      apiKey: 'k',
      maxRetries: 0,
      fetch: fetchOf(served),
    })
    const asked = { model: 'm', max_tokens: 100, messages: [hello] }
    return readers.messages.body(
      await (served.form === 'stream' ? messages.stream(asked).finalMessage() : messages.create(asked)),
    )
  },
  gemini: ({ form, bytes }) =>
    withServer({ contentType: types[form], body: bytes }, async (baseUrl) => {
      const { models } = new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl } })
      const asked = { model: 'm', contents: 'hi' }
      const chunks: GenerateContentResponse[] = []
      if (form === 'body') chunks.push(await models.generateContent(asked))
      else for await (const chunk of await models.generateContentStream(asked)) chunks.push(chunk)
      return readers.gemini.stream(chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join(''))
    }),
}

const all = goldens()
const failed = ({ facts }: Golden): boolean => facts.finish === 'error' || facts.finish === 'broken-off'

/** OpenAI's helper for streams of Chat knows functions only. */
const helperKnows = ({ calls }: Facts, client: WireProtocol): boolean =>
  client !== 'chat' || calls.every((call) => typeof call.arguments !== 'string')

function converted(golden: Golden, client: WireProtocol, form: Form): Served {
  if (form === 'stream') return { form, bytes: Buffer.from(asStream(golden, client)) }
  const answer = asBody(golden, client)
  if (answer.kind === 'failed') throw new Error(`${answer.code}: ${answer.message}`)
  return { form, bytes: answer.body }
}

/** Answers of other protocols that a client of this one can get. */
const readBy = (client: WireProtocol): Golden[] =>
  all.filter(({ protocol, facts }) => protocol !== client && canBeAskedBy(facts, client) && helperKnows(facts, client))

describe.each(wireProtocols)('answers for a client of %s, read by its SDK', (client) => {
  const those = readBy(client)

  it.each(those.filter((golden) => !failed(golden)))('$name', async (golden) => {
    for (const form of ['stream', 'body'] as const) {
      const expected = expectedOf(golden.facts, client)
      const seen = seenOf(await read[client](converted(golden, client, form)), golden.facts)
      // OpenAI's helper keeps only the last piece of members that are not OpenAI's own.
      const thinking = client === 'chat' && form === 'stream' ? expected.thinking : seen.thinking
      expect({ ...seen, thinking }).toEqual(expected)
    }
  })

  it.each(those.filter(failed))('$name is an error', async (golden) => {
    await expect(read[client](converted(golden, client, 'stream'))).rejects.toThrow()
    expect(() => converted(golden, client, 'body')).toThrow()
  })
})

/** Vendors whose own SDKs these are: their answers must be what their SDKs read. */
const vendors: Record<WireProtocol, string> = {
  chat: 'chat/openai/',
  responses: 'responses/openai/',
  messages: 'messages/anthropic/',
  gemini: 'gemini/ai-studio/',
}

/** Answers that their SDKs, or our reader of their objects, do not follow. */
const others: Readonly<Record<string, string>> = {
  'responses/openai/apply-patch-call': 'the helper for streams throws at an event that its types do not have yet',
  'gemini/ai-studio/several-candidates': 'the facts are those of the first candidate, our reader puts all together',
}

const ownOf = (protocol: WireProtocol): Golden[] =>
  all.filter(
    (golden) =>
      golden.name.startsWith(vendors[protocol]) &&
      !(golden.name in others) &&
      !failed(golden) &&
      helperKnows(golden.facts, protocol),
  )

it('an official SDK reads every golden answer', () => {
  const read = new Set(wireProtocols.flatMap((protocol) => [...readBy(protocol), ...ownOf(protocol)]))
  expect(all.filter((golden) => !read.has(golden)).map(({ name }) => name)).toEqual([])
})

describe.each(wireProtocols)('golden answers of %s as their vendor’s SDK reads them', (protocol) => {
  const own = ownOf(protocol)

  it.each(own)('$name', async (golden) => {
    const { text, calls } = await read[protocol](golden)
    expect(text).toBe(golden.facts.text)
    // Calls that the vendor runs itself, and the older `function_call`, are no calls to our reader.
    const names = calls.map(({ name }) => name).filter((name) => name !== '')
    const isOlder = golden.bytes.includes('"function_call":{')
    expect(names).toEqual(isOlder ? [] : golden.facts.calls.map(({ name }) => name))
  })
})
