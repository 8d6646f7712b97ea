import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../shared/testing/runs.ts'
import { keptOfString, shortStrings } from './short-strings.ts'

/** Adds the JSON in pieces of these sizes, by turns. */
function shortened(json: string, sizes: readonly number[]): string {
  const bytes = Buffer.from(json)
  const strings = shortStrings()
  for (let at = 0, n = 0; at < bytes.length; n++) {
    const end = at + (sizes[n % sizes.length] ?? 1)
    strings.add(bytes.subarray(at, end))
    at = end
  }
  return strings.json().toString()
}

const long = (sign: string) => sign.repeat((6 * keptOfString) / Buffer.byteLength(sign))
const sizes = fc.array(fc.integer({ min: 1, max: 200_000 }), { minLength: 1, maxLength: 5 })

describe('shortStrings', () => {
  it('leaves JSON of short strings as it is, however it is cut', () => {
    fc.assert(
      fc.property(fc.json(), sizes, (json, cuts) => {
        expect(shortened(json, cuts)).toBe(json)
      }),
      runs(500),
    )
  })

  it('keeps the end of a long string, and everything around it', () => {
    const part = fc.constantFrom('a', '中', '"', '\\', '\n', '🙂', '\u0001', 'said "so"\\')
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), sizes, (parts, cuts) => {
        const text = long(parts.join(''))
        const value = { a: ['x', text], finish_reason: 'stop', b: { [`k"${'"'.repeat(20)}`]: text, c: 1 } }
        const read = JSON.parse(shortened(JSON.stringify(value), cuts)) as typeof value
        const ends = [read.a[1], Object.values(read.b)[0]].map(String)
        for (const end of ends) {
          expect(text.endsWith(end.slice(-5_000))).toBe(true)
          expect(end.length).toBeGreaterThan(5_000)
        }
        expect({ ...read, a: ['x', text], b: { ...read.b, [`k"${'"'.repeat(20)}`]: text } }).toEqual(value)
      }),
      runs(100),
    )
  })

  it('keeps little of much', () => {
    const json = JSON.stringify({ text: 'all "of" it\n'.repeat(700_000), finish: 'stop' })
    const read = shortened(json, [16_384])
    expect(read.length).toBeLessThan(4 * keptOfString)
    expect(JSON.parse(read)).toMatchObject({ finish: 'stop' })
  })
})
