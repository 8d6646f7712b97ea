import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../values.ts'
import { filterBody } from './filter-body.ts'
import { anyAnswer, bodyOfAnswer, call, isOurs, names, text } from './testing/answers.ts'
import { runs } from '../../../../../shared/testing/runs.ts'

describe('filter of a JSON answer', () => {
  it('leaves every other byte', () => {
    const body = Buffer.from(
      '{ "id":"m", "content" : [ {"type":"text","text":"\\u0041 \\"clock\\"","x":1.50} , {"type":"tool_use",' +
        '"id":"c","name":"clock","input":{}} ] ,\n "stop_reason": "tool_use", "usage":{"z":-0} }',
    )
    expect(filterBody(body, names).toString()).toBe(
      '{ "id":"m", "content" : [ {"type":"text","text":"\\u0041 \\"clock\\"",' +
        '"x":1.50} ] ,\n "stop_reason": "end_turn", "usage":{"z":-0} }',
    )
  })

  it('makes the answer that it would be without hidden calls', () => {
    fc.assert(
      fc.property(anyAnswer, fc.constantFrom(0, 1), (blocks, space) => {
        const kept = blocks.filter((block) => !isOurs(block))
        const body = Buffer.from(JSON.stringify(bodyOfAnswer(blocks), null, space))
        const out = filterBody(body, names)
        if (kept.length === blocks.length) expect(out).toBe(body)
        else expect(JSON.parse(out.toString())).toEqual(bodyOfAnswer(kept))
      }),
      runs(300),
    )
  })

  it.each<[string, JsonObject[]]>([
    ['said', [text('"clock"'), text('clock')]],
    ['an argument', [call('Bash', 'b', { name: 'clock', type: 'tool_use' })]],
    ['run by the vendor', [{ type: 'server_tool_use', id: 's', name: 'clock', input: {} }]],
  ])('is the same buffer where a name is only %s', (_what, blocks) => {
    const body = Buffer.from(JSON.stringify(bodyOfAnswer(blocks)))
    expect(filterBody(body, names)).toBe(body)
  })

  it.each([
    '',
    'null',
    '[{"name":"clock"}]',
    '{"content":[{"type":"tool_use","name":"clock"',
    '{"content":{"name":"clock"}}',
    '{"content":null,"x":"clock"}',
    '{"content":["clock",null,3]}',
  ])('leaves what is no answer: %s', (json) => {
    const body = Buffer.from(json)
    expect(filterBody(body, names)).toBe(body)
  })

  it.each(['tool_use', 'tool-use', 'tool_calls', 'TOOL_USE'])('makes a stop of %s, as gateways spell it', (reason) => {
    const out = filterBody(Buffer.from(JSON.stringify(bodyOfAnswer([call('clock', 'c')], { reason }))), names)
    expect(JSON.parse(out.toString())).toMatchObject({ content: [], stop_reason: 'end_turn' })
  })

  it('keeps a reason that says more', () => {
    const out = filterBody(
      Buffer.from(JSON.stringify(bodyOfAnswer([call('clock', 'c')], { reason: 'max_tokens' }))),
      names,
    )
    expect(JSON.parse(out.toString())).toMatchObject({ content: [], stop_reason: 'max_tokens' })
  })
})
