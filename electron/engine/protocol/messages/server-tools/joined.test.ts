import Anthropic from '@anthropic-ai/sdk'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { filtering, joining, objectsOf } from '../../join/testing/rounds.ts'
import { withServer } from '../../testing/serve-once.ts'
import { validateMessagesBody, validateMessagesStream } from '../../testing/validate-messages.ts'
import { parseObject, type JsonObject } from '../../values.ts'
import { messagesServerTools } from './index.ts'
import { anyAnswer, bodyOfAnswer, call, eventsOfAnswer, isOurs, names, text, thinking } from './testing/answers.ts'
import { runs } from '../../../../../shared/testing/runs.ts'

interface Way {
  say?: string
  keepAlive?: boolean
}

/** One answer out of rounds whose hidden calls are taken out on their way. */
function answer(rounds: readonly JsonObject[][], { say, keepAlive }: Way = {}): string {
  const joiner = joining('messages', { stream: true })
  const out: Buffer[] = []
  rounds.forEach((blocks, i) => {
    const filter = filtering(messagesServerTools.filter(names))
    for (const event of eventsOfAnswer(blocks, { id: `msg_${i + 1}` }))
      out.push(joiner.push(filter.push(Buffer.from(event))))
    if (i === rounds.length - 1) return
    joiner.endRound('must-come')
    if (keepAlive) out.push(joiner.keepAlive(), joiner.keepAlive())
  })
  if (say !== undefined) out.push(joiner.say(say))
  return Buffer.concat([...out, joiner.finish()]).toString()
}

function jsonAnswer(rounds: readonly JsonObject[][], { say }: Way = {}): JsonObject {
  const joiner = joining('messages', { stream: false })
  rounds.forEach((blocks, i) => {
    joiner.push(
      messagesServerTools.filterBody(Buffer.from(JSON.stringify(bodyOfAnswer(blocks, { id: `msg_${i + 1}` }))), names),
    )
    if (i < rounds.length - 1) joiner.endRound('must-come')
  })
  if (say !== undefined) joiner.say(say)
  return parseObject(joiner.finish()) ?? {}
}

/** Reads a stream with the official SDK. */
const read = (stream: string): Promise<Anthropic.Message> =>
  withServer({ contentType: 'text/event-stream', body: Buffer.from(stream), chunkBytes: 50 }, (origin) =>
    new Anthropic({ baseURL: origin, apiKey: 'k', maxRetries: 0 }).messages
      .stream({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] })
      .finalMessage(),
  )

const [clock, fetchIt, bash] = [
  call('clock', 'c1', { action: 'get' }),
  call('web_fetch', 'c2', { url: 'u' }),
  call('Bash', 'b1', { command: 'ls' }),
]
const [one, two, three] = [text('One.'), text('Two.'), text('Three.')]
const thought = (n: number): JsonObject => thinking(`Hm ${n}.`, `sig_${n}`)

const cases: [string, JsonObject[][], Way, JsonObject[], string][] = [
  ['a hidden call alone', [[clock], [two]], {}, [two], 'end_turn'],
  [
    'text and thinking in both',
    [
      [thought(1), one, clock],
      [thought(2), two],
    ],
    {},
    [thought(1), one, thought(2), two],
    'end_turn',
  ],
  ['three rounds', [[one, clock], [two, fetchIt], [three]], { keepAlive: true }, [one, two, three], 'end_turn'],
  [
    'a client’s call at the end',
    [
      [one, clock],
      [two, bash],
    ],
    {},
    [one, two, bash],
    'tool_use',
  ],
  [
    'both kinds at the end',
    [
      [one, clock],
      [fetchIt, two, bash],
    ],
    {},
    [one, two, bash],
    'tool_use',
  ],
  ['a line behind nothing', [[clock]], { say: 'Looked at the clock.' }, [text('Looked at the clock.')], 'end_turn'],
  [
    'a line behind thinking',
    [[thought(1), clock]],
    { say: 'Done. 世界 "q"' },
    [thought(1), text('Done. 世界 "q"')],
    'end_turn',
  ],
  [
    'a line behind rounds',
    [[clock], [thought(2), fetchIt]],
    { say: 'Done.', keepAlive: true },
    [thought(2), text('Done.')],
    'end_turn',
  ],
  ['a line behind text', [[one, clock], [two]], { say: 'Done.' }, [one, two, text('Done.')], 'end_turn'],
]

describe('one answer out of rounds with hidden calls', () => {
  it.each(cases)('as a stream: %s', async (_what, rounds, way, content, reason) => {
    const stream = answer(rounds, way)
    expect(validateMessagesStream(stream)).toEqual([])
    expect(stream).not.toMatch(/clock"|web_fetch|toolu_c/)
    expect(await read(stream)).toMatchObject({
      id: 'msg_1',
      content,
      stop_reason: reason,
      usage: { input_tokens: 10, output_tokens: 4 * rounds.length },
    })
    expect((await read(stream)).content).toHaveLength(content.length)
  })

  it.each(cases)('as JSON: %s', (_what, rounds, way, content, reason) => {
    const body = jsonAnswer(rounds, way)
    expect(body).toMatchObject({
      id: 'msg_1',
      content,
      stop_reason: reason,
      usage: { input_tokens: 10, output_tokens: 4 * rounds.length },
    })
    expect(validateMessagesBody(body)).toEqual([])
  })

  it('is what all rounds say without their hidden calls', () => {
    fc.assert(
      fc.property(fc.array(anyAnswer, { minLength: 1, maxLength: 3 }), fc.boolean(), (rounds, keepAlive) => {
        const left = rounds.map((blocks) => blocks.filter((block) => !isOurs(block)))
        const begun = (stream: string): JsonObject[] =>
          objectsOf(stream).filter((event) => event['type'] === 'content_block_start')
        const out = begun(answer(rounds, { keepAlive, say: 'Done.' }))
        expect(out.map((event) => event['index'])).toEqual(out.map((_, i) => i))
        expect(out.map((event) => event['content_block'])).toEqual(
          begun(eventsOfAnswer([...left.flat(), text('Done.')]).join('')).map((event) => event['content_block']),
        )
        expect(jsonAnswer(rounds, { say: 'Done.' })['content']).toEqual([...left.flat(), text('Done.')])
      }),
      runs(100),
    )
  })

  it('keeps a waiting client by pings', () => {
    const joiner = joining('messages', { stream: true })
    expect(joiner.keepAlive().toString()).toBe('event: ping\ndata: {"type":"ping"}\n\n')
    const pings = objectsOf(answer([[clock], [two]], { keepAlive: true })).filter((event) => event['type'] === 'ping')
    expect(pings).toHaveLength(2)
  })

  it('says a line without touching what stands in a JSON answer', () => {
    const joiner = joining('messages', { stream: false })
    joiner.push(Buffer.from('{ "content":[ {"type":"text","text":"A","x":1.0} ] , "stop_reason":"end_turn" }'))
    joiner.say('B')
    expect(joiner.finish().toString()).toBe(
      '{ "content":[ {"type":"text","text":"A","x":1.0},{"type":"text","text":"B"} ] , "stop_reason":"end_turn" }',
    )
  })
})
