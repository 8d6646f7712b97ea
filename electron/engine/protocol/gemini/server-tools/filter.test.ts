import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { filtering, objectsOf } from '../../join/testing/rounds.ts'
import { validateGeminiStream } from '../../testing/validate-gemini.ts'
import { filter, filterBody } from './filter.ts'
import { runs } from '../../../../../shared/testing/runs.ts'

const names = new Set(['clock', 'web_fetch'])
type Part = Record<string, unknown>
const text = (said: string): Part => ({ text: said })
const call = (name: string, more: Part = {}): Part => ({ functionCall: { name, args: { name: 'clock' } }, ...more })
const response = (parts: Part[], more: Part = {}): Part => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, ...more }],
  usageMetadata: { promptTokenCount: 5, totalTokenCount: 5 },
  modelVersion: 'gemini-3-pro',
  responseId: 'r1',
})
const event = (value: unknown, end = '\r\n\r\n'): string => `data: ${JSON.stringify(value)}${end}`
const stop = { finishReason: 'STOP' }

/** Returns the bytes that come out when events come in such chunks. */
function filtered(
  events: readonly string[],
  cuts: readonly number[] = events.map((_, i) => i),
): { out: string; began: boolean } {
  const round = filtering(filter(names))
  const marks = [...new Set([0, ...cuts.map((at) => at % (events.length + 1)), events.length])].sort((a, b) => a - b)
  let out = ''
  for (const [i, mark] of marks.entries())
    if (i > 0) out += round.push(Buffer.from(events.slice(marks[i - 1], mark).join(''))).toString()
  return { out, began: round.began }
}
const partsIn = (stream: string): unknown[] =>
  objectsOf(stream).flatMap((value) =>
    (value as { candidates: { content: { parts: unknown[] } }[] }).candidates.flatMap(({ content }) => content.parts),
  )

describe('hidden calls in a stream', () => {
  it.each<[string, Part[][], Part[][]]>([
    ['first', [[call('clock')], [text('a')]], [[text('a')]]],
    ['in the middle', [[text('a')], [call('clock')], [call('read')]], [[text('a')], [call('read')]]],
    ['last', [[text('a')], [call('clock')]], [[text('a')], [text('')]]],
    ['alone', [[call('clock', { thoughtSignature: 'c2ln' })]], [[text('')]]],
    ['several', [[call('clock')], [call('web_fetch')], [call('read')]], [[call('read')]]],
    ['several in one event', [[call('clock'), call('read'), call('web_fetch'), call('clock')]], [[call('read')]]],
    ['between two of the client’s', [[call('read'), call('clock'), call('write')]], [[call('read'), call('write')]]],
    ['behind a text in its event', [[text('a'), call('clock'), call('clock')]], [[text('a')]]],
    [
      'behind thoughts',
      [[{ text: 'hm', thought: true }], [call('clock')], [{ text: '', thoughtSignature: 'c2ln' }]],
      [[{ text: 'hm', thought: true }], [{ text: '', thoughtSignature: 'c2ln' }]],
    ],
    [
      'in snake case',
      [[text('a')], [{ function_call: { name: 'clock', args: {} } }, text('b')]],
      [[text('a')], [text('b')]],
    ],
    [
      'with its arguments in pieces',
      [
        [{ functionCall: { name: 'clock', willContinue: true } }],
        [{ functionCall: { partialArgs: [], willContinue: true } }],
        [{ functionCall: {} }],
        [call('read')],
      ],
      [[call('read')]],
    ],
  ])('%s', (_, rounds, expected) => {
    const whole = (list: Part[][]): string[] =>
      list.map((parts, i) => event(response(parts, i === list.length - 1 ? stop : {})))
    const { out, began } = filtered(whole(rounds))
    expect(began).toBe(true)
    expect(partsIn(out)).toEqual(expected.flat())
    expect(objectsOf(out).at(-1)).toEqual(response(expected.at(-1) ?? [], stop))
    expect(validateGeminiStream(out)).toEqual([])
    fc.assert(
      fc.property(fc.array(fc.nat(20), { maxLength: 6 }), (cuts) => {
        expect(filtered(whole(rounds), cuts).out).toBe(out)
      }),
      runs(100),
    )
  })

  it.each<[string, unknown]>([
    ['in a text', response([text('"clock" is a tool')])],
    ['as a text', response([text('clock')])],
    [
      'in another call’s arguments',
      response([{ functionCall: { name: 'read', args: { functionCall: { name: 'clock' } } } }]),
    ],
    ['as an argument’s name', response([{ functionCall: { name: 'read', args: { clock: 'clock' } } }])],
    ['in code it ran', response([{ executableCode: { language: 'PYTHON', code: 'clock' } }])],
    ['in an echo of tools', { ...response([text('a')]), tools: [{ functionDeclarations: [{ name: 'clock' }] }] }],
  ])('lets a name go by %s', (_, value) => {
    const chunk = Buffer.from(event(value))
    const round = filtering(filter(names))
    expect(chunk.includes('"clock"') || JSON.stringify(value).includes('\\"clock\\"')).toBe(true)
    expect(round.push(chunk)).toBe(chunk)
    expect(round.began).toBe(false)
  })

  it('gives back the very buffer before a call and behind one', () => {
    const round = filtering(filter(names))
    const chunk = Buffer.from(`: comment\n\n${event(response([text('a')]))}`)
    expect(round.push(chunk)).toBe(chunk)
    round.push(Buffer.from(event(response([call('clock')]))))
    expect(round.began).toBe(true)
    expect(round.push(chunk)).toBe(chunk)
  })

  it('changes no byte of other events of the same chunk', () => {
    const before = ': hi\r\n\r\ndata:{ "candidates" : [ {"content":{"parts":[{"text":"\\u0061"}]}} ] }\r\n\r\n'
    const behind = event(response([text('b')], stop), '\n\n')
    expect(
      filtering(filter(names))
        .push(Buffer.from(before + event(response([call('clock')])) + behind))
        .toString(),
    ).toBe(before + behind)
  })

  it('keeps what else an event says', () => {
    const value = { ...response([call('clock')], { ...stop, groundingMetadata: { webSearchQueries: ['x'] } }) }
    expect(objectsOf(filtered([event(value)]).out)).toEqual([
      response([text('')], { ...stop, groundingMetadata: { webSearchQueries: ['x'] } }),
    ])
  })

  it('lets broken events go by', () => {
    for (const broken of [
      'data: {"name":"clock"\n\n',
      'data: "clock"\n\n',
      'data: [{"functionCall":{"name":"clock"}}]\n\n',
      'data: {"candidates":[{"content":"clock"}],"x":"clock"}\n\n',
      'data: {"candidates":{"content":null,"x":"clock"}}\n\n',
    ]) {
      expect(filtering(filter(names)).push(Buffer.from(broken)).toString()).toBe(broken)
    }
  })

  it('finds a call in a last event that lacks its blank line', () => {
    expect(
      partsIn(
        filtering(filter(names))
          .push(Buffer.from(event(response([call('clock'), call('read')], stop), '\n')))
          .toString(),
      ),
    ).toEqual([call('read')])
  })
})

describe('hidden calls in a whole answer', () => {
  it('go, and every other byte stays', () => {
    const body = Buffer.from(
      '{ "candidates": [ {"content":{"parts":[{"text":"\\u0061"}, ' +
        '{"functionCall":{"name":"clock","args":{}}} , {"functionCall":{"name":"read"}}]}, ' +
        '"finishReason":"STOP"} ], "usageMetadata":{"x":1.0} }',
    )
    expect(filterBody(body, names).toString()).toBe(
      '{ "candidates": [ {"content":{"parts":[{"text":"\\u0061"} , ' +
        '{"functionCall":{"name":"read"}}]}, "finishReason":"STOP"} ], "usageMetadata":{"x":1.0} }',
    )
  })
  it('leave an empty text when there is nothing else', () => {
    expect(
      JSON.parse(
        filterBody(Buffer.from(JSON.stringify(response([call('clock'), call('web_fetch')], stop))), names).toString(),
      ),
    ).toEqual(response([text('')], stop))
  })
  it('are not there: the same buffer', () => {
    for (const body of [
      JSON.stringify(response([text('"clock"')])),
      '{"name":"clock"',
      '[]',
      '',
      JSON.stringify(response([call('read')])),
    ]) {
      const bytes = Buffer.from(body)
      expect(filterBody(bytes, names)).toBe(bytes)
    }
  })
})
