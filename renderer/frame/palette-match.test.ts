import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { match } from './palette-match.ts'
import { runs } from '../../shared/testing/runs.ts'

const marked = (text: string, query: string) =>
  match(text, query)
    ?.map((p) => (p.hit ? `[${p.text}]` : p.text))
    .join('') ?? null

describe('the palette finds', () => {
  it.each([
    ['Pause this session', 'pau', '[Pau]se this session'],
    ['Pause all automation', 'all au', 'Pause [all au]tomation'],
    ['Pause all automation', 'p au', '[P]ause all [au]tomation'],
    ['data-migration', 'MIG', 'data-[mig]ration'],
    ['暂停这个会话', '会话', '暂停这个[会话]'],
    ['Pause', '', 'Pause'],
    ['Pause', 'xyz', null],
    ['Pause all', 'all pause', null],
  ])('%s by “%s”', (text, query, expected) => expect(marked(text, query)).toBe(expected))

  it('never changes the text it marks', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (text, query) => {
        const parts = match(text, query)
        if (parts) expect(parts.map((p) => p.text).join('')).toBe(text)
      }),
      runs(100),
    )
  })
})
