import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withoutMember } from './without-member.ts'
import { runs } from '../../../shared/testing/runs.ts'

const without = (json: string): string => withoutMember(Buffer.from(json), 'x').toString()

describe('a JSON object without one member', () => {
  it.each([
    ['{"x":1}', '{}'],
    ['{ "x" : 1 }', '{  }'],
    ['{"x":1, "a":2.0}', '{"a":2.0}'],
    ['{"a":2.0 , "x":{"x":1}}', '{"a":2.0 }'],
    ['{"a":1,"x" : [ ] ,\n"b":2}', '{"a":1,"b":2}'],
    ['{"\\u0078":1,"a":2}', '{"\\u0078":null,"a":2}'],
    ['{"a":"x"}', '{"a":"x"}'],
    ['{"a":{"x":1}}', '{"a":{"x":1}}'],
  ])('%s is %s', (json, expected) => {
    expect(without(json)).toBe(expected)
  })
  it('has all others, whatever they are', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom('', ' ', '\n  '), (object, space) => {
        const json = JSON.stringify(object, null, space)
        const { x: _x, ...others } = JSON.parse(json) as Record<string, unknown>
        expect(JSON.parse(without(json))).toEqual(others)
      }),
      runs(100),
    )
    const plain = Buffer.from('{"a":1}')
    expect(withoutMember(plain, 'x')).toBe(plain)
  })
})
