/** A machine without any configuration: the built-in simulator answers every protocol through the real engine. */
import Anthropic from '@anthropic-ai/sdk'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bodyOf, bodyEntries, messagesEntry, type TestEntry } from '../support/entries.ts'
import { removeHomes, startEngine, type EngineProcess } from '../support/engine-process.ts'
import { call, post } from '../support/post.ts'

/** Nothing configured, so no key is asked of callers on this machine. */
const key = 'whatever'
let engine: EngineProcess
beforeAll(async () => {
  engine = await startEngine()
})
afterAll(async () => {
  await engine.stop()
  removeHomes()
})
const openai = (): OpenAI => new OpenAI({ baseURL: `${engine.baseUrl}/v1`, apiKey: key, maxRetries: 0 })
const anthropic = (): Anthropic => new Anthropic({ baseURL: engine.baseUrl, apiKey: key, maxRetries: 0 })
const ask = (door: TestEntry, text: string, more: Record<string, unknown> = {}) =>
  post({ ...engine, key }, door.path, bodyOf(door, [text], more), { headers: door.headers })
const user = [{ role: 'user' as const, content: 'simulate: think well simulate: say hello there' }]

describe('the official SDKs', () => {
  it.each([
    ['whole', false],
    ['streaming', true],
  ])('Chat, %s', async (_how, streaming) => {
    const asked = { model: 'gpt-x', messages: user }
    const answer = streaming
      ? await openai().chat.completions.stream(asked).finalChatCompletion()
      : await openai().chat.completions.create(asked)
    expect(answer.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'hello there' } })
  })

  it.each([
    ['whole', false],
    ['streaming', true],
  ])('Responses, %s', async (_how, streaming) => {
    const asked = { model: 'gpt-x', input: user }
    const answer = streaming
      ? await openai().responses.stream(asked).finalResponse()
      : await openai().responses.create(asked)
    expect(answer).toMatchObject({
      status: 'completed',
      output_text: 'hello there',
      output: [{ type: 'reasoning' }, { type: 'message' }],
    })
  })

  it.each([
    ['whole', false],
    ['streaming', true],
  ])('Messages, %s', async (_how, streaming) => {
    const asked = { model: 'claude-x', max_tokens: 100, messages: user }
    const answer = streaming
      ? await anthropic().messages.stream(asked).finalMessage()
      : await anthropic().messages.create(asked)
    expect(answer).toMatchObject({
      stop_reason: 'end_turn',
      content: [{ type: 'thinking' }, { type: 'text', text: 'hello there' }],
    })
  })

  it('token counts, compaction and models', async () => {
    expect((await anthropic().messages.countTokens({ model: 'm', messages: user })).input_tokens).toBeGreaterThan(5)
    expect((await openai().responses.compact({ model: 'm', input: user })).output.map((item) => item.type)).toContain(
      'compaction',
    )
    const listed: string[] = []
    for await (const model of openai().models.list()) listed.push(model.id)
    expect(listed).toEqual(['simulator'])
  })
})

describe('what it plays', () => {
  it('it says that it is a simulator, in the status too', async () => {
    for (const door of bodyEntries) {
      const answer = await ask(door, 'Who are you?')
      expect([answer.status, answer.headers['x-simulator']]).toEqual([200, 'Onward'])
      expect(answer.body.toString()).toContain('built-in simulator, not a model')
    }
    expect(await engine.control.api.status.query()).toMatchObject({ simulator: true, providers: [{ id: 'simulator' }] })
  })

  it.each(bodyEntries)('errors and break-offs, in the protocol’s own shape: $entry', async (door) => {
    const limited = await ask(door, 'simulate: error 429 after 3')
    expect([limited.status, limited.headers['retry-after']]).toEqual([429, '3'])
    expect(JSON.parse(limited.body.toString())).toMatchObject({ error: { message: expect.any(String) } })
    for (const words of ['break off', 'no end']) {
      const broken = await ask(door, `simulate: long 30 simulate: ${words}`, { stream: true })
      expect(broken.body.toString()).toContain('upstream-broke-off')
    }
    expect((await ask(door, 'simulate: break off')).status).toBe(502)
  })

  it.each(bodyEntries)('a client may leave it in the middle: $entry', async (door) => {
    const asked = call(
      { ...engine, key },
      door.path,
      bodyOf(door, ['simulate: long 500 simulate: slow 20'], { stream: true }),
      { headers: { ...door.headers, 'session-id': `leaves-${door.entry}` } },
    )
    await asked.head
    asked.leave()
    expect((await engine.control.event('turn-ended', (body) => body.clientLeft)).sessionId).toMatch(/^leaves-/)
  })

  it('a scenario from a file below the home, and none from elsewhere', async () => {
    writeFileSync(
      join(engine.home, 'demo.json'),
      JSON.stringify({ replies: [{ text: 'First.' }, { text: 'Second.' }] }),
    )
    writeFileSync(
      join(engine.home, 'config.json'),
      JSON.stringify({
        providers: {
          demo: { type: 'simulator', scenario: 'demo.json' },
          out: { type: 'simulator', scenario: '../demo.json' },
        },
      }),
    )
    await expect
      .poll(async () => (await ask(messagesEntry, 'Hi', { model: 'demo/m' })).body.toString())
      .toContain('First.')
    expect(
      (
        await post(
          { ...engine, key },
          messagesEntry.path,
          bodyOf(messagesEntry, ['Hi', 'First.', 'On'], { model: 'demo/m' }),
          { headers: messagesEntry.headers },
        )
      ).body.toString(),
    ).toContain('Second.')
    const outside = await ask(messagesEntry, 'Hi', { model: 'out/m' })
    expect(outside.status).toBeGreaterThanOrEqual(500)
    expect(outside.body.toString()).not.toContain('First.')
  })
})
