import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splice } from '../../json-bytes/index.ts'
import type { RoundSaid } from '../../server-tools/types.ts'
import type { JsonObject } from '../../values.ts'
import { messagesCodec } from '../codec.ts'
import { messagesServerTools } from './index.ts'
import { anyAnswer, bodyOfAnswer, call, eventsOfAnswer, isOurs, names, text, thinking } from './testing/answers.ts'
import { runs } from '../../../../../shared/testing/runs.ts'

const lens = messagesCodec.read(Buffer.from('{"model":"m","messages":[{"role":"user","content":"Hi."}]}'))
const ofStream = (stream: string): RoundSaid =>
  messagesServerTools.readAnswer({ contentType: 'text/event-stream', body: Buffer.from(stream) }, lens, names)
const ofJson = (json: string): RoundSaid =>
  messagesServerTools.readAnswer({ contentType: 'application/json', body: Buffer.from(json) }, lens, names)

describe('reading an answer', () => {
  const blocks = [
    thinking('Hm.', 'sig'),
    text('Hi.'),
    call('Bash', 'b1'),
    call('clock', 'c1', { action: 'get', n: 1.5 }),
    text(' Bye.'),
    call('Read', 'r1'),
    call('web_fetch', 'w1', { url: 'é' }),
  ]
  const said = {
    text: 'Hi. Bye.',
    calls: ['b1', 'r1'],
    hidden: [
      {
        call: { id: 'c1', name: 'clock', arguments: '{"action":"get","n":1.5}' },
        json: JSON.stringify(blocks[3]),
        callsBefore: 1,
      },
      {
        call: { id: 'w1', name: 'web_fetch', arguments: '{"url":"é"}' },
        json: JSON.stringify(blocks[6]),
        callsBefore: 2,
      },
    ],
    items: [Buffer.from(JSON.stringify({ role: 'assistant', content: blocks }))],
  }
  it('of a stream finds all', () => expect(ofStream(eventsOfAnswer(blocks).join(''))).toEqual(said))
  it('of JSON finds all', () => expect(ofJson(JSON.stringify(bodyOfAnswer(blocks)))).toEqual(said))

  it('is the same for every answer in both forms', () => {
    fc.assert(
      fc.property(anyAnswer, (any) => {
        const [stream, json] = [ofStream(eventsOfAnswer(any).join('')), ofJson(JSON.stringify(bodyOfAnswer(any)))]
        expect(stream).toEqual(json)
        expect(json.hidden.map((hidden) => JSON.parse(hidden.json))).toEqual(any.filter(isOurs))
        expect(json.calls).toEqual(
          any.filter((block) => block['type'] === 'tool_use' && !isOurs(block)).map((block) => block['id']),
        )
      }),
      runs(100),
    )
  })

  it('gives the bytes of a JSON answer’s blocks', () => {
    const block = '{ "type":"tool_use", "id":"c", "name":"clock", "input":{"n": 1.0} }'
    expect(ofJson(`{"content":[ ${block} ]}`)).toMatchObject({
      hidden: [{ json: block, call: { arguments: '{"n": 1.0}' } }],
      items: [Buffer.from(`{"role":"assistant","content":[${block}]}`)],
    })
  })

  it('keeps arguments as they were written, though they are no JSON', () => {
    const stream = eventsOfAnswer([call('clock', 'c', { action: 'get' })])
      .join('')
      .replace('ion\\":\\"get\\"}', 'ion')
    expect(ofStream(stream)).toMatchObject({
      hidden: [
        { call: { id: 'c', arguments: '{"action' }, json: '{"type":"tool_use","id":"c","name":"clock","input":{}}' },
      ],
    })
  })

  it('never throws, whatever comes', () => {
    const whole = eventsOfAnswer(blocks).join('')
    const json = JSON.stringify(bodyOfAnswer(blocks))
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.constant(whole), fc.constant(json), fc.json()),
        fc.nat(),
        fc.nat(),
        fc.string({ maxLength: 2 }),
        fc.boolean(),
        (any, from, length, more, isStream) => {
          const at = from % (any.length + 1)
          const broken = any.slice(0, at) + more + any.slice(at + (length % 20))
          expect((isStream ? ofStream : ofJson)(broken).items.length).toBeLessThan(2)
        },
      ),
      runs(500),
    )
  })

  it('reads what there is of a stream that broke off', () => {
    expect(ofStream(eventsOfAnswer(blocks).slice(0, 7).join(''))).toMatchObject({ text: 'Hi.', calls: [], hidden: [] })
  })
})

describe('says', () => {
  it.each<[boolean, JsonObject]>([
    [true, { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'H' } }],
    [true, { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: ' \n"' } }],
    [true, { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: '界' } }],
    [true, { type: 'content_block_start', index: 0, content_block: call('Bash', 'b') }],
    [
      true,
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
      },
    ],
    [true, { type: 'content_block_start', index: 0, content_block: { type: 'redacted_thinking', data: 'x' } }],
    [false, { type: 'content_block_start', index: 0, content_block: text('') }],
    [false, { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: '' } }],
    [false, { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: '\n \n' } }],
    [false, { type: 'message_start', message: bodyOfAnswer([]) }],
    [
      false,
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn' },
        usage: { server_tool_use: { web_search_requests: 0 } },
      },
    ],
    [false, { type: 'ping' }],
  ])('%s: %j', (is, event) => {
    expect(
      messagesServerTools.hasContent(
        Buffer.from(`event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`),
      ),
    ).toBe(is)
    expect(
      messagesServerTools.hasContent(Buffer.from(`data: ${JSON.stringify(event, null, 1).replaceAll('\n', ' ')}\n\n`)),
    ).toBe(is)
  })
})

describe('results', () => {
  const results = [
    { call: { id: 'c1', name: 'clock', arguments: '{}' }, text: 'It is "late".', isError: false },
    { call: { id: 'c2', name: 'web_fetch', arguments: '{}' }, text: '', isError: true },
  ]
  const blocks = [
    '{"type":"tool_result","tool_use_id":"c1","content":"It is \\"late\\"."}',
    '{"type":"tool_result","tool_use_id":"c2","content":"It failed without saying why.","is_error":true}',
  ]
  it('are one user message', () => {
    expect(messagesServerTools.resultItems(results).map(String)).toEqual([
      `{"role":"user","content":[${blocks.join(',')}]}`,
    ])
    expect(messagesServerTools.resultItems([])).toEqual([])
  })
  it('are blocks beside the client’s', () => expect(messagesServerTools.resultsBeside(results)).toEqual(blocks))
  it('and a user’s turn come behind the request’s messages', () => {
    const out = splice(lens.body, messagesServerTools.append(lens, [messagesServerTools.userItem('Go "on".')]))
    expect(out.toString()).toBe(
      '{"model":"m","messages":[{"role":"user","content":"Hi."},{"role":"user","content":"Go \\"on\\"."}]}',
    )
  })
})
