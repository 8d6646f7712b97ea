import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { runs } from '../../../../shared/testing/runs.ts'
import { imageTokens } from '../canonical/estimate-tokens.ts'
import { estimateTokens } from './needs-of.ts'

const base64 = (bytes: number) =>
  Buffer.from(Array.from({ length: bytes }, (_, i) => (i * 197 + 13) % 256)).toString('base64')
const estimate = (body: unknown) => estimateTokens(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)))
/** The bytes without the payloads, and each payload counted as an image. */
const expected = (body: unknown, payloads: readonly string[]) => {
  const bytes = Buffer.byteLength(JSON.stringify(body)) - payloads.reduce((sum, payload) => sum + payload.length, 0)
  return Math.ceil(bytes / 4) + payloads.length * imageTokens
}
const long = base64(60_000)
const other = base64(9_000)

describe('tokens of a request', () => {
  it('are a quarter of its bytes', () => {
    expect(estimate({ messages: [{ role: 'user', content: 'word '.repeat(10_000) }] })).toBe(
      Math.ceil((50_000 + 44) / 4),
    )
  })
  it.each<[string, unknown, string[]]>([
    ['a data URL', { image_url: { url: `data:image/png;base64,${long}` } }, [long]],
    ['a source of Messages', { source: { type: 'base64', media_type: 'image/png', data: long } }, [long]],
    ['one whose data comes first', { source: { data: long, type: 'base64' } }, [long]],
    ['data of Gemini', { inline_data: { data: long, mime_type: 'image/png' } }, [long]],
    ['a bare file of Chat', { file: { file_data: long } }, [long]],
    [
      'several in a row',
      [{ data: long }, { data: other }, { text: 'x'.repeat(100) }, { data: other }, { data: long }],
      [long, other, other, long],
    ],
    [
      'a data URL within a text',
      { text: `look: ![x](data:image/png;base64,${long}) ${'and more words '.repeat(900)}` },
      [long],
    ],
  ])('count %s as an image', (_, body, payloads) => expect(estimate(body)).toBe(expected(body, payloads)))
  it('count a payload whose slashes are escaped', () => {
    const written = long.replaceAll('/', '\\/')
    expect(estimate(`{"data" : "${written}"}`)).toBe(Math.ceil(13 / 4) + imageTokens)
  })
  it.each<[string, unknown]>([
    ['a short payload', { data: base64(3_000) }],
    ['sealed thoughts', { encrypted_content: long }],
    ['a text without spaces', { text: 'a'.repeat(50_000) }],
    ['an escaped document', { text: JSON.stringify({ data: long }) }],
  ])('count %s by its bytes', (_, body) => expect(estimate(body)).toBe(expected(body, [])))

  it('find every long payload, wherever it stands', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({ before: fc.integer({ min: 0, max: 9_000 }), bytes: fc.integer({ min: 4_900, max: 40_000 }) }),
          { maxLength: 6 },
        ),
        (all) => {
          const payloads = all.map(({ bytes }) => base64(bytes))
          const body = all.map(({ before }, i) => ({ text: 'so it is '.repeat(before / 9), data: payloads[i] }))
          expect(estimate(body)).toBe(expected(body, payloads))
        },
      ),
      runs(60),
    )
  })
  it('never throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), fc.nat(12_000), (bytes, fill) => {
        const body = Buffer.concat([bytes, Buffer.alloc(fill, 'A'), bytes])
        expect(estimateTokens(body)).toBeGreaterThanOrEqual(0)
      }),
      runs(100),
    )
  })
  it('look at each byte a bounded number of times', () => {
    // Each of these would cost a search through all the rest if every search began anew.
    for (const hostile of [`;base64,${'A'.repeat(300)}(`, `${'A'.repeat(5_000)}(`, `${'\\/'.repeat(3_000)}<`]) {
      const body = Buffer.from(hostile.repeat(Math.ceil(400_000 / hostile.length)))
      const search = vi.spyOn(body, 'indexOf')
      estimateTokens(body)
      const searched = search.mock.calls.reduce((sum, [, from], i) => {
        const at = Number(search.mock.results[i]?.value)
        return sum + (at < 0 ? body.length : at) - Number(from)
      }, 0)
      expect(search).toHaveBeenCalled()
      expect(searched).toBeLessThanOrEqual(4 * body.length)
    }
  })
})
