import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AnswerEvent } from './answer.ts'
import { inOrder } from './in-order.ts'
import { runs } from '../../../../shared/testing/runs.ts'

const call = (block: number): AnswerEvent => ({
  type: 'begin',
  block,
  part: { kind: 'tool-call', id: `c${block}`, name: 't', custom: false },
})
const text = (block: number): AnswerEvent => ({ type: 'begin', block, part: { kind: 'text' } })
const delta = (block: number, piece: string): AnswerEvent => ({ type: 'delta', block, text: piece })
const end = (block: number): AnswerEvent => ({ type: 'end', block })
const finish: AnswerEvent = { type: 'finish', reason: 'tool-calls', stopSequence: null, usage: null }

function ordered(events: readonly AnswerEvent[]): { said: AnswerEvent[]; after: number[] } {
  const said: AnswerEvent[] = []
  const emit = inOrder((event) => said.push(event))
  return {
    said,
    after: events.map((event) => {
      emit(event)
      return said.length
    }),
  }
}

describe('one block after the other', () => {
  it('lets blocks that are not open at once through as they come', () => {
    const events = [text(0), delta(0, 'a'), end(0), call(1), delta(1, '{}'), end(1), finish]
    expect(ordered(events)).toEqual({ said: events, after: [1, 2, 3, 4, 5, 6, 7] })
  })

  it('lets sources through that are named when their text is over, and those of a waiting text with it', () => {
    const citation = (block: number): AnswerEvent => ({
      type: 'citation',
      block,
      citation: { url: 'https://a.example', title: null, quote: null, start: null, end: null },
    })
    const late = [text(0), delta(0, 'a'), end(0), citation(0), finish]
    expect(ordered(late).said).toEqual(late)
    const waiting = [text(0), text(1), delta(1, 'b'), citation(1), citation(0), end(0), end(1), finish]
    expect(ordered(waiting).said).toEqual([
      text(0),
      citation(0),
      end(0),
      text(1),
      delta(1, 'b'),
      citation(1),
      end(1),
      finish,
    ])
  })

  it('ends a call that is whole when the next one begins', () => {
    const { said } = ordered([
      call(0),
      delta(0, '{"a":"}"}'),
      call(1),
      delta(1, '{'),
      delta(1, '}'),
      end(0),
      end(1),
      finish,
    ])
    expect(said).toEqual([
      call(0),
      delta(0, '{"a":"}"}'),
      end(0),
      call(1),
      delta(1, '{'),
      delta(1, '}'),
      end(1),
      finish,
    ])
  })

  it('keeps back what comes of a later call until the first is whole, and no longer', () => {
    const { said, after } = ordered([
      call(0),
      call(1),
      delta(0, '{"a"'),
      delta(1, '{"b":'),
      delta(0, ':1}'),
      delta(1, '2}'),
      end(0),
      end(1),
      finish,
    ])
    expect(said).toEqual([
      call(0),
      delta(0, '{"a"'),
      delta(0, ':1}'),
      end(0),
      call(1),
      delta(1, '{"b":'),
      delta(1, '2}'),
      end(1),
      finish,
    ])
    expect(after).toEqual([1, 1, 2, 2, 6, 7, 7, 8, 9])
  })

  it('loses nothing and never has two blocks open, however calls interleave', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(3), fc.constantFrom('{', '"x"', ':1', '}', ' ')), { maxLength: 40 }),
        fc.boolean(),
        (pieces, ends) => {
          const blocks = [...new Set(pieces.map(([block]) => block))]
          const begun = new Set<number>()
          const events: AnswerEvent[] = []
          for (const [block, piece] of pieces) {
            if (!begun.has(block)) {
              begun.add(block)
              events.push(text(block))
            }
            events.push(delta(block, piece))
          }
          if (ends) for (const block of blocks) events.push(end(block))
          const { said } = ordered([...events, finish])
          let open: number | null = null
          const texts = new Map<number, string>()
          for (const event of said) {
            if (event.type === 'begin') {
              expect(open).toBeNull()
              open = event.block
            } else if (event.type === 'delta') {
              expect(event.block).toBe(open)
              texts.set(event.block, (texts.get(event.block) ?? '') + event.text)
            } else if (event.type === 'end') {
              expect(event.block).toBe(open)
              open = null
            }
          }
          expect(open).toBeNull()
          expect(said.at(-1)).toEqual(finish)
          for (const block of blocks)
            expect(texts.get(block)).toBe(
              pieces
                .filter(([b]) => b === block)
                .map(([, piece]) => piece)
                .join(''),
            )
        },
      ),
      runs(100),
    )
  })
})
