import { describe, expect, it } from 'vitest'
import { holdsPart, holdsText, sameInComposer } from './composer-text.ts'

const long = Array.from({ length: 120 }, (_, i) => `word${i}`).join(' ')

describe('a text in a composer', () => {
  it.each([
    ['the same', 'go on', 'go on', true],
    ['wrapped within a word and indented', 'Continue with the ne\n  xt step.', 'Continue with the next step.', true],
    ['with emoji drawn in another way', 'done 👩 👧 ok', 'done 👩‍👩‍👧 ok', true],
    ['with a letter the terminal does not know', 'a_b', 'a\u{50000}b', true],
    ['in decomposed letters', 'cafe\u0301', 'café', true],
    ['with something added', 'go on now', 'go on', false],
    ['with something missing', 'go', 'go on', false],
    ['another text', 'stop', 'go on', false],
    ['scrolled: only its end is shown', long.slice(-400), long, true],
    ['its end alone, when it is too short to be believed', long.slice(-20), long, false],
    ['its beginning alone', long.slice(0, 400), long, false],
  ])('%s', (_what, composer, text, same) => {
    expect(sameInComposer(composer, text)).toBe(same)
  })

  it('is held by the stand-in for a paste', () => {
    expect(holdsText({ kind: 'paste' }, 'anything')).toBe(true)
    expect(holdsText({ kind: 'empty' }, 'anything')).toBe(false)
    expect(holdsText({ kind: 'unseen' }, 'anything')).toBe(false)
  })

  it('is in there still when a person has added to it', () => {
    expect(holdsPart({ kind: 'text', text: 'well, go on then' }, 'go on')).toBe(true)
    expect(holdsPart({ kind: 'text', text: 'next line' }, 'go on')).toBe(false)
  })
})

describe('in a small pane', () => {
  // 40 columns, two rows of the composer
  const small = { enough: 25, cells: 72 }
  const text =
    'Go on with part three of the plan, then look at each of its tests again and say what is left to do here.'

  it('less of the end proves a text that has no room there', () => {
    expect(sameInComposer('its tests again and say what is left\nto do here.', text, small)).toBe(true)
    expect(sameInComposer('its tests again and say what is left\nto do here.', text)).toBe(false)
  })
  it.each([
    ['too little of it', 'is left to do here.', small],
    ['another end', 'its tests again and say what is left\nto do here. And', small],
    ['what would be whole had its beginning not been lost', text.slice(10), { enough: 25, cells: 144 }],
  ])('but not %s', (_, shown, place) => {
    expect(sameInComposer(shown, text, place)).toBe(false)
  })
})
