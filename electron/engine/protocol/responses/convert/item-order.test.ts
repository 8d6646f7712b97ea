import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../../shared/testing/runs.ts'
import { converted } from '../../testing/converted.ts'
import { asObject, asObjects, parseObject, type JsonObject } from '../../values.ts'

type Piece = 'thought' | 'words' | 'first' | 'second'

const called = (index: number, args: string, begins: boolean) => ({
  tool_calls: [
    {
      index,
      ...(begins ? { id: `call_${index}`, type: 'function' } : {}),
      function: { ...(begins ? { name: `f${index}` } : {}), arguments: args },
    },
  ],
})

/** Pieces as Chat streams them; each call comes in as many pieces as it has, of one text of JSON. */
function chatStream(pieces: readonly Piece[]): string {
  const left = { first: pieces.filter((one) => one === 'first').length, second: 0 }
  left.second = pieces.filter((one) => one === 'second').length
  const begun = new Set<Piece>()
  const deltas = pieces.map((piece): JsonObject => {
    if (piece === 'thought') return { reasoning_content: 'hm' }
    if (piece === 'words') return { content: 'ah' }
    const begins = !begun.has(piece)
    begun.add(piece)
    const args = `${begins ? '{"a":"' : ''}x${--left[piece] === 0 ? '"}' : ''}`
    return called(piece === 'first' ? 0 : 1, args, begins)
  })
  return [
    ...deltas.map((delta) => ({ choices: [{ index: 0, delta, finish_reason: null }] })),
    { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
  ]
    .map((chunk) => `data: ${JSON.stringify({ id: 'c', model: 'm', ...chunk })}\n\n`)
    .concat('data: [DONE]\n\n')
    .join('')
}

function itemsOf(wire: string) {
  const events = wire
    .split('\n\n')
    .filter(Boolean)
    .map((block) => parseObject(Buffer.from(block.slice(block.indexOf('data: ') + 6))) ?? {})
  const response = asObject(events.at(-1)?.['response']) ?? {}
  return { events, output: asObjects(response['output']) }
}

/** Expects all events of an item before the next one begins. */
function expectOneAfterTheOther(wire: string): JsonObject[] {
  const { events, output } = itemsOf(wire)
  let index = -1
  let open = false
  const done: unknown[] = []
  for (const event of events) {
    if (event['output_index'] === undefined) continue
    if (event['type'] === 'response.output_item.added') {
      expect(open).toBe(false)
      open = true
      index++
    }
    expect([event['type'], open, event['output_index']]).toEqual([event['type'], true, index])
    if (event['type'] === 'response.output_item.done') {
      open = false
      done.push(event['item'])
    }
  }
  expect(open).toBe(false)
  expect(output).toEqual(done)
  return output
}

const said = (item: JsonObject) => item['name'] ?? item['type']

describe('items of a Responses stream come one after the other, as the model said them', () => {
  it.each<[string, Piece[], unknown[]]>([
    ['text after a call has begun', ['first', 'words', 'first'], ['f0', 'message']],
    ['thinking after text', ['words', 'thought', 'words'], ['message', 'reasoning', 'message']],
    ['two calls in turn', ['first', 'second', 'first', 'second'], ['f0', 'f1']],
    ['the second call whole first', ['first', 'second', 'first'], ['f0', 'f1']],
    [
      'thinking between calls',
      ['thought', 'first', 'thought', 'second', 'first'],
      ['reasoning', 'f0', 'reasoning', 'f1'],
    ],
  ])('%s', (_, pieces, order) => {
    expect(
      expectOneAfterTheOther(converted('chat', 'responses', chatStream(pieces), 'stream').bytes).map(said),
    ).toEqual(order)
  })

  it('in whatever order a Chat stream tells them', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom<Piece>('thought', 'words', 'first', 'second'), { minLength: 1, maxLength: 12 }),
        (pieces) => {
          const output = expectOneAfterTheOther(converted('chat', 'responses', chatStream(pieces), 'stream').bytes)
          for (const [name, piece] of [
            ['f0', 'first'],
            ['f1', 'second'],
          ] as const) {
            const count = pieces.filter((one) => one === piece).length
            const found = output.find((item) => item['name'] === name)
            expect(found?.['arguments']).toBe(count === 0 ? undefined : `{"a":"${'x'.repeat(count)}"}`)
          }
          const begun = [...new Set(pieces)].filter((one) => one === 'first' || one === 'second')
          expect(output.map(said).filter((name) => name === 'f0' || name === 'f1')).toEqual(
            begun.map((one) => (one === 'first' ? 'f0' : 'f1')),
          )
        },
      ),
      runs(50),
    )
  })

  it('from parts of Gemini in any order', () => {
    const parts = {
      thought: { text: 'hm', thought: true },
      words: { text: 'ah' },
      first: { functionCall: { id: 'a', name: 'f0', args: { a: 1 } }, thoughtSignature: 'c2ln' },
      second: { functionCall: { id: 'b', name: 'f1', args: {} } },
    }
    fc.assert(
      fc.property(fc.shuffledSubarray(['thought', 'words', 'first', 'second'] as const, { minLength: 1 }), (order) => {
        const chunks = order.map((one, i) => ({
          candidates: [
            {
              index: 0,
              content: { role: 'model', parts: [parts[one]] },
              ...(i === order.length - 1 ? { finishReason: 'STOP' } : {}),
            },
          ],
        }))
        const wire = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`).join('')
        const output = expectOneAfterTheOther(converted('gemini', 'responses', wire, 'stream').bytes)
        const kinds = { thought: 'reasoning', words: 'message', first: 'f0', second: 'f1' }
        // The seal of a call follows it as an item of its own.
        const shown = output.filter((item) => item['type'] !== 'reasoning' || asObjects(item['summary']).length > 0)
        expect(shown.map(said)).toEqual(order.map((one) => kinds[one]))
      }),
      runs(50),
    )
  })
})
