/** An agent on a model that can't see: a model of the route `vision` tells it what is on the images. */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { ConfigInput } from '../shared/config/schema.ts'
import { removeHomes } from './support/engine-process.ts'
import { startEngineForTest, type EngineForTest } from './support/engine.ts'
import { fetchWith } from './support/fetch-with.ts'
import { fail, say, startMockUpstream, type MockReply, type MockUpstream } from './support/mock-upstream/index.ts'
import { conversationOf } from './support/provider-history.ts'
import { sdkClients, type Talk } from './support/sdk-clients/index.ts'
import { onePixel } from './support/sdk-clients/pictures.ts'
import { waitFor } from '../shared/testing/wait-for.ts'

let mock: MockUpstream
let engine: EngineForTest
let replies: MockReply[] = []
let before = 0
beforeAll(async () => {
  mock = await startMockUpstream({ keys: ['sk-upstream'], auxiliary: 'script' })
  const keys = [{ alias: 'main', value: 'sk-upstream' }]
  const config: ConfigInput = {
    providers: {
      blind: { type: 'openai-chat', baseUrl: `${mock.baseUrl}/v1`, keys, models: { 'text-1': { vision: false } } },
      eye: { type: 'anthropic', baseUrl: mock.baseUrl, keys, models: { 'eye-1': { vision: true } } },
    },
    routes: { default: ['blind.text-1'], vision: ['eye.eye-1'] },
    routing: { failures: 1_000 },
  }
  engine = await startEngineForTest(config)
})
afterAll(async () => {
  await engine.dispose()
  await mock.dispose()
  removeHomes()
})
afterEach(() => {
  expect(mock.problems).toEqual([])
})

function talkWith(name: string, session: string, ...answers: MockReply[]): Talk {
  const client = sdkClients.find((one) => one.name === name)
  if (!client) throw new Error(`no SDK ${name}`)
  before = mock.requests.length
  replies = answers
  mock.script(() => replies.shift())
  return client.talk({
    baseUrl: engine.baseUrl,
    key: engine.key,
    model: 'any',
    fetch: fetchWith({ 'x-session-id': session }),
  })
}
const models = (): unknown[] =>
  mock.requests.slice(before).map(({ json }) => (json as Record<string, unknown>)['model'])
const bodyOf = (n: number): string => mock.requests[before + n - 1]?.body.toString() ?? ''

describe.each(['@anthropic-ai/sdk', 'openai Chat', 'openai Responses', '@google/genai'])('with %s', (name) => {
  it('sees an image once, and reads of it ever after', async () => {
    const session = randomUUID()
    const talk = talkWith(name, session, say('A red dot.'), say('One pixel, red.'), say('Yes, red.'), say('Goodbye.'))
    talk.user('What is this?', {
      ...onePixel,
      base64: `${onePixel.base64.slice(0, -4)}${Buffer.from(name.slice(-3)).toString('base64')}`,
    })
    expect((await talk.ask({ stream: true })).text).toBe('A red dot.')
    talk.user('Are you sure?')
    expect((await talk.ask({ stream: true })).text).toBe('Yes, red.')
    expect(models()).toEqual(['eye-1', 'eye-1', 'text-1'])
    expect(bodyOf(2)).toContain('iVBORw0KGgo')
    expect(bodyOf(3)).not.toContain('iVBORw0KGgo')
    expect(bodyOf(3)).toContain('One pixel, red.')

    talk.user('Thanks.')
    expect((await talk.ask({ stream: true })).text).toBe('Goodbye.')
    expect(models()).toEqual(['eye-1', 'eye-1', 'text-1', 'text-1'])
    const [third, fourth] = [mock.requests[before + 2], mock.requests[before + 3]]
    if (!third || !fourth) throw new Error('requests are missing')
    expect(conversationOf(fourth).slice(0, conversationOf(third).length)).toEqual(conversationOf(third))
    await waitFor('the timeline', async () =>
      (await engine.control.api.timeline.query({ session, limit: 50 })).some(
        ({ body }) =>
          body.type === 'servertool-reacted' && body.tool === 'vision_auto' && body.note.includes('eye.eye-1'),
      ),
    )
  })
})

it('goes on with a word of why when nobody can look', async () => {
  const talk = talkWith(
    '@anthropic-ai/sdk',
    randomUUID(),
    say('A dot.'),
    fail(400, { message: 'no images today' }),
    say('As you say.'),
  )
  talk.user('What is this?', { ...onePixel, base64: `${onePixel.base64.slice(0, -4)}AAAA` })
  await talk.ask({ stream: false })
  talk.user('Sure?')
  expect((await talk.ask({ stream: false })).text).toBe('As you say.')
  expect(bodyOf(3)).not.toContain('iVBORw0KGgo')
  expect(bodyOf(3)).toContain('no images today')
})
