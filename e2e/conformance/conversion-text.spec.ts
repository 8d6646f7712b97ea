/** Texts, usage, formats and endings through every pair of protocols, with the official SDKs. */
import { describe, expect, it } from 'vitest'
import { conversionBench, pairs, type Spoken } from '../support/conversion-bench.ts'
import { gate, say, type MockReply } from '../support/mock-upstream/index.ts'

const b = conversionBench()
const ways = [
  ['whole', false],
  ['streaming', true],
] as const
const usage = { input: 50, cachedInput: 20, output: 12, reasoning: 3 }
/** events up to the first piece of text: the next is held */
const firstPiece: Readonly<Record<Spoken, number>> = {
  'openai-chat': 2,
  'openai-responses': 5,
  anthropic: 4,
  gemini: 1,
}

describe.each(pairs)('$title', (pair) => {
  const { client, type } = pair
  const can = (lack: (typeof client.lacks)[number]): boolean => !client.lacks.includes(lack)

  it.each(ways)('says a text and counts its tokens, %s', async (_how, stream) => {
    b.answers(say('Hello, 世界 👋\n"quoted" \\ </end>', { usage, piece: 3 }), say('Again.'))
    const talk = b.talk(pair, 'Be brief.\nAlways.')
    talk.user('Hi, 世界')
    const pieces: string[] = []
    const reply = await talk.ask({
      stream,
      maxTokens: 500,
      stop: ['END', '###'],
      onText: (piece) => pieces.push(piece),
    })
    expect(reply).toEqual({
      text: 'Hello, 世界 👋\n"quoted" \\ </end>',
      thinking: '',
      calls: [],
      finish: 'stop',
      usage,
    })
    if (stream) expect(pieces.length).toBeGreaterThan(5)
    const asked = b.heard(1)
    expect(b.request(1)).toMatchObject({ stream, lastUserText: 'Hi, 世界' })
    expect(asked).toMatchObject({ system: 'Be brief.\nAlways.', maxTokens: 500, thinks: false, tools: [] })
    expect(asked.stop).toEqual(can('stop') && type !== 'openai-responses' ? ['END', '###'] : [])
    talk.user('And now?')
    expect((await talk.ask({ stream })).text).toBe('Again.')
    for (const piece of ['世界', '👋']) expect(b.request(2).body.toString()).toContain(piece)
    expect(b.request(2).lastUserText).toBe('And now?')
  })

  it('hears the first piece before the provider says the second', async () => {
    const until = gate()
    b.answers(say('abcdef', { piece: 1, hold: { at: firstPiece[type], until } }))
    const talk = b.talk(pair)
    talk.user('Hi')
    let text = ''
    await talk.ask({
      stream: true,
      onText: (piece) => {
        text += piece
        until.open()
      },
    })
    expect(text).toBe('abcdef')
  })

  it.each(ways)('wants JSON of a strict schema, %s', async (_how, stream) => {
    const schema = {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'of the person' },
        tags: { type: 'array', items: { type: 'string' } },
      },
      required: ['name', 'tags'],
      additionalProperties: false,
    }
    b.answers(say('{"name":"Ada","tags":[]}', { piece: 4 }))
    const talk = b.talk(pair)
    talk.user('Who?')
    expect(JSON.parse((await talk.ask({ stream, schema })).text)).toEqual({ name: 'Ada', tags: [] })
    expect(b.heard(1).schema).toMatchObject(schema)
  })

  it.each(ways)('learns why an answer ended, %s', async (_how, stream) => {
    const endings: [MockReply, string][] = [
      [say('Cut sh', { finish: 'length' }), 'length'],
      [say('Before', { finish: 'stop-sequence' }), 'stop'],
      [say('I', { finish: 'content-filter' }), 'content-filter'],
    ]
    for (const [reply, finish] of endings) {
      b.answers(reply)
      const talk = b.talk(pair)
      talk.user('Hi')
      expect((await talk.ask({ stream })).finish).toBe(finish)
    }
  })

  it('gets a stream where the provider answers with one body, and one body where it streams', async () => {
    for (const stream of [true, false]) {
      b.answers(say('In the other form.', { as: stream ? 'json' : 'stream', usage }))
      const talk = b.talk(pair)
      talk.user('Hi')
      expect(await talk.ask({ stream })).toMatchObject({
        text: 'In the other form.',
        finish: 'stop',
        usage: { input: 50, cachedInput: 20, output: 12 },
      })
    }
  })
})
