import { describe, expect, it } from 'vitest'
import { splice } from '../../json-bytes/index.ts'
import type { HiddenHistory } from '../../server-tools/types.ts'
import { responsesCodec } from '../codec.ts'
import { responsesServerTools as serverTools } from './index.ts'

/**
 * Items in short: `u` user, `r` reasoning, `m` message, `c` call, `o` output, `s` web search, each with its id or text.
 */
const item = (short: string): Record<string, unknown> => {
  const [kind, of = ''] = short.split(':')
  switch (kind) {
    case 'u':
      return { role: 'user', content: of }
    case 'r':
      return { type: 'reasoning', encrypted_content: of, summary: [] }
    case 'm':
      return { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: of }] }
    case 'c':
      return { type: 'function_call', call_id: of, name: 'n', arguments: '{}' }
    case 's':
      return { type: 'web_search_call', status: 'completed', action: { query: of } }
    default:
      return { type: 'function_call_output', call_id: of, output: '' }
  }
}
const json = (short: string): string => JSON.stringify(item(short))
const lensOf = (items: readonly string[], members = '') =>
  responsesCodec.read(Buffer.from(`{"input":[ ${items.map(json).join(' ,\n ')} ]${members}}`))
const nothing: HiddenHistory = { before: [], filler: false, calls: [], results: [] }
const list = (shorts: string): string[] => shorts.split(' ').filter((short) => short !== '')

describe('answers in a history', () => {
  it.each([
    ['u:1 m:A u:2', ['1-1 A ']],
    ['u:1 r:x m:A m:B c:1 c:2 o:1 o:2 m:C u:2 m:D', ['1-5 AB 1,2', '8-8 C ', '10-10 D ']],
    ['u:1 c:1 o:1 c:2 o:2', ['1-1  1', '3-3  2', '1-3  1,2']],
    ['u:1 c:1 c:2 o:1 o:2 c:3', ['1-2  1,2', '5-5  3']],
    ['u:1 s:q m:A u:2', ['1-2 A ']],
  ])('%s', (shorts, expected) => {
    expect(
      serverTools
        .turns(lensOf(list(shorts)))
        .map(({ first, last, text, calls }) => `${first}-${last} ${text} ${calls.join()}`),
    ).toEqual(expected)
  })

  it('keep their places when more follow', () => {
    const all = list('u:1 c:1 o:1 c:2 o:2 r:x c:3 o:3 m:A u:2 m:B')
    const whole = serverTools.turns(lensOf(all))
    // As requests end: with a result or a user's turn.
    for (const n of [1, 3, 5, 8, 10]) {
      const part = serverTools.turns(lensOf(all.slice(0, n)))
      expect(whole.slice(0, part.length)).toEqual(part)
    }
  })

  it('are none where the input is a text', () =>
    expect(serverTools.turns(responsesCodec.read(Buffer.from('{"input":"hi"}')))).toEqual([]))
})

describe('restoring', () => {
  const h = (before: number, of = 'h') => ({ json: json(`c:${of}`), callsBefore: before })
  const r = [json('o:h')]
  const cases: [string, string, Partial<HiddenHistory>, string][] = [
    ['a hidden call first', 'u:1 r:x c:1 o:1', { calls: [h(0)], results: r }, 'u:1 r:x c:h c:1 o:h o:1'],
    [
      'a hidden call in the middle',
      'u:1 c:1 c:2 o:2 o:1',
      { calls: [h(1)], results: r },
      'u:1 c:1 c:h c:2 o:h o:2 o:1',
    ],
    ['a hidden call last', 'u:1 m:A c:1 o:1', { calls: [h(1)], results: r }, 'u:1 m:A c:1 c:h o:h o:1'],
    [
      'a call beside one that the client has not any more',
      'u:1 c:1 o:1',
      { calls: [h(2)], results: r },
      'u:1 c:1 c:h o:h o:1',
    ],
    [
      'several',
      'u:1 c:1 o:1',
      { calls: [h(0, 'g'), h(1)], results: [json('o:g'), ...r] },
      'u:1 c:g c:1 c:h o:g o:h o:1',
    ],
    [
      'a call behind the thought that led to it',
      'u:1 r:x r:y c:1 o:1',
      { calls: [h(0)], results: r },
      'u:1 r:x c:h r:y c:1 o:h o:1',
    ],
    ['a call with nothing behind it', 'u:1 m:A', { calls: [h(0)], results: r }, 'u:1 m:A c:h o:h'],
    [
      'earlier rounds',
      'u:1 r:x m:A r:y m:B u:2',
      { before: list('r:x m:A c:h o:h').map(json) },
      'u:1 r:x m:A c:h o:h r:y m:B u:2',
    ],
    [
      'earlier rounds of a client without thinking',
      'u:1 m:A m:B u:2',
      { before: list('r:x m:A c:h o:h').map(json) },
      'u:1 r:x m:A c:h o:h m:B u:2',
    ],
    [
      'earlier rounds of a joined text',
      'u:1 m:A\n\nB u:2',
      { before: list('m:A c:h o:h').map(json) },
      'u:1 m:A c:h o:h m:B u:2',
    ],
    ['earlier rounds that were all', 'u:1 m:A u:2', { before: list('m:A c:h o:h').map(json) }, 'u:1 m:A c:h o:h u:2'],
    [
      'a search of an earlier round, once',
      'u:1 s:q s:q m:B u:2',
      { before: list('s:q c:h o:h').map(json) },
      'u:1 s:q c:h o:h s:q m:B u:2',
    ],
    ['a followup within the answer', 'u:1 m:A m:B u:2', { before: list('m:A u:go').map(json) }, 'u:1 m:A u:go m:B u:2'],
    [
      'in place of a line of Onward’s own',
      'u:1 r:x m:Line u:2',
      { filler: true, calls: [h(0)], results: r },
      'u:1 r:x c:h o:h u:2',
    ],
    [
      'in place of a line behind earlier rounds',
      'u:1 r:x m:Line u:2',
      { before: list('r:x c:g o:g').map(json), filler: true, calls: [h(0)], results: r },
      'u:1 r:x c:g o:g c:h o:h u:2',
    ],
    ['nothing in place of a line', 'u:1 m:Line u:2', { filler: true }, 'u:1 u:2'],
    ['nothing in place of a last line', 'u:1 m:Line', { filler: true }, 'u:1'],
    ['calls beside their results', 'u:1 c:1 o:1 c:2 o:2', { calls: [h(1)], results: r }, 'u:1 c:1 o:1 c:h c:2 o:h o:2'],
    [
      'a text that is no copy',
      'u:1 m:Else u:2',
      { before: list('m:A c:h o:h').map(json) },
      'u:1 m:A c:h o:h m:Else u:2',
    ],
    ['nothing', 'u:1 m:A u:2', {}, 'u:1 m:A u:2'],
  ]
  it.each(cases)('%s', (_, client, hidden, expected) => {
    const lens = lensOf(list(client), ',"x":1.0')
    const turns = serverTools.turns(lens)
    // These mean the longest reading.
    const turn = turns.findLast(({ first }) => first === 1)
    if (!turn) throw new Error('no answer')
    const body = splice(lens.body, serverTools.restore(lens, turn, { ...nothing, ...hidden }))
    expect(JSON.parse(body.toString())).toEqual({ input: list(expected).map(item), x: 1 })
    expect(body.toString()).toMatch(/^\{"input":\[ .* \],"x":1\.0\}$/s)
  })

  it('changes no byte of what stays', () => {
    const lens = responsesCodec.read(
      Buffer.from(
        '{"input":[{"role":"user","content":"1"}\n,{"type":"message", "role":"assistant","content":[ ' +
          '{"text":"A","type":"output_text"} , {"type":"output_text","text":"B","annotations":[ ]}]},  ' +
          `${json('c:1')}\t,\n{"call_id":"1" ,"type":"function_call_output","output":"x"}]}`,
      ),
    )
    const [turn] = serverTools.turns(lens)
    if (!turn) throw new Error('no answer')
    const body = splice(
      lens.body,
      serverTools.restore(lens, turn, { ...nothing, before: [json('m:A')], calls: [h(1)], results: r }),
    )
    expect(body.toString()).toBe(
      `{"input":[{"role":"user","content":"1"},${json('m:A')},{"type":"message", "role":"assistant",` +
        `"content":[ {"type":"output_text","text":"B","annotations":[ ]}]},  ${json('c:1')},${json('c:h')},` +
        `${json('o:h')}\t,\n{"call_id":"1" ,"type":"function_call_output","output":"x"}]}`,
    )
  })
})
