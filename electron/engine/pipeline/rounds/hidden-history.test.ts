import { describe, expect, it } from 'vitest'
import { serverToolCodecOf } from '../../protocol/index.ts'
import type { RoundSaid } from '../../protocol/server-tools/types.ts'
import { hiddenHistory } from './hidden-history.ts'

const said = (text: string, more: Partial<RoundSaid> = {}): RoundSaid => ({
  items: [Buffer.from(`{"role":"assistant","content":"${text.trim()}"}`)],
  text,
  hidden: [],
  calls: [],
  ...more,
})
const call = { id: 'call_a', name: 'look', arguments: '{}' }
const placed = { call, json: '{"type":"tool_use"}', callsBefore: 1 }
const end = { said: null, results: [], filler: null, responseId: null, continuesAs: null }
const hiddenTurns = () => hiddenHistory(serverToolCodecOf('messages'))

describe('what a client does not see', () => {
  it('of one round without calls is nothing', () => {
    expect(hiddenTurns().end({ ...end, said: said('Hi you.') })).toEqual({
      hidden: { before: [], filler: false, calls: [], results: [] },
      text: 'Hiyou.',
      calls: [],
      responseId: null,
      continuesAs: null,
    })
  })

  it('is every earlier round with what was said behind it, byte for byte', () => {
    const told = hiddenTurns()
    told.round(said('One. '), [Buffer.from('{"a":1}')])
    told.round(said(' Two.'), [Buffer.from('{"b":"世"}'), Buffer.from('{"c":3}')])
    expect([told.rounds(), told.text()]).toEqual([2, 'One.Two.'])
    const { hidden, text, responseId } = told.end({ ...end, said: said('\n\nThree.'), responseId: 'resp_3' })
    expect(hidden.before).toEqual([
      '{"role":"assistant","content":"One."}',
      '{"a":1}',
      '{"role":"assistant","content":"Two."}',
      '{"b":"世"}',
      '{"c":3}',
    ])
    expect([text, responseId]).toEqual(['One.Two.Three.', 'resp_3'])
  })

  it('is also the last round’s calls and their results, beside the client’s own', () => {
    const { hidden, calls } = hiddenTurns().end({
      ...end,
      said: said('One.', { hidden: [placed], calls: ['call_b'] }),
      results: [{ call, text: 'seen', isError: false }],
    })
    expect(hidden.calls).toEqual([{ json: '{"type":"tool_use"}', callsBefore: 1 }])
    expect(hidden.results.map((json): unknown => JSON.parse(json))).toEqual([
      { type: 'tool_result', tool_use_id: 'call_a', content: 'seen' },
    ])
    expect(calls).toEqual(['call_b'])
  })

  it('with a line of Onward’s own has that line for its text', () => {
    const told = hiddenTurns()
    told.round(said(' '), [])
    expect(told.end({ ...end, said: said(''), filler: '(Onward: looked)' })).toMatchObject({
      hidden: { filler: true },
      text: '(Onward:looked)',
    })
  })

  it('forgets the round that was to be followed and was not', () => {
    const told = hiddenTurns()
    told.round(said('One.'), [Buffer.from('{"a":1}')])
    told.round(said('Two.'), [Buffer.from('{"user":1}')])
    told.dropRound()
    expect([told.rounds(), told.text()]).toEqual([1, 'One.'])
    expect(told.end({ ...end, said: said('Two.') })).toMatchObject({
      hidden: { before: ['{"role":"assistant","content":"One."}', '{"a":1}'] },
      text: 'One.Two.',
    })
  })
})
