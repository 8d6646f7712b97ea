import { describe, expect, it } from 'vitest'
import { pasteWrappers } from './paste-wrappers.ts'

const wrapped = (text: string, id = 'a1b2') => `\n\n<pasted_content id="${id}">\n${text}\n</pasted_content id="${id}">`
const found = (text: string) =>
  pasteWrappers(text).map((w) => [text.slice(w.contentStart, w.contentEnd), w.certain] as const)

describe('paste wrappers', () => {
  it('are found in order, with their extent', () => {
    const all = `x${wrapped('one', '1')}y${wrapped('two\r', '2')}`
    expect(found(all)).toEqual([
      ['one', true],
      ['two', true],
    ])
    for (const p of pasteWrappers(all))
      expect(all.slice(p.start, p.end)).toMatch(/^<pasted_content id="\d">[^]*id="\d">$/)
  })
  it.each<[string, string, [string, boolean][]]>([
    [
      'with a closing tag of another id in it',
      wrapped('a</pasted_content id="zz">b'),
      [['a</pasted_content id="zz">b', true]],
    ],
    ['with a nameless closing tag in it', wrapped('a</pasted_content>b'), [['a</pasted_content>b', true]]],
    ['with a wrapper in it', wrapped(wrapped('a', 'q').trim()), [[wrapped('a', 'q').trim(), true]]],
    ['without an id at its end', '<pasted_content id="x">a</pasted_content>', [['a', false]]],
    [
      'without one, up to the last',
      '<pasted_content id="x">a</pasted_content>b</pasted_content>',
      [['a</pasted_content>b', false]],
    ],
    [
      'without one, each of several',
      '<pasted_content id="x">a</pasted_content>-<pasted_content id="y">b</pasted_content>',
      [
        ['a', false],
        ['b', false],
      ],
    ],
    ['never closed', '<pasted_content id="x">a', []],
    ['closed with another id', '<pasted_content id="x">a</pasted_content id="y">', []],
    ['opened without an id', '<pasted_content>a</pasted_content>', []],
  ])('%s', (_, text, expected) => {
    expect(found(text)).toEqual(expected)
  })
  it('of a hostile message are looked for in one go', () => {
    expect(pasteWrappers('<pasted_content id="x">'.repeat(200_000))).toEqual([])
    expect(pasteWrappers('<pasted_content id="x"></pasted_content>'.repeat(100_000))).toHaveLength(100_000)
    expect(pasteWrappers(`<pasted_content id="x">${'</pasted_content>'.repeat(200_000)}`)).toHaveLength(1)
  })
})
