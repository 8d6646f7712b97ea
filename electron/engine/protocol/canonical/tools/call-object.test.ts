import fc from 'fast-check'
import { expect, it } from 'vitest'
import { runs } from '../../../../../shared/testing/runs.ts'
import { callObject, type ObjectState } from './call-object.ts'

const stateOf = (pieces: readonly string[]): ObjectState => {
  const read = callObject()
  for (const piece of pieces) read.push(piece)
  return read.state
}
const cut = (text: string, places: readonly number[]): string[] => {
  const marks = [0, ...places.map((n) => n % (text.length + 1)).sort((a, b) => a - b), text.length]
  return marks.slice(1).map((to, i) => text.slice(marks[i], to))
}
const places = fc.array(fc.nat(), { maxLength: 6 })
const objects = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue())
const texts = fc
  .tuple(objects, fc.constantFrom(undefined, 1, '\t'))
  .map(([value, space]) => JSON.stringify(value, null, space))

it('a whole object is whole under any cut, and its beginning is open', () => {
  fc.assert(
    fc.property(texts, places, fc.nat(), (text, at, length) => {
      expect(stateOf(cut(text, at))).toBe('whole')
      expect(stateOf(cut(text.slice(0, length % text.length), at))).toMatch(/open|empty/)
    }),
    runs(300),
  )
})

/** An object with one character put in, taken out or changed: mostly no JSON any more. */
const damaged = fc
  .tuple(texts, fc.nat(), fc.constantFrom('', '}', '{', '"', ',', ':', '0', 'x', '\\', '\n', ' ', ']'), fc.nat(1))
  .map(([text, at, char, taken]) => {
    const place = at % (text.length + 1)
    return text.slice(0, place) + char + text.slice(place + taken)
  })

it('agrees with JSON.parse on what is an object and what is none', () => {
  fc.assert(
    fc.property(fc.oneof(damaged, fc.json(), fc.string()), places, (text, at) => {
      let isObject = false
      try {
        const value: unknown = JSON.parse(text)
        isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
      } catch (error) {
        expect(error).toBeInstanceOf(SyntaxError)
      }
      expect(stateOf(cut(text, at)) === 'whole').toBe(isObject)
    }),
    runs(1000),
  )
})

it.each([
  ['', 'empty'],
  [' \n', 'empty'],
  ['null', 'bad'],
  ['[1]', 'bad'],
  ['"{}"', 'bad'],
  ['{"a":1}}', 'bad'],
  ['{"a":1}{"b":2}', 'bad'],
  ['{"a":1} ', 'whole'],
  ['{"a":"\n"}', 'bad'],
  ['{"a":tru', 'open'],
  ['{"a":trux,', 'bad'],
  ['{"a":tru}', 'bad'],
  ['{"a":01}', 'bad'],
  ['{"a":1,}', 'bad'],
  [String.raw`{"a":"\u12"}`, 'bad'],
] as const)('%j is %s', (text, state) => expect(stateOf([text])).toBe(state))
