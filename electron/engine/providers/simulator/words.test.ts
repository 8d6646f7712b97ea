import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readDirections, simulatorWords } from './words.ts'
import { runs } from '../../../../shared/testing/runs.ts'

describe('simulate: …', () => {
  it.each(simulatorWords.map((word) => [word.write]))('the documented word is understood: %s', (write) => {
    const written = write
      .replace(/\[|\]/g, '')
      .replace('STATUS', '429')
      .replace('after S', 'after 3')
      .replace('xN', 'x2')
      .replace(/\b(N|MS)\b/, '7')
      .replace('{ARGUMENTS}', '{}')
    const read = readDirections(written)
    expect(read.unknown).toEqual([])
    expect(read).not.toEqual(readDirections(''))
  })

  it.each([
    ['simulate: error 429 after 30 x2', { error: { status: 429, retryAfter: 30, times: 2 } }],
    ['simulate: error 503', { error: { status: 503, retryAfter: null, times: null } }],
    ['Please go on.\nSimulate: slow 20\nsimulate: long 5', { gapMs: 20, long: 5 }],
    ['simulate: think hm simulate: say a: b', { think: 'hm', say: 'a: b' }],
    [
      'simulate: tool read {"path":"a"}\nsimulate: tool write',
      {
        tools: [
          { name: 'read', rest: '{"path":"a"}' },
          { name: 'write', rest: '' },
        ],
      },
    ],
    ['simulate: wait 999999999', { waitMs: 600_000 }],
    ['simulate: dance', { unknown: ['dance'] }],
    ['simulate: error 200', { unknown: ['error 200'] }],
    ['we simulated: nothing', { unknown: [] }],
  ])('%s', (text, expected) => {
    expect(readDirections(text)).toMatchObject(expected)
  })

  it('any text is read', () => {
    fc.assert(
      fc.property(
        fc
          .array(fc.oneof(fc.string(), fc.constantFrom('simulate:', 'Simulate: ', 'tool', 'error', '\n', '{')))
          .map((parts) => parts.join(' ')),
        (text) => {
          expect(readDirections(text).waitMs).toBeLessThanOrEqual(600_000)
        },
      ),
      runs(100),
    )
  })
})
