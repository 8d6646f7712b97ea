/** Thinking that real clients drop goes back to the model that made it: over tool loops, turns and a restart. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { GoogleGenAI, type Content } from '@google/genai'
import { generateText, jsonSchema, stepCountIs, streamText, tool, type ModelMessage } from 'ai'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { removeHomes } from '../support/engine-process.ts'
import { startEngineForTest, type EngineForTest } from '../support/engine.ts'
import { callTool, say, startMockUpstream, type MockReply, type MockUpstream } from '../support/mock-upstream/index.ts'
import { waitFor } from '../../shared/testing/wait-for.ts'

const models = { anthropic: 'claude-sonnet-4-5', 'openai-responses': 'gpt-5.2' } as const
type Type = keyof typeof models
const types: readonly Type[] = ['anthropic', 'openai-responses']

let mock: MockUpstream
let engine: EngineForTest
let replies: MockReply[] = []
let before = 0
beforeAll(async () => {
  mock = await startMockUpstream({ keys: ['sk-up'] })
  engine = await startEngineForTest({
    clock: { enabled: false },
    servertools: { enabled: false },
    providers: Object.fromEntries(
      types.map((type) => [
        type,
        {
          type,
          baseUrl: type === 'openai-responses' ? `${mock.baseUrl}/v1` : mock.baseUrl,
          keys: [{ alias: 'main', value: 'sk-up' }],
          models: { [models[type]]: {} },
        },
      ]),
    ),
    routes: { default: types.map((type) => `${type}.${models[type]}`) },
    aliases: Object.fromEntries(types.map((type) => [`to-${type}`, `${type}.${models[type]}`])),
  })
})
afterAll(async () => {
  await engine.dispose()
  await mock.dispose()
  removeHomes()
})
beforeEach(() => {
  before = mock.turns().length
  mock.script(() => replies.shift())
})

/** Bytes of the nth request of this test, and what the nth answer sealed. */
const sent = (n: number): string => mock.turns()[before + n - 1]?.body.toString() ?? ''
const madeBy = (type: Type, n: number): string =>
  `${type === 'anthropic' ? '"signature":"sig_mock' : '"encrypted_content":"enc_mock'}` +
  `${mock.turns()[before + n - 1]?.n}"`
const times = (text: string, part: string): number => text.split(part).length - 1

const thinks = { thinking: 'Look at the file first.', text: 'I look.' }
const loop = (): MockReply[] => [
  callTool('look', { at: 'x' }, thinks),
  callTool('look', { at: 'y' }, { thinking: 'And the other.' }),
  say('Two files.', { thinking: 'That is all.' }),
]

describe.each(types)('AI SDK’s chat provider over %s', (type) => {
  const asked = () => ({
    model: createOpenAICompatible({ name: 'onward', baseURL: `${engine.baseUrl}/v1`, apiKey: engine.key })(
      `to-${type}`,
    ),
    maxRetries: 0,
    providerOptions: { onward: { reasoningEffort: 'high' } },
    stopWhen: stepCountIs(5),
    tools: {
      look: tool({
        description: 'Looks',
        inputSchema: jsonSchema({ type: 'object', properties: { at: { type: 'string' } } }),
        execute: async () => 'a file',
      }),
    },
  })

  it.each([true, false])('runs its own tool loop with thinking, streaming: %s', async (stream) => {
    replies = loop()
    const messages: ModelMessage[] = [{ role: 'user', content: `What is there? ${type} ${String(stream)}` }]
    const result = stream
      ? streamText({ ...asked(), messages, onError: () => undefined })
      : await generateText({ ...asked(), messages })
    expect(await result.text).toBe('Two files.')
    expect([1, 2].map((n) => times(sent(2), madeBy(type, n)))).toEqual([1, 0])
    expect([1, 2].map((n) => times(sent(3), madeBy(type, n)))).toEqual([1, 1])
    if (type === 'anthropic') expect(sent(3)).toContain('"thinking":{"type":"enabled"')

    messages.push(...(await result.response).messages, { role: 'user', content: 'Thanks' })
    await engine.stop()
    engine = await engine.restart()
    replies = [say('You are welcome.')]
    expect((await generateText({ ...asked(), messages })).text).toBe('You are welcome.')
    expect([1, 2, 3].map((n) => times(sent(4), madeBy(type, n)))).toEqual([1, 1, 1])
  })

  it('is told in the turn’s record what can’t be put back', async () => {
    replies = [say('Two files.', thinks), say('No.')]
    const question: ModelMessage = { role: 'user', content: `How many are there? ${type}` }
    await generateText({ ...asked(), messages: [question] })
    const messages: ModelMessage[] = [
      question,
      { role: 'assistant', content: 'Three files.' },
      { role: 'user', content: 'Sure?' },
    ]
    await generateText({ ...asked(), messages })
    expect(sent(2)).not.toContain(madeBy(type, 1))
    const record = await waitFor('the record of the turn', async () =>
      (await engine.control.api.turns.query(1)).find(({ dropped }) => dropped?.includes('thinking')),
    )
    expect(record.dropped?.filter((name) => name === 'thinking')).toEqual(['thinking'])
  })
})

describe.each(types)('an application over Google’s SDK that keeps words and calls, over %s', (type) => {
  it('gets the model’s thinking back for it', async () => {
    const google = new GoogleGenAI({ apiKey: engine.key, vertexai: false, httpOptions: { baseUrl: engine.baseUrl } })
    const contents: Content[] = [{ role: 'user', parts: [{ text: `What is there? ${type}` }] }]
    replies = loop()
    const ask = async () => {
      const parts = []
      const config = {
        tools: [{ functionDeclarations: [{ name: 'look' }] }],
        thinkingConfig: { includeThoughts: true, thinkingBudget: 2000 },
      }
      for await (const chunk of await google.models.generateContentStream({ model: `to-${type}`, contents, config }))
        parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []))
      return parts.filter((part) => !part.thought && part.text !== '')
    }
    for (let step = 0; step < 2; step++) {
      // An application of its own making: neither ids nor signatures, and a text in one piece.
      const parts = await ask()
      const text = parts.map((part) => part.text ?? '').join('')
      const calls = parts.flatMap(({ functionCall: call }) =>
        call ? [{ name: call.name ?? '', args: call.args ?? {} }] : [],
      )
      contents.push(
        {
          role: 'model',
          parts: [...(text === '' ? [] : [{ text }]), ...calls.map((functionCall) => ({ functionCall }))],
        },
        {
          role: 'user',
          parts: calls.map(({ name }) => ({ functionResponse: { name, response: { output: 'a file' } } })),
        },
      )
    }
    await ask()
    expect([1, 2].map((n) => times(sent(3), madeBy(type, n)))).toEqual([1, 1])
  })
})

it('is kept in files that only their owner can read', () => {
  const folders = readdirSync(engine.home, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /thinking[\\/][^\\/]+\.json$/.test(path),
  )
  expect(folders.length).toBeGreaterThan(0)
  for (const path of folders) {
    expect(statSync(join(engine.home, path)).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(engine.home, path), 'utf8')).toContain('_mock')
  }
})
