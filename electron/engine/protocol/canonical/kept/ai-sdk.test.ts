import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { jsonSchema, stepCountIs, streamText, tool } from 'ai'
import { expect, it } from 'vitest'
import { conversionOf } from '../../conversions.ts'
import { conversionFor } from '../../testing/golden/converted.ts'
import { goldens, type Golden } from '../../testing/golden/load.ts'
import { asText, parseObject, type JsonObject } from '../../values.ts'
import { convertToStream } from '../testing/convert-bytes.ts'
import { readCanonical, writeCanonical } from '../convert-request.ts'
import type { WireProtocol } from '../request.ts'
import { collectAnswer, type KeptAnswer } from './match-answers.ts'
import { putBack } from './put-back.ts'

const golden = (name: string): Golden => {
  const found = goldens().find((one) => one.name === name)
  if (!found) throw new Error(`There is no golden answer ${name}.`)
  return found
}
const withCall = 'messages/anthropic/interleaved-thinking-tool'
const byOpenai = 'responses/openai/reasoning-and-call'

/** A loop of the AI SDK: it is answered with the provider's call, runs the tool, and asks again by itself. */
async function secondRequest(client: 'chat' | 'messages', first: Golden, model: string) {
  const answers: KeptAnswer[] = []
  const asked: { body: JsonObject; lost: boolean }[] = []
  const respond = (_: unknown, init?: { body?: unknown }): Promise<Response> => {
    const request = readCanonical(conversionOf[client], parseObject(Buffer.from(asText(init?.body) ?? '')) ?? {}, '/v1')
    const back = putBack(request, answers, 'p.m', false)
    const written = writeCanonical(back.request, conversionOf[first.protocol], { model, maxOutput: 64_000 })
    asked.push({ body: parseObject(written.body) ?? {}, lost: back.lost })
    const answer = asked.length === 1 ? first : golden('messages/anthropic/thinking-with-signature')
    const facts = { of: answer.protocol, by: 'p.m', ordinal: asked.length - 1, at: 0 }
    const stream = convertToStream({
      ...conversionFor(answer, client),
      watch: collectAnswer(facts, (one) => answers.push(one)),
    })
    const bytes = answer.protocol === client ? answer.bytes : Buffer.concat([stream.push(answer.bytes), stream.end()])
    return Promise.resolve(new Response(new Uint8Array(bytes), { headers: { 'content-type': 'text/event-stream' } }))
  }
  const at = { baseURL: 'http://onward.test/v1', apiKey: 'k', fetch: respond }
  const provider =
    client === 'chat' ? createOpenAICompatible({ name: 'onward', ...at }).chatModel('m') : createAnthropic(at)('m')
  const tools = Object.fromEntries(
    first.facts.calls.map(({ name }) => [
      name,
      tool({ inputSchema: jsonSchema({ type: 'object' }), execute: () => Promise.resolve('done') }),
    ]),
  )
  await streamText({ model: provider, prompt: 'go', tools, stopWhen: stepCountIs(2), maxRetries: 0 }).consumeStream()
  return { asked, answers }
}

const sealsOf = (protocol: WireProtocol, text: string): string[] =>
  [...text.matchAll(protocol === 'messages' ? /"signature":\s*"([^"]+)"/g : /"encrypted_content":\s*"([^"]+)"/g)].map(
    ([, seal = '']) => seal,
  )

it('an agent on the AI SDK’s Chat client gives Claude its signed thinking back', async () => {
  const first = golden(withCall)
  const { asked } = await secondRequest('chat', first, 'claude-opus-4-5')
  expect(asked).toHaveLength(2)
  expect(asked[1]?.lost).toBe(false)
  expect(sealsOf('messages', JSON.stringify(asked[1]?.body))).toEqual(sealsOf('messages', first.bytes.toString()))
  expect(JSON.stringify(asked[1]?.body)).toContain('tool_result')
})

it('an agent on its Anthropic client gives OpenAI its encrypted reasoning back', async () => {
  const first = golden(byOpenai)
  const { asked } = await secondRequest('messages', first, 'gpt-5.4')
  expect(asked).toHaveLength(2)
  expect(asked[1]?.lost).toBe(false)
  const made = sealsOf('responses', first.bytes.toString()).at(-1)
  expect(made).toBeDefined()
  expect(sealsOf('responses', JSON.stringify(asked[1]?.body))).toEqual([made])
  expect(JSON.stringify(asked[1]?.body)).toContain('function_call_output')
})
