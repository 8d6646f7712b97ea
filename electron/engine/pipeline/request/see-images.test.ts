import { describe, expect, it } from 'vitest'
import { checkChat } from '../../../../e2e/support/mock-upstream/check-chat.ts'
import { checkGemini } from '../../../../e2e/support/mock-upstream/check-gemini.ts'
import { checkMessages } from '../../../../e2e/support/mock-upstream/check-messages.ts'
import { checkResponses } from '../../../../e2e/support/mock-upstream/check-responses.ts'
import { configSchema } from '../../../../shared/config/schema.ts'
import type { EventBody } from '../../../../shared/events.ts'
import type { EntryProtocol, RequestKind } from '../../../../shared/words.ts'
import { codecOf } from '../../protocol/index.ts'
import { splice } from '../../protocol/json-bytes/index.ts'
import { places } from '../../protocol/images/testing/conversations.ts'
import { visionWorld } from '../../servertools/vision-auto/testing/world.ts'
import { createSeeImages } from './see-images.ts'
import { strip } from './read-markers.ts'
import { noOverrides, type Turn, type ClientCall, type Reply, draftOf } from '../turn.ts'

const checks = { chat: checkChat, responses: checkResponses, messages: checkMessages, gemini: checkGemini }
const reply: Reply = {
  head: () => undefined,
  write: () => true,
  end: () => undefined,
  abort: () => undefined,
  headSent: false,
  finished: false,
  left: false,
  onDrain: () => undefined,
  onClose: () => undefined,
}
const paths = {
  chat: '/v1/chat/completions',
  responses: '/v1/responses',
  messages: '/v1/messages',
  gemini: '/v1beta/models/m:generateContent',
}

function turnOf(entry: EntryProtocol, text: string, kind: RequestKind = 'turn', more: Partial<ClientCall> = {}): Turn {
  const codec = codecOf(entry)
  const body = Buffer.from(text)
  return {
    codec,
    draft: draftOf(codec, body, paths[entry]),
    bytesIn: body.length,
    ordinal: 1,
    receipt: { ours: [], proves: [] },
    overrides: noOverrides,
    ownAnswer: null,
    reentered: false,
    tried: [],
    dropped: [],
    identity: {
      sessionId: 's',
      sessionSource: null,
      client: 'claude',
      kind,
      terminalId: null,
      scope: null,
      scopeProblem: null,
      registeredClientOnly: false,
      retry: false,
    },
    call: {
      requestId: 'r',
      entry,
      endpoint: 'generate',
      method: 'POST',
      path: paths[entry],
      headers: {},
      caller: { kind: 'local', suffix: null },
      callingProcess: null,
      body,
      receivedAt: 0,
      reply,
      ...more,
    },
  }
}

const { providers } = configSchema.parse({
  providers: {
    p: {
      type: 'anthropic',
      baseUrl: 'http://127.0.0.1:1',
      auth: 'none',
      models: { blind: { vision: false }, sees: { vision: true }, unsaid: {} },
    },
  },
})
function world(model = 'blind', isOn = true) {
  const vision = visionWorld()
  const told: EventBody[] = []
  const provider = providers['p']
  let peeks = 0
  const see = createSeeImages({
    isOn: () => isOn,
    peek: () => {
      peeks++
      return provider && model !== '' ? { choice: { provider, upstreamModel: model } } : null
    },
    describeImages: vision.describe,
    clock: vision.clock,
    record: (where, body) => {
      expect(where).toEqual({ sessionId: 's', scope: null, requestId: 'r' })
      told.push(body)
    },
  })
  return {
    vision,
    told,
    peeks: () => peeks,
    see,
    async sent(turn: Turn) {
      await see(turn)
      return splice(turn.draft.lens.body, [...turn.draft.edits, ...turn.draft.images]).toString()
    },
  }
}

const image = (name: string) => ({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: name } })
const user = (...content: unknown[]) => ({ role: 'user', content })
const text = (said: string) => ({ type: 'text', text: said })
const messages = (...list: unknown[]) => JSON.stringify({ model: 'm', max_tokens: 9, messages: list })

describe('a conversation with images on its way to a model that can’t see', () => {
  it.each(places.map((place) => [place.protocol, place.name, place] as const))(
    '%s: has words in the place of the one in %s',
    async (_, __, place) => {
      const { sent, vision } = world()
      const up = await sent(turnOf(place.protocol, place.request(place.image)))
      expect(checks[place.protocol](JSON.parse(up))).toEqual([])
      const readable =
        typeof place.source === 'object' &&
        place.source !== null &&
        'kind' in place.source &&
        place.source.kind !== 'id'
      expect(vision.asked).toHaveLength(readable ? 1 : 0)
      expect(up).toContain(readable ? 'another model described it' : 'it could not be described')
      expect(up).not.toContain('base64')
    },
  )
  it('reads the same in every later request', async () => {
    const { sent, vision, told } = world()
    const first = [user(text('look'), image('AAAA'))]
    const tool = [
      { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'shot', input: {} }] },
      user({ type: 'tool_result', tool_use_id: 't', content: [image('BBBB')] }),
    ]
    const one = await sent(turnOf('messages', messages(...first)))
    const two = await sent(turnOf('messages', messages(...first, ...tool)))
    vision.restart()
    const three = await sent(
      turnOf('messages', messages(...first, ...tool, { role: 'assistant', content: 'nice' }, user(text('bye')))),
    )
    expect(two.startsWith(one.slice(0, -2))).toBe(true)
    expect(three.startsWith(two.slice(0, -2))).toBe(true)
    expect(vision.shown()).toEqual(['AAAA', 'BBBB'])
    expect(told).toEqual([
      { type: 'servertool-reacted', tool: 'vision_auto', ms: 0, note: '1 image described by eye.m' },
      { type: 'servertool-reacted', tool: 'vision_auto', ms: 0, note: '1 image described by eye.m' },
    ])
  })
  it('says what the person asked, without markers and without what the client added', async () => {
    const { see, vision } = world()
    const shot = user({ type: 'tool_result', tool_use_id: 't', content: [image('BBBB')] })
    await see(
      turnOf(
        'messages',
        messages(
          user(
            text('<system-reminder>\nsecret\n</system-reminder>'),
            text('what is <**sm:"go",3**>this?'),
            image('AAAA'),
          ),
          { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'shot', input: {} }] },
          shot,
        ),
      ),
    )
    expect(vision.asked).toHaveLength(2)
    for (const { text: question } of vision.asked) {
      expect(question).toContain('this?')
      expect(question).not.toMatch(/secret|<\*\*/)
    }
  })
  it('keeps what other stages changed', async () => {
    const { sent } = world()
    const turn = turnOf('messages', messages(user(text('a <**clear**> b'), image('AAAA'))))
    strip(turn, 'keep')
    expect(await sent(turn)).toMatch(/"text":"a +b".*seen AAAA/)
  })
  it('tells what happened to twenty of them', async () => {
    const { sent, told } = world()
    const history = Array.from({ length: 10 }, (_, i) => [
      user(image(`old${i}`)),
      { role: 'assistant', content: 'ok' },
    ]).flat()
    const up = await sent(
      turnOf('messages', messages(...history, user(...Array.from({ length: 10 }, (_, i) => image(`new${i}`))))),
    )
    expect(up).not.toContain('base64')
    expect(told).toEqual([
      {
        type: 'servertool-reacted',
        tool: 'vision_auto',
        ms: 0,
        note: '18 images described by eye.m, 2 images of the history left without a description',
      },
    ])
  })
  it('goes on where describing fails, and tells why', async () => {
    const { sent, vision, told } = world()
    vision.fails('AAAA', 'The key is refused')
    const up = await sent(turnOf('messages', messages(user(image('AAAA'), image('BBBB')))))
    expect(checkMessages(JSON.parse(up))).toEqual([])
    expect(up).toContain('could not be described: The key is refused.')
    expect(told).toEqual([
      { type: 'servertool-reacted', tool: 'vision_auto', ms: 0, note: '1 image described by eye.m' },
      {
        type: 'servertool-failed',
        tool: 'vision_auto',
        round: 1,
        ms: 0,
        code: 'vision-refused',
        message: '1 image could not be described: The key is refused.',
      },
    ])
  })
  it('goes as it is when looking itself breaks, which is told', async () => {
    const told: EventBody[] = []
    const provider = providers['p']
    const see = createSeeImages({
      isOn: () => true,
      peek: () => (provider ? { choice: { provider, upstreamModel: 'blind' } } : null),
      describeImages: async () => {
        throw new TypeError('boom')
      },
      clock: visionWorld().clock,
      record: (_, body) => told.push(body),
    })
    const turn = turnOf('messages', messages(user(image('AAAA'))))
    await see(turn)
    expect(turn.draft.images).toEqual([])
    expect(told).toEqual([
      { type: 'servertool-failed', tool: 'vision_auto', round: 1, ms: 0, code: 'internal', message: 'boom' },
    ])
  })
})

describe('who looks', () => {
  const asks = messages(user(image('AAAA')))
  it.each<[string, string, boolean, Turn]>([
    ['the model sees', 'sees', true, turnOf('messages', asks)],
    ['nobody says that it does not', 'unsaid', true, turnOf('messages', asks)],
    ['the config does not know the model', 'other', true, turnOf('messages', asks)],
    ['the turn goes nowhere', '', true, turnOf('messages', asks)],
    ['it is switched off', 'blind', false, turnOf('messages', asks)],
    ['Onward answers by itself', 'blind', true, { ...turnOf('messages', asks), ownAnswer: 'done' }],
    [
      'Onward asks by itself, as it does here',
      'blind',
      true,
      turnOf('messages', asks, 'probe', { internal: { kind: 'probe', withinMs: 1_000 } }),
    ],
    ['a vendor compacts', 'blind', true, turnOf('messages', asks, 'compaction', { endpoint: 'compact' })],
  ])('nobody when %s', async (_, model, isOn, turn) => {
    const { see, vision, told } = world(model, isOn)
    await see(turn)
    expect(turn.draft.images).toEqual([])
    expect(vision.asked).toEqual([])
    expect(told).toEqual([])
  })
  it('nobody, and no route is looked for, when the request has no image', async () => {
    const { see, peeks } = world()
    await see(turnOf('messages', messages(user(text('an "image"? no')))))
    expect(peeks()).toBe(0)
  })
  it.each<[RequestKind, ClientCall['endpoint'], number]>([
    ['turn', 'generate', 1],
    ['subagent', 'generate', 1],
    ['compaction', 'generate', 1],
    ['count', 'count', 0],
    ['title', 'generate', 0],
    ['probe', 'generate', 0],
  ])('a model for a %s (%s): %i times; without one it goes up all the same', async (kind, endpoint, times) => {
    const { sent, vision, told } = world()
    const up = await sent(turnOf('messages', asks, kind, { endpoint }))
    expect(vision.asked).toHaveLength(times)
    expect(up).toContain(times === 1 ? 'seen AAAA' : 'was not described')
    expect(told).toHaveLength(times)
    await sent(turnOf('messages', asks))
    expect(await sent(turnOf('messages', asks, kind, { endpoint }))).toContain('seen AAAA')
  })
})
