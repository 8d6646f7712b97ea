import { expect, it } from 'vitest'
import { holdsMoreValues } from './count-values.ts'

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))
const parts = Array.from({ length: 50 }, () => ({ text: 'a, [{' }))

it.each([
  ['objects in a list', { parts }, 100, true],
  ['as many as there may be', { parts }, 101, false],
  ['numbers', Array.from({ length: 100 }, () => 1), 99, true],
  ['a text that looks like it', { text: `\\"${JSON.stringify(parts)}` }, 10, false],
  ['a text behind a backslash', ['\\', ...Array.from({ length: 30 }, () => 'b')], 20, true],
])('counts the values of %s', (_, value, most, isMore) => {
  expect(holdsMoreValues(json(value), most)).toBe(isMore)
})

it('goes on to the end of a text that is cut off', () => {
  expect(holdsMoreValues(Buffer.from('["a,,,,,,,,,,,,,,,,,,,'), 5)).toBe(false)
})
