import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { match } from './palette-match.ts'
import { runs } from '../../shared/testing/runs.ts'

const marked = (text: string, query: string) =>
  match(text, query)
    ?.parts.map((p) => (p.hit ? `[${p.text}]` : p.text))
    .join('') ?? null

describe('the palette finds', () => {
  it.each([
    ['Pause this session', 'pau', '[Pau]se this session'],
    ['Pause all automation', 'all au', 'Pause [all au]tomation'],
    ['Pause all automation', 'auto pause', '[Pause] all [auto]mation'],
    ['Pause all automation', 'paal', '[Pa]use [al]l automation'],
    ['Settings', 'stng', '[S]e[t]ti[ng]s'],
    ['data-migration', 'MIG', 'data-[mig]ration'],
    ['暂停这个会话', '会话', '暂停这个[会话]'],
    ['Pause', '', 'Pause'],
    ['Pause', 'xyz', null],
    ['Open the config file in the editor', 'pgt', null],
  ])('%s by “%s”', (text, query, expected) => expect(marked(text, query)).toBe(expected))

  it('what begins with the letters before what only has them', () => {
    const score = (text: string) => match(text, 'set')?.score ?? 0
    expect(score('Settings')).toBeGreaterThan(score('Reset the limit'))
    expect(score('Reset the limit')).toBeGreaterThan(score('Start in tmux after a second'))
  })

  it('never changes the text it marks', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, query) => {
        const found = match(text, query)
        if (found) expect(found.parts.map((p) => p.text).join('')).toBe(text)
      }),
      runs(100),
    )
  })
})
