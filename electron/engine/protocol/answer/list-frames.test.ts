import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { frameBytes } from './frame.ts'
import { listEnd, listFrames, listWalker } from './list-frames.ts'
import { cut, cuts } from '../testing/summaries.ts'
import { runs } from '../../../../shared/testing/runs.ts'

/** Collects the list up to its last whole element. */
function wholeElements(limit?: number) {
  const bytes = frameBytes()
  const end = listEnd()
  const list = listFrames((frame) => {
    end.see(frame)
    bytes.add(frame)
  }, limit)
  return {
    take(chunk: Buffer) {
      list.push(chunk)
      return bytes.take()
    },
    rest: list.rest,
    endWith: end.endWith,
  }
}

describe('a JSON list that grows', () => {
  it('gives each element once it is whole, under any chunk boundary', () => {
    const space = fc.constantFrom('', ' ', '\r\n', '\t\n ')
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.jsonValue(), space, space), { maxLength: 6 }),
        space,
        cuts,
        (values, lead, places) => {
          const text =
            `${lead}[` +
            `${values.map(([value, before, after]) => before + JSON.stringify(value) + after).join(',')}` +
            `]${lead}`
          const seen: unknown[] = []
          const list = listFrames(({ data }) => seen.push(JSON.parse(String(data))))
          for (const chunk of cut(Buffer.from(text), places)) list.push(Buffer.from(chunk))
          expect(JSON.stringify(seen)).toBe(JSON.stringify(values.map(([value]) => value)))
        },
      ),
      runs(100),
    )
  })
  it('knows what is none, and its end', () => {
    for (const [text, state] of [
      ['', 'before'],
      [' \ufeff[', 'inside'],
      ['[{"a":"]"}', 'inside'],
      ['[1] ', 'after'],
      ['{"a":[]}', 'none'],
    ] as const) {
      const walker = listWalker()
      walker.walk(Buffer.from(text))
      expect([text, walker.state]).toEqual([text, state])
    }
  })
  it('keeps no more of an element than its limit', () => {
    const seen: [string, boolean][] = []
    const list = listFrames(({ data, truncated }) => {
      if (data) seen.push([data.toString(), truncated])
    }, 4)
    for (const chunk of ['["abc', 'def', 'g",', '12]']) list.push(Buffer.from(chunk))
    expect(seen).toEqual([
      ['"abc', true],
      ['12', false],
    ])
  })
})

describe('a list on its way', () => {
  it('comes out as it went in', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue(), { maxLength: 5 }),
        fc.constantFrom('', '\n', ' junk', ']'),
        cuts,
        (values, tail, places) => {
          const text = JSON.stringify(values, null, 1) + tail
          const elements = wholeElements()
          const out = cut(Buffer.from(text), places).map((chunk) => elements.take(Buffer.from(chunk)))
          expect(Buffer.concat([...out, elements.rest()]).toString()).toBe(text)
        },
      ),
      runs(100),
    )
  })
  it('can end with an error wherever it is cut, as a list of whole elements', () => {
    const values = [{ a: '[{"\\' }, { b: [1, { c: ']' }] }, 'text', { d: null }]
    const text = JSON.stringify(values, null, 2)
    for (let end = 0; end <= text.length; end++) {
      const elements = wholeElements()
      const sent = elements.take(Buffer.from(text.slice(0, end))).toString()
      const got = JSON.parse(sent + elements.endWith(Buffer.from('{"error":1}')).toString()) as unknown[]
      expect(got.at(-1)).toEqual({ error: 1 })
      expect(got.slice(0, -1)).toEqual(values.slice(0, got.length - 1))
    }
  })
  it('goes on as soon as an element is whole', () => {
    const elements = wholeElements()
    expect(
      ['[{"a":1}', ',\n{"b"', ':2},', '{"c":3}]\n'].map((chunk) => elements.take(Buffer.from(chunk)).toString()),
    ).toEqual(['[{"a":1}', '', ',\n{"b":2}', ',{"c":3}'])
    expect(elements.rest().toString()).toBe(']\n')
  })
  it('in pieces larger than the limit is passed on, and can only break off then', () => {
    const elements = wholeElements(4)
    expect(elements.take(Buffer.from('["abcdef')).toString()).toBe('["abcdef')
    expect(elements.endWith(Buffer.from('1')).toString()).toBe('')
    expect(elements.take(Buffer.from('g"')).toString()).toBe('g"')
    expect(elements.endWith(Buffer.from('1')).toString()).toBe(',1]')
  })
})
