import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { listElements, listWalker } from './json-list.ts'
import { cut, cuts } from './testing/summaries.ts'
import { runs } from '../../../shared/testing/runs.ts'

describe('a JSON list that grows', () => {
  it('gives each element once it is whole, under any chunk boundary', () => {
    const space = fc.constantFrom('', ' ', '\r\n', '\t\n ')
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.jsonValue(), space, space), { maxLength: 6 }),
        space,
        cuts,
        (values, lead, places) => {
          const text = `${lead}[${values.map(([value, before, after]) => before + JSON.stringify(value) + after).join(',')}]${lead}`
          const seen: unknown[] = []
          const list = listElements((json) => seen.push(JSON.parse(json.toString())))
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
    const list = listElements((json, truncated) => seen.push([json.toString(), truncated]), 4)
    for (const chunk of ['["abc', 'def', 'g",', '12]']) list.push(Buffer.from(chunk))
    expect(seen).toEqual([
      ['"abc', true],
      ['12', false],
    ])
  })
})
