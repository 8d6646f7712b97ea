import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mayHoldMarker } from './may-hold-marker.ts'
import { runs } from '../../../shared/testing/runs.ts'

describe('a first look for markers', () => {
  it.each<[boolean, string]>([
    [true, String.raw`{"a":"x <**clear**>"}`],
    [true, String.raw`{"a":"\u003c**clear**\u003e"}`],
    [true, String.raw`{"a":"\u003C**clear**>"}`],
    [true, String.raw`{"a":"<\u002a*clear**>"}`],
    [true, String.raw`{"a":"<*\u002Aclear**>"}`],
    [true, String.raw`{"a":"\u003c\u002a\u002aclear"}`],
    [false, String.raw`{"a":"\u003cb\u003e \u001b[0m ** < **"}`],
    [false, '{}'],
    [false, String.raw`{"a":"\u00`],
  ])('says %s for %s', (expected, json) => {
    expect(mayHoldMarker(Buffer.from(json))).toBe(expected)
  })
  it('never misses one, however the text is written', () => {
    const around = fc.string({ unit: fc.constantFrom('<', '*', 'a', '"', '\\', '>', '\u001b', '中') })
    fc.assert(
      fc.property(around, around, fc.infiniteStream(fc.nat(2)), (before, behind, how) => {
        const text = `${before}<**${behind}`
        const written = [...text]
          .map((char) => {
            const escape = `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
            const way = how.next().value
            return way === 0
              ? escape
              : way === 1
                ? escape.toUpperCase().replace('\\U', '\\u')
                : JSON.stringify(char).slice(1, -1)
          })
          .join('')
        expect(JSON.parse(`"${written}"`)).toBe(text)
        expect(mayHoldMarker(Buffer.from(`{"a":"${written}"}`))).toBe(true)
      }),
      runs(100),
    )
  })
})
