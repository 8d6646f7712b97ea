import { describe, expect, it } from 'vitest'
import { splice } from '../../json-bytes/index.ts'
import type { HiddenHistory } from '../../server-tools/types.ts'
import type { JsonObject } from '../../values.ts'
import { messagesCodec } from '../codec.ts'
import { messagesServerTools } from './index.ts'
import { call, text, thinking } from './testing/answers.ts'

const assistant = (...content: JsonObject[]): JsonObject => ({ role: 'assistant', content })
const user = (...content: JsonObject[]): JsonObject => ({ role: 'user', content })
const result = (id: string): JsonObject => ({ type: 'tool_result', tool_use_id: id, content: `of ${id}` })
const hi: JsonObject = { role: 'user', content: 'Hi.' }
const go: JsonObject = { role: 'user', content: 'Go on.' }
const mark = { cache_control: { type: 'ephemeral' } }
const clock = call('clock', 'c1')
const bash = call('Bash', 'b1')

const lensOf = (messages: readonly JsonObject[]) =>
  messagesCodec.read(Buffer.from(JSON.stringify({ messages }, null, 1)))
const hiddenOf = (
  hidden: Partial<{ before: JsonObject[]; filler: boolean; calls: [JsonObject, number][]; results: JsonObject[] }>,
): HiddenHistory => ({
  before: (hidden.before ?? []).map((item) => JSON.stringify(item)),
  filler: hidden.filler ?? false,
  calls: (hidden.calls ?? []).map(([block, callsBefore]) => ({ json: JSON.stringify(block), callsBefore })),
  results: (hidden.results ?? []).map((block) => JSON.stringify(block)),
})
function restored(messages: readonly JsonObject[], hidden: Parameters<typeof hiddenOf>[0]): unknown {
  const lens = lensOf(messages)
  const [turn] = messagesServerTools.turns(lens)
  if (!turn) throw new Error('no turn')
  const out: { messages: unknown } = JSON.parse(
    splice(lens.body, messagesServerTools.restore(lens, turn, hiddenOf(hidden))).toString(),
  )
  return out.messages
}

describe('turns', () => {
  it('are assistant messages in a row', () => {
    const messages = [
      hi,
      assistant(thinking('T', 's'), text('A b\n'), bash),
      assistant(text(' c')),
      user(result('b1')),
      { role: 'assistant', content: 'D' },
      { role: 'system', content: 'x' },
      assistant(call('Read', 'r')),
    ]
    expect(messagesServerTools.turns(lensOf(messages))).toEqual([
      { first: 1, last: 2, text: 'Abc', calls: ['b1'] },
      { first: 4, last: 4, text: 'D', calls: [] },
      { first: 6, last: 6, text: '', calls: ['r'] },
    ])
  })
  it('are none where nothing was answered', () => {
    expect(messagesServerTools.turns(lensOf([hi]))).toEqual([])
    expect(messagesServerTools.turns(messagesCodec.read(Buffer.from('{}')))).toEqual([])
  })
})

describe('restore of rounds before an answer', () => {
  const before = [assistant(thinking('T', 's1'), text('One.\n'), clock), user(result('c1'))]
  it.each<[string, JsonObject[], JsonObject[]]>([
    [
      'blocks as they were',
      [thinking('T', 's1'), text('One.\n'), thinking('U', 's2'), text('Two.')],
      [thinking('U', 's2'), text('Two.')],
    ],
    ['texts merged into one', [text('One.\n\nTwo. ')], [text('Two. ')]],
    [
      'texts merged without what joined them',
      [thinking('T', 's1'), { ...text('One.Two.'), ...mark }],
      [{ ...text('Two.'), ...mark }],
    ],
    ['thinking dropped', [text('One.'), text('Two.')], [text('Two.')]],
    ['thinking without its signature', [thinking('T', ''), text('One.'), text('Two.')], [text('Two.')]],
    [
      'the same words thought again',
      [thinking('T', 's1'), text('One.'), thinking('T', 's2'), text('Two.')],
      [thinking('T', 's2'), text('Two.')],
    ],
    ['a text cut within two blocks', [text('On'), text(' e. Tw'), text('o.')], [text('Tw'), text('o.')]],
    ['a blank block between', [text('One.'), text(' \n'), text(' Two.')], [text(' Two.')]],
    ['an own call behind', [text('One.'), text('Two.'), bash], [text('Two.'), bash]],
    ['an own call and no more text', [text('One.'), bash], [bash]],
  ])('takes what they said out of the client’s copy: %s', (_how, copy, left) => {
    expect(restored([hi, assistant(...copy), go], { before })).toEqual([hi, ...before, assistant(...left), go])
  })

  it('of a content that is a text', () => {
    expect(restored([hi, { role: 'assistant', content: ' One. Two.' }, go], { before })).toEqual([
      hi,
      ...before,
      { role: 'assistant', content: 'Two.' },
      go,
    ])
  })
  it('leaves no message where nothing is left', () => {
    expect(restored([hi, assistant(thinking('T', 's1'), text('One.')), go], { before })).toEqual([hi, ...before, go])
    expect(restored([hi, { role: 'assistant', content: 'One.' }, go], { before })).toEqual([hi, ...before, go])
    expect(restored([hi, assistant(text('One.'), thinking('U', 's2')), go], { before })).toEqual([hi, ...before, go])
  })
  it('of several messages in a row', () => {
    expect(restored([hi, assistant(text('One.')), assistant(text('Two.')), go], { before })).toEqual([
      hi,
      ...before,
      assistant(text('Two.')),
      go,
    ])
    expect(restored([hi, assistant(text('One. T')), assistant(text('wo.')), go], { before })).toEqual([
      hi,
      ...before,
      assistant(text('T')),
      assistant(text('wo.')),
      go,
    ])
  })
  it('knows what the vendor ran by its ids', () => {
    const ran = [
      { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
      { type: 'web_search_tool_result', tool_use_id: 's', content: [] },
      { type: 'redacted_thinking', data: 'd' },
    ]
    const more = [assistant(...ran, text('One.'), clock), user(result('c1'))]
    expect(restored([hi, assistant(...ran, text('One.'), text('Two.')), go], { before: more })).toEqual([
      hi,
      ...more,
      assistant(text('Two.')),
      go,
    ])
  })
  it('leaves a text that begins with other words', () => {
    expect(restored([hi, assistant(text('Other.')), go], { before })).toEqual([
      hi,
      ...before,
      assistant(text('Other.')),
      go,
    ])
  })
  it('leaves every other byte', () => {
    const body = Buffer.from(
      '{"messages":[ {"role":"user","content":"\\u0041"} , { "role":"assistant" , "content":[ {"type":"text",' +
        '"text":"One."} , {"text":"\\u0054wo.","type":"text", "x":1.0} ]} ,{"role":"user","content":"B"}] }',
    )
    const lens = messagesCodec.read(body)
    const [turn] = messagesServerTools.turns(lens)
    expect(
      turn &&
        splice(
          body,
          messagesServerTools.restore(lens, turn, {
            before: ['{"role":"assistant","content":"One."}', '{"role":"user","content":"R" }'],
            filler: false,
            calls: [],
            results: [],
          }),
        ).toString(),
    ).toBe(
      '{"messages":[ {"role":"user","content":"\\u0041"} , {"role":"assistant",' +
        '"content":"One."},{"role":"user","content":"R" },{ "role":"assistant" , "content":[ ' +
        '{"text":"\\u0054wo.","type":"text", "x":1.0} ]} ,{"role":"user","content":"B"}] }',
    )
  })
})

describe('restore of hidden calls', () => {
  const read = call('Read', 'r1')
  it.each<[string, JsonObject[], [JsonObject, number][], JsonObject[]]>([
    ['before all', [text('A'), bash, read], [[clock, 0]], [text('A'), clock, bash, read]],
    ['between', [text('A'), bash, read], [[clock, 1]], [text('A'), bash, clock, read]],
    ['behind all', [text('A'), bash, read], [[clock, 2]], [text('A'), bash, read, clock]],
    [
      'several',
      [bash],
      [
        [clock, 0],
        [call('clock', 'c2'), 1],
        [call('clock', 'c3'), 1],
      ],
      [clock, bash, call('clock', 'c2'), call('clock', 'c3')],
    ],
  ])('to their places: %s', (_where, copy, calls, whole) => {
    const results = calls.map(([block]) => result(String(block['id'])))
    const follows = user(result('b1'), result('r1'), text('And?'))
    expect(restored([hi, assistant(...copy), follows], { calls, results })).toEqual([
      hi,
      assistant(...whole),
      user(...results, result('b1'), result('r1'), text('And?')),
    ])
  })

  const alone = { calls: [[clock, 0]] as [JsonObject, number][], results: [result('c1')] }
  it.each<[string, JsonObject[], JsonObject[]]>([
    ['a text', [go], [user(result('c1'), text('Go on.'))]],
    ['blocks', [user(text('Go on.'))], [user(result('c1'), text('Go on.'))]],
    ['an empty list', [user()], [user(result('c1'))]],
    ['nothing', [], [user(result('c1'))]],
    [
      'a system message and a text',
      [{ role: 'system', content: 'S' }, go],
      [user(result('c1')), { role: 'system', content: 'S' }, go],
    ],
    [
      'a system message and results',
      [{ role: 'system', content: 'S' }, user(result('b1'))],
      [{ role: 'system', content: 'S' }, user(result('c1'), result('b1'))],
    ],
  ])('with their results in front of what follows: %s', (_what, follows, out) => {
    expect(restored([hi, assistant(text('A')), ...follows], alone)).toEqual([hi, assistant(text('A'), clock), ...out])
  })
  it('into a content that is a text', () => {
    expect(restored([hi, { role: 'assistant', content: 'A' }, go], alone)).toEqual([
      hi,
      assistant(text('A'), clock),
      user(result('c1'), text('Go on.')),
    ])
  })
  it('behind earlier rounds', () => {
    const before = [assistant(text('One.'), call('clock', 'c0')), user(result('c0'))]
    expect(
      restored([hi, assistant(text('One.'), text('Two.'), bash), user(result('b1'))], { before, ...alone }),
    ).toEqual([hi, ...before, assistant(text('Two.'), clock, bash), user(result('c1'), result('b1'))])
    expect(restored([hi, assistant(text('One.')), go], { before, ...alone })).toEqual([
      hi,
      ...before,
      assistant(clock),
      user(result('c1'), text('Go on.')),
    ])
  })
  it('lets the texts that follow be edited in the same go', () => {
    const lens = lensOf([hi, assistant(text('A')), go])
    const [turn] = messagesServerTools.turns(lens)
    const at = lens.userTexts().at(-1)
    if (!turn || !at) throw new Error('nothing to edit')
    const edits = messagesServerTools.restore(lens, turn, hiddenOf(alone))
    const other = { start: at.start, end: at.end, replacement: '"Stop."' }
    const outs = [
      [...edits, other],
      [other, ...edits],
    ].map((all) => splice(lens.body, all).toString())
    expect(JSON.parse(outs[0] ?? '')).toEqual({
      messages: [hi, assistant(text('A'), clock), user(result('c1'), text('Stop.'))],
    })
    expect(outs[1]).toBe(outs[0])
  })
})

describe('restore of a line of Onward’s own', () => {
  const before = [assistant(thinking('T', 's1'), text('One.'), clock), user(result('c1'))]
  it('takes it away', () => {
    expect(restored([hi, assistant(text('(Looked at the clock.)')), go], { filler: true })).toEqual([hi, go])
    expect(
      restored([hi, assistant(thinking('T', 's1'), text('One.'), text('Done.')), go], { filler: true, before }),
    ).toEqual([hi, ...before, go])
    expect(restored([hi, { role: 'assistant', content: 'One. Done.' }, go], { filler: true, before })).toEqual([
      hi,
      ...before,
      go,
    ])
    expect(restored([assistant(text('x')), go], { filler: true })).toEqual([go])
  })
  it('puts hidden calls in its place', () => {
    const calls: [JsonObject, number][] = [[call('clock', 'c2'), 0]]
    const hidden = { filler: true, before, calls, results: [result('c2')] }
    const out = [hi, ...before, assistant(call('clock', 'c2')), user(result('c2'), text('Go on.'))]
    expect(restored([hi, assistant(text('One. Done.')), go], hidden)).toEqual(out)
    expect(restored([hi, { role: 'assistant', content: 'One. Done.' }, go], hidden)).toEqual(out)
    expect(restored([hi, assistant(text('One.'), thinking('U', 's2'), text('Done.')), go], hidden)).toEqual([
      hi,
      ...before,
      assistant(thinking('U', 's2'), call('clock', 'c2')),
      out.at(-1),
    ])
  })
})
