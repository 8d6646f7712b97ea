import { describe, expect, it } from 'vitest'
import { checkChat } from '../../../../e2e/support/mock-upstream/check-chat.ts'
import { OnwardError } from '../../base/errors.ts'
import { systemRandom } from '../../base/ids.ts'
import { virtualClock } from '../../base/testing/virtual-clock.ts'
import { codecOf } from '../../protocol/index.ts'
import type { Source } from '../../protocol/canonical/request.ts'
import { ask as routeAsk, routerScene, targetOf } from '../../router/testing/scene.ts'
import { createAskVision } from './ask-vision.ts'
import { createInternalCall } from './internal-call.ts'
import type { ClientCall, RunTurn } from '../turn.ts'

const data: Source = { kind: 'data', mediaType: 'image/webp', base64: 'AAAA' }

function world(runTurn: RunTurn, route: { provider: string; model: string } | null = { provider: 'eye', model: 'm' }) {
  const clock = virtualClock()
  const calls: ClientCall[] = []
  const call = createInternalCall({
    runTurn: (asked) => {
      calls.push(asked)
      return runTurn(asked)
    },
    clock,
    random: systemRandom(),
    version: '1',
  })
  const ask = createAskVision({
    call,
    servedBy: (requestId) => (requestId === calls.at(-1)?.requestId ? route : null),
    isBlind: (provider) => provider === 'blind',
  })
  return {
    calls,
    clock,
    look: (image: Source = data) => ask({ instructions: 'be exact', text: 'Describe this image.', image }, 60_000),
  }
}
const answers =
  (body: unknown, status = 200): RunTurn =>
  async ({ reply }) => {
    reply.head(status, { 'content-type': 'application/json' })
    reply.end(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)))
  }
const said = (message: unknown, finish = 'stop') => ({
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message, finish_reason: finish }],
})

describe('a question about an image', () => {
  it.each<[Source, string]>([
    [data, 'data:image/webp;base64,AAAA'],
    [{ kind: 'url', url: 'https://x.example/a.png', mediaType: null }, 'https://x.example/a.png'],
  ])('goes to the route for images in Chat: %j', async (image, url) => {
    const { look, calls } = world(answers(said({ role: 'assistant', content: 'a cat' })))
    expect(await look(image)).toEqual({ text: 'a cat', by: 'eye.m' })
    const [call] = calls
    expect(call).toMatchObject({
      entry: 'chat',
      endpoint: 'generate',
      path: '/v1/chat/completions',
      internal: { kind: 'probe' },
    })
    const codec = codecOf('chat')
    const lens = codec.read(call?.body ?? Buffer.alloc(0))
    expect(checkChat(JSON.parse(lens.body.toString()))).toEqual([])
    expect(codec.needs(lens).image()).toBe(true)
    expect(lens.value('messages')).toEqual([
      { role: 'system', content: 'be exact' },
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url } },
          { type: 'text', text: 'Describe this image.' },
        ],
      },
    ])

    const model = {
      type: 'openai-chat' as const,
      baseUrl: 'http://127.0.0.1:1',
      auth: 'none' as const,
      models: { m: {} },
    }
    const scene = routerScene({
      providers: { main: model, eye: model, small: model },
      routes: { default: ['main.m'], vision: ['eye.m'], background: ['small.m'] },
    })
    expect(
      targetOf(scene.choose(routeAsk({ model: lens.model, sessionId: null, kind: 'probe', needs: { image: true } }))),
    ).toBe('eye.m')
  })
  it('that only its vendor could answer is not asked', async () => {
    const { look, calls } = world(answers({}))
    await expect(look({ kind: 'id', of: 'messages', id: 'f' })).rejects.toMatchObject({ code: 'image-unreadable' })
    expect(calls).toEqual([])
  })
  it.each<[string, unknown, string]>([
    [
      'parts',
      said({
        role: 'assistant',
        content: [
          { type: 'text', text: 'a ' },
          { type: 'text', text: 'cat' },
        ],
      }),
      'a cat',
    ],
    ['thinking', said({ role: 'assistant', reasoning_content: 'hm', content: 'a cat' }), 'a cat'],
    ['nothing', said({ role: 'assistant', content: null }, 'length'), ''],
  ])('is answered with %s', async (_, body, text) => {
    const found = await world(answers(body)).look()
    expect(found.text.replaceAll('\n', '')).toBe(text)
  })
  it.each<[string, RunTurn, { provider: string; model: string } | null, string, string]>([
    [
      'an error of the router',
      async () => {
        throw new OnwardError('all-resting', 'All rest.', { status: 429 })
      },
      null,
      'all-resting',
      'All rest.',
    ],
    [
      'a refusal',
      answers({ error: { message: 'too large', type: 'x' } }, 400),
      { provider: 'eye', model: 'm' },
      'vision-refused',
      'eye.m refused with status 400: too large',
    ],
    [
      'a refusal without words',
      answers('<html>', 502),
      null,
      'vision-refused',
      'the route “vision” refused with status 502',
    ],
    [
      'a page',
      answers('<html>'),
      null,
      'bad-answer',
      'the route “vision” answered with something that is no Chat answer.',
    ],
    ['another shape', answers({ ok: true }), null, 'bad-answer', 'The provider answered without a message.'],
    ['an error within', answers({ error: { message: 'broken', code: 'oops' } }), null, 'oops', 'broken'],
    [
      'words that decline',
      answers(said({ role: 'assistant', content: null, refusal: 'no' })),
      { provider: 'eye', model: 'm' },
      'vision-refused',
      'eye.m declined to describe it.',
    ],
    [
      'what a blind model makes up',
      answers(said({ role: 'assistant', content: 'a lovely picture' })),
      { provider: 'blind', model: 'x' },
      'vision-blind',
      'No model of the route “vision” answered, and blind.x can’t see either.',
    ],
  ])('fails with %s', async (_, runTurn, route, code, message) => {
    await expect(world(runTurn, route).look()).rejects.toMatchObject({ code, message })
  })
  it('waits a minute', async () => {
    const { look, clock } = world(({ reply }) => new Promise((done) => reply.onClose(done)))
    const looking = expect(look()).rejects.toMatchObject({ code: 'timed-out' })
    await clock.advance(60_000)
    await looking
  })
})
