import { describe, expect, it } from 'vitest'
import { splice } from '../../json-bytes/index.ts'
import type { HiddenHistory } from '../../server-tools/types.ts'
import { geminiCodec } from '../codec.ts'
import { restore } from './restore.ts'
import { turns } from './declare.ts'

type Part = Record<string, unknown>
const user = (text: string): unknown => ({ role: 'user', parts: [{ text }] })
const model = (...parts: Part[]): unknown => ({ role: 'model', parts })
const results = (...parts: Part[]): unknown => ({ role: 'user', parts })
const call = (name: string, more: Part = {}): Part => ({ functionCall: { name, args: {} }, ...more })
const result = (name: string): Part => ({ functionResponse: { name, response: { output: 'ok' } } })
const text = (said: string, more: Part = {}): Part => ({ text: said, ...more })
const thought = (said: string, more: Part = {}): Part => ({ text: said, thought: true, ...more })
const clock = call('clock', { thoughtSignature: 'czE=' })

const path = '/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse'
const nothing: HiddenHistory = { before: [], filler: false, calls: [], results: [] }
function restored(contents: unknown, hidden: Partial<HiddenHistory>, at = 0): unknown {
  const body = Buffer.from(JSON.stringify({ contents, generationConfig: { topK: 1 } }))
  const lens = geminiCodec.read(body, path)
  const turn = turns(lens)[at]
  if (!turn) throw new Error('there is no such turn')
  const { contents: now, ...rest } = JSON.parse(
    splice(body, restore(lens, turn, { ...nothing, ...hidden })).toString(),
  ) as { contents: unknown }
  expect(rest).toEqual({ generationConfig: { topK: 1 } })
  return now
}
const before = (...contents: unknown[]): string[] => contents.map((content) => JSON.stringify(content))

describe('what comes back in front of an answer', () => {
  const round = [
    model(thought('hm', { thoughtSignature: 'czA=' }), text('Let me see.'), clock),
    results(result('clock')),
  ]
  it.each<[string, Part[], Part[] | null]>([
    ['its text joined to the rest', [text('Let me see.\n\nIt is noon.')], [text('It is noon.')]],
    ['its text in a part of its own', [text('Let me see.'), text('\n\nIt is noon.')], [text('It is noon.')]],
    [
      'its text in pieces',
      [text('Let '), text('me see.\n'), text('\nIt is '), text('noon.')],
      [text('It is '), text('noon.')],
    ],
    ['trimmed by the client', [text('Letme see.It is noon.')], [text('It is noon.')]],
    ['white space between', [text('Let me see.'), text(' \n'), text('\n'), text('It is noon.')], [text('It is noon.')]],
    [
      'with its thought',
      [thought('hm'), text('Let me see.'), thought('and now'), text('\n\nIt is noon.')],
      [thought('and now'), text('It is noon.')],
    ],
    [
      'with its thought in pieces',
      [
        thought('h'),
        thought('m', { thoughtSignature: 'czA=' }),
        text('Let me see.'),
        thought(' so'),
        text('\n\nIt is noon.'),
      ],
      [thought(' so'), text('It is noon.')],
    ],
    [
      'with only a later thought',
      [text('Let me see.'), thought('and now'), text('\n\nIt is noon.')],
      [thought('and now'), text('It is noon.')],
    ],
    [
      'its signature on the merged text',
      [text('Let me see.\n\nIt is noon.', { thoughtSignature: 'czA=' })],
      [text('It is noon.')],
    ],
    [
      'another signature on the merged text',
      [text('Let me see.\n\nIt is noon.', { thoughtSignature: 'czk=' })],
      [text('It is noon.', { thoughtSignature: 'czk=' })],
    ],
    ['nothing behind it', [text('Let me see.')], null],
    ['only white space behind it', [text('Let me see.\n\n'), text(' ')], null],
    ['a client’s call behind it', [text('Let me see.'), call('read')], [call('read')]],
    [
      'an image behind it',
      [text('Let me see.'), { inlineData: { mimeType: 'image/png', data: 'AA==' } }],
      [{ inlineData: { mimeType: 'image/png', data: 'AA==' } }],
    ],
  ])('%s', (_, parts, rest) => {
    const own = rest === null ? [] : [model(...rest)]
    expect(restored([user('time?'), model(...parts), user('thanks')], { before: before(...round) })).toEqual([
      user('time?'),
      ...round,
      ...own,
      user('thanks'),
    ])
  })

  it.each<[string, Part[], Part[]]>([
    ['behind a call', [call('read'), text('')], [call('read'), clock]],
    ['behind a text', [text('Both.'), call('read'), text('')], [text('Both.'), call('read'), clock]],
    [
      'signed, which is the model’s own',
      [call('read'), text('', { thoughtSignature: 'czE=' })],
      [call('read'), clock, text('', { thoughtSignature: 'czE=' })],
    ],
  ])('takes the place of the empty text that stood for it: %s', (_, parts, now) => {
    expect(
      restored([user('a'), model(...parts), user('b')], { calls: [{ json: JSON.stringify(clock), callsBefore: 1 }] }),
    ).toEqual([user('a'), model(...now), user('b')])
  })

  it('comes byte for byte, also when the answer is all of the request', () => {
    const odd = '{ "role":"model" ,"parts":[{"functionCall":{"name":"clock","args":{"n":1.0}}}]}'
    const lens = geminiCodec.read(Buffer.from('{"contents": [ {"role":"model","parts":[{"text":"a"}]} ] }'), path)
    expect(
      splice(
        lens.body,
        restore(lens, { first: 0, last: 0, text: 'a', calls: [] }, { ...nothing, before: [odd] }),
      ).toString(),
    ).toBe(`{"contents": [ ${odd},{"role":"model","parts":[{"text":"a"}]} ] }`)
  })
  it('has texts of its own turns of a user between', () => {
    const rounds = [model(text('Done.')), user('go on'), model(text('More.')), user('go on')]
    expect(restored([user('a'), model(text('Done.\n\nMore.\n\nAll done.'))], { before: before(...rounds) })).toEqual([
      user('a'),
      ...rounds,
      model(text('All done.')),
    ])
  })
  it('leaves a text alone that is not its copy', () => {
    expect(restored([user('a'), model(text('Other.'))], { before: before(...round) })).toEqual([
      user('a'),
      ...round,
      model(text('Other.')),
    ])
  })
  it('takes its other parts out once', () => {
    const code = { executableCode: { language: 'PYTHON', code: '1' } }
    expect(
      restored([model({ executableCode: { code: '1', language: 'PYTHON' } }, code, text('b'))], {
        before: before(model(code, clock), results(result('clock'))),
      }),
    ).toEqual([model(code, clock), results(result('clock')), model(code, text('b'))])
  })
  it('is found in an answer of several contents', () => {
    expect(
      restored(
        [
          user('a'),
          model(text('Let me')),
          model(text(' see.')),
          model(text('\n\nIt is')),
          model(text(' noon.')),
          user('b'),
        ],
        { before: before(...round) },
      ),
    ).toEqual([user('a'), ...round, model(text('It is')), model(text(' noon.')), user('b')])
  })
})

describe('a line of Onward’s own', () => {
  it('never goes up', () => {
    expect(
      restored([user('a'), model(text('(Set a clock.)')), user('b')], {
        filler: true,
        calls: [{ json: JSON.stringify(clock), callsBefore: 0 }],
        results: before(result('clock')),
      }),
    ).toEqual([user('a'), model(clock), results(result('clock')), user('b')])
    expect(restored([user('a'), model(text('(Nothing.)')), user('b')], { filler: true })).toEqual([
      user('a'),
      user('b'),
    ])
    expect(restored([model(text('(Nothing.)')), user('b')], { filler: true })).toEqual([user('b')])
  })
  it('goes from behind rounds that stay', () => {
    const rounds = [model(text('So.'), clock), results(result('clock'))]
    expect(
      restored([user('a'), model(text('So.\n\n(Set a clock.)')), user('b')], {
        before: before(...rounds),
        filler: true,
      }),
    ).toEqual([user('a'), ...rounds, user('b')])
  })
  it('leaves a thought where it is', () => {
    expect(restored([model(thought('hm'), text('(line)', { thoughtSignature: 'czk=' }))], { filler: true })).toEqual([
      model(thought('hm'), text('', { thoughtSignature: 'czk=' })),
    ])
  })
})

describe('hidden calls of the answer itself', () => {
  const at = (callsBefore: number, name = 'clock'): { json: string; callsBefore: number } => ({
    json: JSON.stringify(call(name)),
    callsBefore,
  })
  it.each<[string, Part[], { json: string; callsBefore: number }[], Part[]]>([
    ['in front of the client’s', [text('a'), call('read')], [at(0)], [text('a'), call('clock'), call('read')]],
    ['behind them', [call('read'), call('write')], [at(2)], [call('read'), call('write'), call('clock')]],
    [
      'between them',
      [call('read'), call('write')],
      [at(1), at(1, 'web_fetch')],
      [call('read'), call('clock'), call('web_fetch'), call('write')],
    ],
    [
      'all around',
      [text('a'), call('read'), text('', { thoughtSignature: 'czk=' })],
      [at(0), at(1, 'web_fetch')],
      [text('a'), call('clock'), call('read'), call('web_fetch'), text('', { thoughtSignature: 'czk=' })],
    ],
  ])('%s', (_, parts, calls, expected) => {
    const own = parts.flatMap((part) =>
      'functionCall' in part ? [result((part['functionCall'] as { name: string }).name)] : [],
    )
    const theirs = calls.map(({ json }) =>
      result((JSON.parse(json) as { functionCall: { name: string } }).functionCall.name),
    )
    expect(
      restored([user('a'), model(...parts), results(...own, text('and')), user('b')], {
        calls,
        results: before(...theirs),
      }),
    ).toEqual([user('a'), model(...expected), results(...theirs, ...own, text('and')), user('b')])
  })
  it('come with their results behind the answer when the client has none to send', () => {
    for (const behind of [[], [user('b')]]) {
      expect(
        restored([user('a'), model(text('a')), ...behind], { calls: [at(0)], results: before(result('clock')) }),
      ).toEqual([user('a'), model(text('a'), call('clock')), results(result('clock')), ...behind])
    }
  })
  it('stand beside results in older and bare forms', () => {
    const older = { role: 'function', parts: { functionResponse: { name: 'read', response: {} } } }
    expect(
      restored([user('a'), { role: 'model', parts: call('read') }, older], {
        calls: [at(1)],
        results: before(result('clock')),
      }),
    ).toEqual([user('a'), model(call('read'), call('clock')), { ...older, parts: [result('clock'), older.parts] }])
  })
})

describe('several answers of one request', () => {
  it('are restored at once, inside countTokens as well', () => {
    const hidden: HiddenHistory = {
      before: before(model(clock), results(result('clock'))),
      filler: true,
      calls: [{ json: JSON.stringify(clock), callsBefore: 0 }],
      results: before(result('clock')),
    }
    const history = [
      model(text('(line)')),
      user('a'),
      model(call('read')),
      results(result('read')),
      model(text('(line)')),
    ]
    const lens = geminiCodec.read(
      Buffer.from(JSON.stringify({ generateContentRequest: { contents: history } })),
      '/v1beta/models/x:countTokens',
    )
    const edits = turns(lens).flatMap((turn) => restore(lens, turn, hidden))
    const round = [model(clock), results(result('clock'))]
    expect(JSON.parse(splice(lens.body, edits).toString())).toEqual({
      generateContentRequest: {
        contents: [
          ...round,
          ...round,
          user('a'),
          ...round,
          model(clock, call('read')),
          results(result('clock'), result('read')),
          ...round,
          ...round,
        ],
      },
    })
  })
})

describe('answers of a history', () => {
  it('are texts and calls of contents in a row', () => {
    const lens = geminiCodec.read(
      Buffer.from(
        JSON.stringify({
          generateContentRequest: {
            contents: [
              user('a'),
              model(thought('hm'), text('It  is'), call('read', { x: 1 })),
              { role: 'MODEL', parts: [{ text: ' noon\n' }, { function_call: { args: {}, name: 'write', id: 'x' } }] },
              user('b'),
              model(text('c')),
            ],
          },
        }),
      ),
      '/v1beta/models/x:countTokens',
    )
    const [first, second] = turns(lens)
    expect([first, second]).toEqual([
      {
        first: 1,
        last: 2,
        text: 'Itisnoon',
        calls: [expect.stringMatching(/^read#/), expect.stringMatching(/^write#/)],
      },
      { first: 4, last: 4, text: 'c', calls: [] },
    ])
  })
})
