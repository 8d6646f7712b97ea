import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../shared/testing/runs.ts'
import { holds, lineRow, lineWriter, release, textOf } from './lines.ts'

/** JSON holds no line break, and a surrogate of it stands in a pair */
const text = fc.oneof(
  fc.json(),
  fc.string({ unit: 'grapheme' }).map((said) => JSON.stringify(said)),
  fc.integer({ min: 1, max: 30_000 }).map((length) => JSON.stringify('ü'.repeat(length))),
)

describe('lines outside of the heap', () => {
  it('are read as they were written, whatever signs they are made of', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 60 }), (texts) => {
        const lines = texts.map(lineWriter())
        expect(lines.map(textOf)).toEqual(texts)
        lines.forEach((line, i) => expect(holds(line, texts[i] ?? '')).toBe(true))
      }),
      runs(100),
    )
  })

  it('are looked through for themselves only', () => {
    const [first, second] = ['{"a":"tmux:m"}', '{"a":"tmux:n"}'].map(lineWriter())
    expect(first && holds(first, '"tmux:m"')).toBe(true)
    expect(second && holds(second, '"tmux:m"')).toBe(false)
  })

  it('take a little for a few, and share chunks when there are many', () => {
    const write = lineWriter()
    const [first] = ['{"n":0}'].map(write)
    expect(first?.chunk.bytes.length).toBeLessThanOrEqual(4096)
    const chunks = new Set(Array.from({ length: 5000 }, (_, n) => write(JSON.stringify({ n }).padEnd(500)).chunk))
    expect(chunks.size).toBeLessThan(60)
  })

  it('give their chunk’s memory back with the last of them, and with what waits for the disk', () => {
    const write = lineWriter()
    const row = lineRow()
    const first = write('{"n":0}')
    const second = write('{"n":1}')
    const { bytes } = first.chunk
    expect(second.chunk).toBe(first.chunk)
    row.add(first)
    // fills the chunk, so that the writer leaves it
    while (write('{"more":true}'.padEnd(900)).chunk === first.chunk) release(first.chunk)
    release(first.chunk)
    expect(textOf(second)).toBe('{"n":1}')
    release(second.chunk)
    expect(bytes.length).toBe(4096)
    const taken = row.take()
    expect(bytes.length).toBe(0)
    expect(taken.toString()).toBe('{"n":0}\n')
  })

  it('go out in their order, in whole lines, after any steps', () => {
    type Step = { add: number } | { shorten: number } | { drop: number } | 'fail'
    const step: fc.Arbitrary<Step> = fc.oneof(
      { arbitrary: fc.record({ add: fc.integer({ min: 1, max: 9000 }) }), weight: 6 },
      fc.record({ shorten: fc.integer({ min: 0, max: 20_000 }) }),
      fc.record({ drop: fc.integer({ min: 0, max: 20 }) }),
      fc.constant('fail' as const),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const write = lineWriter()
        const row = lineRow()
        let known: string[] = []
        steps.forEach((one, n) => {
          // a write that fails gives back what it took
          if (one === 'fail') row.putBack(row.take())
          else if ('add' in one) {
            const said = JSON.stringify(`${n} ${'ß'.repeat(one.add)}`)
            known.push(said)
            row.add(write(said))
          } else if ('drop' in one) {
            const gone = (said: string) => said.startsWith(`"${one.drop} `)
            known = known.filter((said) => !gone(said))
            row.drop(gone)
          } else {
            while (bytes(known) > one.shorten) known.shift()
            row.shorten(one.shorten)
          }
          expect(row.bytes()).toBe(bytes(known))
        })
        expect(row.take().toString()).toBe(known.map((said) => `${said}\n`).join(''))
        expect(row.bytes()).toBe(0)
      }),
      runs(200),
    )
  })
})

const bytes = (lines: readonly string[]) => lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0)
