import { describe, expect, it } from 'vitest'
import { checkChat } from '../../../../../e2e/support/mock-upstream/check-chat.ts'
import { splice } from '../../json-bytes/index.ts'
import type { HiddenHistory } from '../../server-tools/types.ts'
import { chatCodec } from '../codec.ts'
import { turns } from './declare.ts'
import { restore } from './restore.ts'

const user = '{"role":"user","content":"Q"}'
const tool = (id: string) => `{"role":"tool","tool_call_id":"${id}","content":"R"}`
const call = (id: string, name = 'read') =>
  `{"id":"${id}","type":"function","function":{"name":"${name}","arguments":"{}"}}`
const hiddenCall = (id: string, callsBefore = 0) => ({ json: call(id, 'clock'), callsBefore })
const history = (more: Partial<HiddenHistory>): HiddenHistory => ({
  before: [],
  filler: false,
  calls: [],
  results: [],
  ...more,
})
const round = ['{"role":"assistant","content":"First.\\n","tool_calls":[' + call('c', 'clock') + ']}', tool('c')]

/** The messages with the last answer restored. */
function restored(messages: string, hidden: Partial<HiddenHistory>): string {
  const body = `{"model":"m", "messages" : [${messages}] }`
  const lens = chatCodec.read(Buffer.from(body))
  const turn = turns(lens).at(-1)
  if (!turn) throw new Error('no answer')
  const out = splice(lens.body, restore(lens, turn, history(hidden))).toString()
  expect(checkChat(JSON.parse(out))).toEqual([])
  return out.slice('{"model":"m", "messages" : ['.length, -'] }'.length)
}
const answer = (content: unknown, more = '') => `{"role":"assistant","content":${JSON.stringify(content)}${more}}`

describe('answers in a Chat history', () => {
  it('are the assistant’s messages, those in a row as one', () => {
    const messages = [
      '{"role":"system","content":"S"}',
      user,
      answer(' A\n b', `,"tool_calls":[${call('x')},{"function":{"name":"unnamed"}}]`),
      tool('x'),
      answer([
        { type: 'thinking', thinking: 't' },
        { type: 'text', text: 'C ' },
        { type: 'text', text: 'd' },
      ]),
      answer(null, `,"tool_calls":[${call('y')}]`),
      user,
    ]
    expect(turns(chatCodec.read(Buffer.from(`{"messages":[${messages.join(' , ')}]}`)))).toEqual([
      { first: 2, last: 2, text: 'Ab', calls: ['x', 'unnamed'] },
      { first: 4, last: 5, text: 'Cd', calls: ['y'] },
    ])
  })
  it('are none in odd requests', () => {
    expect(turns(chatCodec.read(Buffer.from('{"messages":[1,null,{"role":7},{"role":"user"}]}')))).toEqual([])
    expect(turns(chatCodec.read(Buffer.from('{}')))).toEqual([])
  })
})

describe('rounds in front of an answer', () => {
  it.each([
    ['with a blank line between', answer('First.\n\nSecond.'), answer('Second.')],
    ['with one space between', answer('First. Second.'), answer('Second.')],
    ['put together', answer('First.Second.\n'), answer('Second.\n')],
    [
      'as parts',
      '{"role":"assistant","content":[{"type":"text","text":"First."} , ' +
        '{"type":"text", "text":"Second.","cache_control":{"type":"ephemeral"}}]}',
      '{"role":"assistant","content":[{"type":"text", "text":"Second.","cache_control":{"type":"ephemeral"}}]}',
    ],
    [
      'as one part, whose mark stays',
      '{"role":"assistant","content":[{"type":"text",' +
        '"text":"First.\\n\\nSecond.","cache_control":{"type":"ephemeral"}}]}',
      '{"role":"assistant","content":[{"type":"text","text":"Second.","cache_control":{"type":"ephemeral"}}]}',
    ],
    ['in two messages', `${answer('First.')},${answer('Second.')}`, answer('Second.')],
    [
      'beside members of other kinds',
      '{ "n":1.50, "role":"assistant" , "content" : "First.\\n\\nS\\u0065cond." }',
      '{ "n":1.50, "role":"assistant" , "content" : "Second." }',
    ],
    ['with nothing of its own', answer('First.'), null],
    ['with calls', answer('First.', `,"tool_calls":[${call('x')}]`), answer(null, `,"tool_calls":[${call('x')}]`)],
  ])('take the place of what the client has of them: %s', (_how, client, left) => {
    const behind = left?.includes('tool_calls') ? `,${tool('x')} , ${user}` : ` , ${user}`
    expect(restored(`${user} ,${client}${behind}`, { before: round })).toBe(
      `${user} ,${[...round, ...(left === null ? [] : [left])].join(',')}${behind}`,
    )
  })

  it('stay in front of a text that begins otherwise', () => {
    expect(restored(`${user},${answer('Other.')}`, { before: round })).toBe(
      `${user},${round.join(',')},${answer('Other.')}`,
    )
  })

  it('bring their user turns and texts of any letters', () => {
    const before = ['{"role":"assistant","content":"Grüße “世界” 👋"}', '{"role":"user","content":"go on"}']
    expect(restored(`${user},${answer('Grüße “世界” 👋\n\nDa.')}`, { before })).toBe(
      `${user},${before.join(',')},${answer('Da.')}`,
    )
  })

  const thought = (more: string) =>
    `{"role":"assistant","content":"First.",${more},"tool_calls":[${call('c', 'clock')}]}`
  it.each([
    ['text', '"reasoning_content":"Hm."', '"reasoning_content":"Hm.So."', '"reasoning_content":"So."'],
    [
      'text with a blank line',
      '"reasoning_content":"Hm."',
      '"reasoning_content":"Hm.\\n\\nSo."',
      '"reasoning_content":"So."',
    ],
    ['text by another name', '"reasoning":"Hm."', '"reasoning_content":"Hm.So."', '"reasoning_content":"So."'],
    ['all of it', '"reasoning_content":"Hm."', '"reasoning_content":"Hm."', null],
    ['only its own', '"reasoning_content":"Hm."', '"reasoning_content":"So."', '"reasoning_content":"So."'],
    [
      'signatures',
      '"reasoning_details":[{"type":"reasoning.text","text":"Hm.","signature":"s1","index":0}]',
      '"reasoning_details":[{"type":"reasoning.text","text":"Hm.",' +
        '"signature":"s1"},{"type":"reasoning.text","text":"Hm.","signature":"s2"}]',
      '"reasoning_details":[{"type":"reasoning.text","text":"Hm.","signature":"s2"}]',
    ],
    [
      'encrypted',
      '"reasoning_details":[{"type":"reasoning.encrypted","data":"e1"}]',
      '"reasoning_details":[{"type":"reasoning.encrypted","data":"e1"}]',
      null,
    ],
    [
      'put together under one signature',
      '"reasoning_details":[{"type":"reasoning.text","text":"Hm.","signature":"s1"}]',
      '"reasoning_details":[{"type":"reasoning.text","text":"Hm.So.","signature":"s2"}]',
      '"reasoning_details":[{"type":"reasoning.text","text":"So.","signature":"s2"}]',
    ],
    [
      'without a signature',
      '"thinking_blocks":[{"type":"thinking","thinking":"Hm."}]',
      '"thinking_blocks":[{"type":"thinking","thinking":"Hm."},{"type":"thinking","thinking":"So."}]',
      '"thinking_blocks":[{"type":"thinking","thinking":"So."}]',
    ],
  ])('keep their thinking, once: %s', (_how, theirs, client, left) => {
    const before = [thought(theirs), tool('c')]
    const own = `{"role":"assistant","content":"Second."${left === null ? '' : `,${left}`}}`
    expect(restored(`${user},${answer('First.\n\nSecond.', `,${client}`)}`, { before })).toBe(
      `${user},${before.join(',')},${own}`,
    )
  })
})

describe('a line of Onward’s own', () => {
  it.each([
    ['behind rounds', answer('First.\n\nLooked at the clock.'), `${round.join(',')}`],
    [
      'as a part',
      answer([
        { type: 'text', text: 'First.' },
        { type: 'text', text: 'Looked at the clock.' },
      ]),
      `${round.join(',')}`,
    ],
    [
      'with thinking, which is no message alone',
      answer('Looked at the clock.', ',"reasoning_content":"So."'),
      round.join(','),
    ],
  ])('never goes up: %s', (_how, client, expected) => {
    expect(restored(`${user} , ${client} , ${user}`, { before: round, filler: true })).toBe(
      `${user} , ${expected} , ${user}`,
    )
  })
  it('makes room for hidden calls', () => {
    expect(
      restored(`${user},${answer('Looked.', ',"reasoning_content":"So."')},${user}`, {
        filler: true,
        calls: [hiddenCall('h')],
        results: [tool('h')],
      }),
    ).toBe(
      `${user},{"tool_calls":[${call('h', 'clock')}],"role":"assistant",` +
        `"content":null,"reasoning_content":"So."},${tool('h')},${user}`,
    )
  })
  it.each([
    ['between others', [user, answer('Looked.'), user], [user, user]],
    ['first', [answer('Looked.'), user], [user]],
    ['last', [user, answer('Looked.')], [user]],
  ])('that stands alone goes with one comma: %s', (_where, messages, left) => {
    expect(restored(messages.join(','), { filler: true })).toBe(left.join(','))
  })
})

describe('hidden calls of an answer', () => {
  const own = `{"role":"assistant","content":"A","tool_calls" : [ ${call('x')} , ${call('y')} ]}`
  const withCalls = (...calls: string[]) => `{"role":"assistant","content":"A","tool_calls" : [${calls.join(',')}]}`
  it.each([
    ['first', [hiddenCall('h', 0)], [call('h', 'clock'), call('x'), call('y')]],
    [
      'between',
      [hiddenCall('h', 1), hiddenCall('i', 1)],
      [call('x'), call('h', 'clock'), call('i', 'clock'), call('y')],
    ],
    ['last', [hiddenCall('h', 2)], [call('x'), call('y'), call('h', 'clock')]],
    [
      'everywhere',
      [hiddenCall('h', 0), hiddenCall('i', 1), hiddenCall('j', 9)],
      [call('h', 'clock'), call('x'), call('i', 'clock'), call('y'), call('j', 'clock')],
    ],
  ])('go back to their places, their results in front of the client’s: %s', (_where, calls, expected) => {
    const results = calls.map(({ json }) => tool(String((JSON.parse(json) as { id: string }).id)))
    expect(restored(`${user},${own} , ${tool('y')},${tool('x')}`, { calls, results })).toBe(
      `${user},${withCalls(...expected)},${results.join(',')} , ${tool('y')},${tool('x')}`,
    )
  })
  it.each([
    ['a user’s text', `,${user}`],
    ['nothing', ''],
  ])('have their results right behind them where %s follows', (_what, behind) => {
    const added = `{"tool_calls":[${call('h', 'clock')}],"role":"assistant","content":"A"},${tool('h')}`
    expect(restored(`${user},${answer('A')}${behind}`, { calls: [hiddenCall('h')], results: [tool('h')] })).toBe(
      `${user},${added}${behind}`,
    )
    expect(
      restored(`${user},{"role":"assistant","content":"A","tool_calls":null}${behind}`, {
        calls: [hiddenCall('h')],
        results: [tool('h')],
      }),
    ).toBe(`${user},{"role":"assistant","content":"A","tool_calls":[${call('h', 'clock')}]},${tool('h')}${behind}`)
  })
  it('stand behind the rounds before them', () => {
    expect(
      restored(`${user},${answer('First.\n\nA', `,"tool_calls":[${call('x')}]`)},${tool('x')}`, {
        before: round,
        calls: [hiddenCall('h', 1)],
        results: [tool('h')],
      }),
    ).toBe(
      `${user},${round.join(',')},` +
        `${answer('A', `,"tool_calls":[${call('x')},${call('h', 'clock')}]`)},${tool('h')},${tool('x')}`,
    )
  })
})

it('nothing hidden is no edit', () => {
  const lens = chatCodec.read(Buffer.from(`{"messages":[${user},${answer('A')}]}`))
  expect(restore(lens, { first: 1, last: 1, text: 'A', calls: [] }, history({}))).toEqual([])
})
