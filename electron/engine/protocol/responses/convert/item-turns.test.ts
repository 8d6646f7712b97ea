import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../values.ts'
import { readWire, wireOf } from './testing/answers.ts'

const added = (output_index: number, item: JsonObject) => ({ type: 'response.output_item.added', output_index, item })
const done = (output_index: number, item: JsonObject) => ({ type: 'response.output_item.done', output_index, item })
const call = (n: number, args: string) => ({
  type: 'function_call',
  id: `fc_${n}`,
  call_id: `call_${n}`,
  name: `f${n}`,
  arguments: args,
})
const message = (...content: JsonObject[]) => ({ type: 'message', id: 'msg_1', role: 'assistant', content })
const words = { type: 'output_text', text: 'Look.', annotations: [] }
const thought = { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm' }] }
const text = (output_index: number, delta: string) => ({
  type: 'response.output_text.delta',
  output_index,
  content_index: 0,
  delta,
})
const think = (output_index: number, delta: string) => ({
  type: 'response.reasoning_summary_text.delta',
  output_index,
  summary_index: 0,
  delta,
})
const args = (output_index: number, delta: string) => ({
  type: 'response.function_call_arguments.delta',
  output_index,
  delta,
})
const completed = { type: 'response.completed', response: { id: 'r', status: 'completed', output: [] } }
const read = (events: JsonObject[]) => readWire(wireOf([...events, completed]))
const blocks = (events: JsonObject[]) =>
  read(events).folded.blocks.map(({ part, text: said }) => [part.kind === 'tool-call' ? part.name : part.kind, said])

describe('items come in the order of their indexes', () => {
  const all = [
    ['thinking', 'Hm'],
    ['text', 'Look.'],
    ['f2', '{"a":1}'],
  ]
  const lives = [
    [added(0, { ...thought, summary: [] }), think(0, 'H'), think(0, 'm'), done(0, thought)],
    [added(1, message()), text(1, 'Lo'), text(1, 'ok.'), done(1, message(words))],
    [added(2, call(2, '')), args(2, '{"a"'), args(2, ':1}'), done(2, call(2, '{"a":1}'))],
  ]
  /** one event of each item in turn, of the items in this order */
  const alternating = (order: readonly number[]) =>
    [0, 1, 2, 3].flatMap((step) => order.map((item) => lives[item]?.[step] ?? {}))

  it.each([
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [2, 1, 0],
  ])('where their events alternate, begun as %i, %i, %i', (...order) => {
    expect(blocks(alternating(order))).toEqual(all)
  })

  it.each([
    [0, 2, 1],
    [2, 1, 0],
    [1, 2, 0],
  ])('where all begin at once and end as %i, %i, %i', (...order) => {
    const begun = lives.map(([first]) => first ?? {})
    expect(blocks([...begun, ...order.flatMap((item) => lives[item]?.slice(1) ?? [])])).toEqual(all)
  })

  it('where a call begins before words that stand before it', () => {
    const order = [added(0, message()), added(1, call(1, '')), args(1, '{}'), text(0, 'Look.')]
    expect(blocks([...order, done(0, message(words)), done(1, call(1, '{}'))])).toEqual([
      ['text', 'Look.'],
      ['f1', '{}'],
    ])
  })

  it('and none waits for an index that is left out', () => {
    const { events } = readWire(wireOf([added(1, call(1, '')), args(1, '{"a":')]))
    expect(events.filter(({ type }) => type === 'delta')).toHaveLength(1)
  })

  it('with all that came of an item that never ended', () => {
    expect(blocks([added(0, message()), added(1, call(1, '')), args(1, '{}'), text(0, 'Look.')])).toEqual([
      ['text', 'Look.'],
      ['f1', '{}'],
    ])
  })
})
