import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splice } from '../../json-bytes/index.ts'
import { geminiCodec } from '../codec.ts'
import { geminiServerTools as serverTools } from './index.ts'
import { runs } from '../../../../../shared/testing/runs.ts'

type Part = Record<string, unknown>
const names = new Set(['clock', 'web_fetch'])
const lens = geminiCodec.read(
  Buffer.from('{"contents":[ {"role":"user","parts":[{"text":"a"}]} ]}'),
  '/v1beta/models/x:streamGenerateContent?alt=sse',
)
const chunk = (parts: unknown): unknown => ({ candidates: [{ content: { role: 'model', parts }, index: 0 }] })
const json = (parts: Part[]): { contentType: string; body: Buffer } => ({
  contentType: 'application/json',
  body: Buffer.from(JSON.stringify(chunk(parts))),
})
const stream = (parts: Part[]): { contentType: string; body: Buffer } => ({
  contentType: 'text/event-stream',
  body: Buffer.from(parts.map((part) => `data: ${JSON.stringify(chunk([part]))}\r\n\r\n`).join('')),
})
const call = (name: string, args: unknown, id?: string): Part => ({
  functionCall: { ...(id === undefined ? {} : { id }), name, args },
})
const thought = { text: 'Hm.', thought: true, thoughtSignature: 'czE=' }

describe('an answer read whole', () => {
  const parts = [
    thought,
    { text: 'So, 世界 ' },
    call('read', { b: 1, a: 2 }, 'x'),
    { ...call('clock', { at: '1' }), thoughtSignature: 'czI=' },
    call('read', {}),
    call('web_fetch', {}, 'y'),
  ]
  it.each([
    ['of JSON', json(parts)],
    ['of events', stream(parts)],
  ])('%s', (_, answer) => {
    const said = serverTools.readAnswer(answer, lens, names)
    expect(said.items.map((item) => JSON.parse(item.toString()) as unknown)).toEqual([{ role: 'model', parts }])
    expect(said.text).toBe('So, 世界 ')
    expect(said.hidden).toEqual([
      {
        call: { id: '#call_1', name: 'clock', arguments: '{"at":"1"}' },
        json: JSON.stringify(parts[3]),
        callsBefore: 1,
      },
      { call: { id: 'y', name: 'web_fetch', arguments: '{}' }, json: JSON.stringify(parts[5]), callsBefore: 2 },
    ])
    expect(said.calls).toHaveLength(2)
  })

  it('knows the client’s calls again, whatever became of their ids and the order of their members', () => {
    const { calls } = serverTools.readAnswer(
      json([call('read', { b: [1, { d: 1, c: 2 }], a: 2 }, 'x'), call('read', {})]),
      lens,
      names,
    )
    const later = geminiCodec.read(
      Buffer.from(
        JSON.stringify({
          contents: [
            {
              role: 'model',
              parts: [
                { function_call: { name: 'read', args: { a: 2, b: [1, { c: 2, d: 1 }] } } },
                call('read', undefined, 'made-up'),
              ],
            },
          ],
        }),
      ),
      '/v1beta/models/x:generateContent',
    )
    expect(serverTools.turns(later).map((turn) => turn.calls)).toEqual([calls])
    expect(new Set(calls).size).toBe(2)
  })

  it('has calls whose arguments came in pieces as one part', () => {
    const pieces = [
      { functionCall: { name: 'clock', id: 'c', willContinue: true }, thoughtSignature: 'czI=' },
      { functionCall: { partialArgs: [{ jsonPath: '$.at', stringValue: 'no' }], willContinue: true } },
      { functionCall: { partial_args: [{ jsonPath: '$.at', stringValue: 'on' }], will_continue: true } },
      { functionCall: {} },
      call('read', {}),
      { text: 'a' },
    ]
    const said = serverTools.readAnswer(stream(pieces), lens, names)
    const whole = { functionCall: { name: 'clock', id: 'c', args: { at: 'noon' } }, thoughtSignature: 'czI=' }
    expect(JSON.parse(String(said.items[0]))).toEqual({
      role: 'model',
      parts: [whole, call('read', {}), { text: 'a' }],
    })
    expect(said.hidden.map((placed) => placed.call.arguments)).toEqual(['{"at":"noon"}'])
  })

  it('never throws', () => {
    const nothing = { items: [], text: '', hidden: [], calls: [] }
    for (const body of [
      '',
      '{',
      '[]',
      '{"candidates":[]}',
      '{"candidates":[{"content":{"parts":"clock"}}]}',
      '{"promptFeedback":{"blockReason":"SAFETY"}}',
      'data: {\n\n',
    ]) {
      for (const contentType of ['application/json', 'text/event-stream'])
        expect(serverTools.readAnswer({ contentType, body: Buffer.from(body) }, lens, names)).toEqual(nothing)
    }
    expect(
      serverTools.readAnswer(
        json([
          { functionCall: null },
          { functionCall: { name: 7, args: 'x' } },
          { functionCall: { name: 'clock', args: 'x' } },
        ]),
        lens,
        names,
      ),
    ).toMatchObject({ text: '', hidden: [{ call: { name: 'clock', arguments: '"x"' } }] })
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ maxDepth: 4 })), (values) => {
        serverTools.readAnswer(
          { contentType: 'application/json', body: Buffer.from(JSON.stringify(chunk(values))) },
          lens,
          names,
        )
      }),
      runs(100),
    )
  })
})

describe('the next round', () => {
  it('has the answer and one result for each call', () => {
    const said = serverTools.readAnswer(json([call('clock', {}), call('web_fetch', {}, 'y')]), lens, names)
    const results = said.hidden.map((placed, i) => ({ call: placed.call, text: `"${i}"`, isError: i === 1 }))
    const parts = [
      { functionResponse: { name: 'clock', response: { output: '"0"' } } },
      { functionResponse: { id: 'y', name: 'web_fetch', response: { error: '"1"' } } },
    ]
    const items = [...said.items, ...serverTools.resultItems(results), serverTools.userItem('go on')]
    const body = splice(lens.body, serverTools.append(lens, items))
    expect(body.subarray(0, 50).equals(lens.body.subarray(0, 50))).toBe(true)
    expect(JSON.parse(body.toString())).toEqual({
      contents: [
        { role: 'user', parts: [{ text: 'a' }] },
        { role: 'model', parts: [call('clock', {}), call('web_fetch', {}, 'y')] },
        { role: 'user', parts },
        { role: 'user', parts: [{ text: 'go on' }] },
      ],
    })
    expect(serverTools.resultsBeside(results).map((text) => JSON.parse(text) as unknown)).toEqual(parts)
    expect(serverTools.resultItems([])).toEqual([])
  })
})

describe('whether a stream says something', () => {
  it.each<[string, boolean]>([
    [String(stream([{ text: '' }]).body), false],
    [': hi\n\n', false],
    ['data: {"candidates":[{"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":1}}\n\n', false],
    [String(stream([{ text: '', thoughtSignature: 'czE=' }]).body), false],
    [String(stream([{ text: '' }, { text: 'a' }]).body), true],
    ['data: {"candidates":[{"content":{"parts":[{"text" : "\\n"}]}}]}\n\n', false],
    ['data: {"candidates":[{"content":{"parts":[{"text" : "\\n世"}]}}]}\n\n', true],
    [String(stream([{ text: '', partMetadata: { a: 1 } }]).body), false],
    [String(stream([thought]).body), true],
    [String(stream([call('read', {})]).body), true],
    [String(stream([{ inlineData: { mimeType: 'image/png', data: '' } }]).body), true],
  ])('%s', (bytes, expected) => {
    expect(serverTools.hasContent(Buffer.from(bytes))).toBe(expected)
  })
})
