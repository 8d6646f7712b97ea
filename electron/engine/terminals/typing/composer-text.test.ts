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
    ['without a letter that nobody draws', '- /quit', '- \u3164/quit', true],
    ['with a stand-in for a part of it', 'first \ufffc the rest', 'first line\nand\nthe rest', true],
    ['with a stand-in and something added', '\ufffc the rest and more', 'first line\nand\nthe rest', false],
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
  // 40x10, two rows of the composer
  const room = { rows: 2, cols: 36, screen: 400 }
  const text =
    'Go on with part three of the plan, then look at each of its tests again and say what is left to do here.'
  const end = 'its tests again and say what is left\nto do here.'

  it('less of the end proves a text that has no room there', () => {
    expect(sameInComposer(end, text, room)).toBe(true)
    expect(sameInComposer(end, text)).toBe(false)
    expect(sameInComposer(end, text, { ...room, screen: 120 * 40 })).toBe(false)
  })
  it('by its lines, and by letters that take two columns', () => {
    const lines = Array.from({ length: 12 }, (_, n) => `line ${n + 1} of twelve`)
    expect(sameInComposer(lines.slice(-3).join('\n'), lines.join('\n'), { ...room, rows: 3 })).toBe(true)
    const han = '继续做计划里的第三部分然后再看一遍它的每一个测试并且写下还剩下什么要做的事情'
    expect(sameInComposer(han.slice(-26), han, { ...room, rows: 2 })).toBe(true)
    expect(sameInComposer(han.slice(-26), han, { ...room, rows: 3 })).toBe(false)
  })
  it.each([
    ['too little of it', 'is left to do here.', room],
    ['another end', `${end} And`, room],
    ['what would be whole had its beginning not been lost', text.slice(10), { ...room, rows: 4 }],
  ])('but not %s', (_, shown, place) => {
    expect(sameInComposer(shown, text, place)).toBe(false)
  })
})
