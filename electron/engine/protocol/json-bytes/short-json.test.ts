import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../shared/testing/runs.ts'
import { keptOfEnd, shortJson } from './short-json.ts'

/** Adds the JSON in pieces of these sizes, by turns. */
function shortened(json: string, sizes: readonly number[]): string {
  const bytes = Buffer.from(json)
  const short = shortJson()
  for (let at = 0, n = 0; at < bytes.length; n++) {
    const end = at + (sizes[n % sizes.length] ?? 1)
    short.add(bytes.subarray(at, end))
    at = end
  }
  return short.json().toString()
}

const long = (sign: string) => sign.repeat((6 * keptOfEnd) / Buffer.byteLength(sign))
const sizes = fc.array(fc.integer({ min: 1, max: 200_000 }), { minLength: 1, maxLength: 5 })

describe('shortJson', () => {
  it('leaves short JSON as it is, however it is cut', () => {
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
    expect(read.length).toBeLessThan(4 * keptOfEnd)
    expect(JSON.parse(read)).toMatchObject({ finish: 'stop' })
  })

  it('keeps the first elements of a long list, the last ones, and everything around it', () => {
    const element = fc.constantFrom<unknown>('a', { b: [1, { c: '],"[' }] }, [[], {}, 'x,y'], long('ab"\\'), 7)
    fc.assert(
      fc.property(fc.array(element, { minLength: 1, maxLength: 4 }), sizes, (elements, cuts) => {
        const list: unknown[] = []
        for (let bytes = 0; bytes < 600_000; bytes += JSON.stringify(elements).length)
          list.push(...elements.map((one, i) => ({ n: list.length + i, one })))
        list.push({ n: list.length })
        const value = { before: [0], choices: [{ calls: list, finish: 'stop' }], usage: { out: 7, all: [1, 2] } }
        const read = JSON.parse(shortened(JSON.stringify(value), cuts)) as typeof value
        const [choice] = read.choices
        const kept = (choice?.calls ?? []) as { n: number; one?: unknown }[]
        expect([kept[0]?.n, kept.at(-1)]).toEqual([0, list.at(-1)])
        for (const { n, one } of kept) if (JSON.stringify(one ?? 0).length < 100) expect({ n, one }).toEqual(list[n])
        expect({ ...read, choices: [{ ...choice, calls: list }] }).toEqual(value)
      }),
      runs(100),
    )
  })

  it('keeps little of lists in lists', () => {
    const calls = Array.from({ length: 500 }, () => Array.from({ length: 900 }, (_, n) => ({ name: `look_${n}` })))
    const read = shortened(JSON.stringify({ calls, finish: 'stop' }), [16_384])
    expect(read.length).toBeLessThan(16 * keptOfEnd)
    expect(JSON.parse(read)).toMatchObject({ finish: 'stop' })
  })
})
