import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { scan } from './scan.ts'
import { markerTexts } from '../testing/texts.ts'
import { whyHeld } from './parse.ts'
import { runs } from '../../../../shared/testing/runs.ts'

/** of markers that act, whatever of the message's lines they stand on */
const bodies = (text: string) =>
  scan(text)
    .filter((s) => s.where === 'typed' || (s.where === 'pasted' && whyHeld(s, {}) === null))
    .map((s) => s.body)
const offered = (text: string) =>
  scan(text)
    .filter((s) => s.where === 'pasted' && whyHeld(s, {}) === 'in-paste')
    .map((s) => s.body)

describe('scanning for markers', () => {
  it.each<[string, string, string[]]>([
    ['one', 'Fix it <**clear**> now', ['clear']],
    ['several, in order', '<**a**> x <**b**><**c**>', ['a', 'b', 'c']],
    ['a body over several lines', 'x <**sm:"one\ntwo\n\nthree"**>', ['sm:"one\ntwo\n\nthree"']],
    ['the closing signs inside quotes', '<**sm:"a **> b, c",3**>', ['sm:"a **> b, c",3']],
    ['an escaped quote inside quotes', String.raw`<**sm:"say \"**>\" twice"**>`, [String.raw`sm:"say \"**>\" twice"`]],
    ['a backslash that escapes nothing', String.raw`<**sm:"C:\dir"**>`, [String.raw`sm:"C:\dir"`]],
    ['full-width quotes', '<**sm：“a **> b”，3**>', ['sm：“a **> b”，3']],
    ['ASCII quotes as text inside full-width ones', '<**sm:“say "hi”**>', ['sm:“say "hi”']],
    ['full-width quotes as text inside ASCII ones', '<**sm:"say “hi"**>', ['sm:"say “hi"']],
    ['an empty body', '<****>', ['']],
    ['a body that ends in a star', '<**a***>', ['a*']],
    ['brackets of a file name', '<**sm:<file://goal.md>**>', ['sm:<file://goal.md>']],
    ['nothing when it is never closed', 'if (a <**b) x', []],
    ['one whose quote is never closed', '<**sm:"go on**> and more', ['sm:"go on']],
    ['one whose full-width quote is never closed', '<**sm:“go on”,“3**> and more', ['sm:“go on”,“3']],
    ['one whose quote is left open before others', '<**sm:"go on**> “he” said "hi" <**off**>', ['sm:"go on', 'off']],
    ['the first end where a quote is left open', '<**sm:"a**> b **> c', ['sm:"a']],
    ['nothing in too few signs', '<**>', []],
    ['the inner one when a body would hold another opening', '<**a <**b**>', ['b']],
    ['the inner one also inside quotes', '<**sm:"a <**b**>"**>', ['b']],
    ['nothing without signs', 'plain text', []],
  ])('finds %s', (_, text, expected) => {
    expect(bodies(text)).toEqual(expected)
  })

  it.each<[string, string, string[]]>([
    ['a fence of backticks', 'see\n```\n<**a**>\n```\nand <**b**>', ['b']],
    ['a fence of tildes', '~~~\n<**a**>\n~~~\n', []],
    ['a fence of tildes with a backtick on its line', '~~~ a`b\n<**a**>\n~~~', []],
    ['a fence with a language', '```ts\n<**a**>\n```', []],
    ['a longer fence around a shorter one', '````\n```\n<**a**>\n```\n````\n<**b**>', ['b']],
    ['a fence with Windows line ends', '```\r\n<**a**>\r\n```\r\n<**b**>', ['b']],
    ['a fence in a list', '- ```\n  <**a**>\n\n  ```\n', []],
    ['a fence in a quote', '> ```\n> <**a**>\n>\n> ```\n', []],
    ['inline code', 'write `<**a**>` to stop', []],
    ['inline code with double backticks', 'write `` `<**a**>` `` to stop', []],
    ['inline code over a line end', 'write `x\n<**a**>` to stop', []],
  ])('leaves markers alone in %s, unless the config has them be markers there', (_, text, expected) => {
    expect(bodies(text)).toEqual(expected)
    const all = scan(text, Infinity, 'strip').map(({ body }) => body)
    expect(all).toEqual(expected.includes('b') ? ['a', 'b'] : ['a'])
  })

  it.each<[string, string, string[]]>([
    ['an unclosed fence of backticks', '```\n<**a**>\n', ['a']],
    ['an unclosed fence of tildes', '~~~\n<**a**>\n', ['a']],
    ['a fence that only a shorter one follows', '````\n<**a**>\n\n```\n', ['a']],
    ['a fence that only the other kind follows', '~~~\n<**a**>\n\n```\n', ['a']],
    ['a list item that only another one follows', '- ```\n  <**a**>\n\n- ```\n', ['a']],
    ['a closing line with text behind it', '~~~\n<**a**>\n~~~ x\n', ['a']],
    ['backticks with another on their line, which are no fence', '``` a`b\n<**a**>\n````\n', ['a']],
    ['a lone backtick', "it`s <**a**> isn't it", ['a']],
    ['backticks of different length', '`x <**a**> ``', ['a']],
    ['backticks in different paragraphs', 'a ` b\n\n<**a**> c ` d', ['a']],
    ['a backtick before a fence that holds one', 'a ` b <**a**>\n```\n`\n```\n', ['a']],
    ['escaped backticks', String.raw`\`<**a**>\``, ['a']],
    ['a fence sign that stands in the middle of a line', 'x ~~~\n<**a**>\n~~~', ['a']],
  ])('is not fooled by %s', (_, text, expected) => {
    expect(bodies(text)).toEqual(expected)
  })

  it('takes code inside a marker as its text', () => {
    expect(bodies('<**sm:"run:\n```\nnpm test\n```\nand `x`"**> ok')).toEqual([
      'sm:"run:\n```\nnpm test\n```\nand `x`"',
    ])
  })
})

describe('markers in pasted text', () => {
  const paste = (content: string, id = 'a1') =>
    `look at this\n\n<pasted_content id="${id}">\n${content}\n</pasted_content id="${id}">`

  it('are live on the first and last line and only offered between', () => {
    const text = paste('<**a**> first\nmiddle <**b**>\n<**c**>\nlast <**d**>')
    expect(bodies(text)).toEqual(['a', 'd'])
    expect(offered(text)).toEqual(['b', 'c'])
  })
  it('are live outside the paste', () => {
    const text = `<**x**> ${paste('1\n<**b**>\n3')} <**y**>`
    expect(bodies(text)).toEqual(['x', 'y'])
    expect(offered(text)).toEqual(['b'])
  })
  it('are found when one long marker is all that was pasted', () => {
    expect(bodies(paste('<**sm:"one\ntwo\nthree\nfour\nfive"**>'))).toEqual(['sm:"one\ntwo\nthree\nfour\nfive"'])
  })
  it('are not freed by a closing tag with another id, nor by one that is never opened', () => {
    const text = paste('1\n</pasted_content id="zz">\n<**b**>\n</pasted_content id="">\n5')
    expect(bodies(text)).toEqual([])
    expect(offered(text)).toEqual(['b'])
  })
  it('are not freed by an opening tag inside the paste', () => {
    expect(bodies(paste('1\n<pasted_content id="q">\n<**b**>\n</pasted_content id="q">\n5'))).toEqual([])
  })
  it('are not freed by a backtick or a fence that a person left open before the paste', () => {
    expect(bodies(`it\`s this\n${paste('1\n` <**b**>\n3')}`)).toEqual([])
    expect(bodies(`~~~\n${paste('1\n~~~\n<**b**>\n3')}`)).toEqual([])
  })
  it('can not hide a marker that was typed behind the paste', () => {
    expect(bodies(`${paste('1\n```\n3')}\n<**y**>\n\`\`\`\n`)).toEqual(['y'])
    expect(bodies(`${paste('1\n<**sm:"x\n3')} <**y**>`)).toEqual(['y'])
  })
  it('are code when the whole paste stands in a fence', () => {
    const text = `\`\`\`\n${paste('<**a**>\n2\n<**b**>\n4')}\n\`\`\`\n<**y**>`
    expect(scan(text).map((s) => s.body)).toEqual(['y'])
    expect(scan(text.replace('<**y**>', ''))).toEqual([])
  })
  it('are ordinary when the wrapper is never closed', () => {
    expect(bodies('<pasted_content id="a">\n1\n<**b**>\n3')).toEqual(['b'])
  })
  it('do not reach over a paste', () => {
    expect(bodies(`<**sm:"${paste('x')}"**>`)).toEqual([])
  })
  it('are pasted also where the closing tag has no id: then nobody knows its end, and none acts', () => {
    const nameless = (content: string) => `<pasted_content id="a1">\n${content}\n</pasted_content>`
    expect(offered(nameless('<**a**> one\ntwo <**b**>'))).toEqual(['a', 'b'])
    expect(offered(nameless('one </pasted_content> <**a**>\ntwo'))).toEqual(['a'])
    expect(offered(nameless('one </pasted_content id="zz"> <**a**>\n<**b**>'))).toEqual(['a', 'b'])
    const split = scan(nameless('one </pasted_content> <**a**> <pasted_content id="q"> two'))
    expect(split.map((s) => [s.body, whyHeld(s, {})])).toEqual([['a', 'in-middle']])
    expect(bodies(`${nameless('one')} <**y**>`)).toEqual(['y'])
  })
})

describe('where a marker acts', () => {
  const acts = (text: string) => scan(text).map((s) => [s.body, whyHeld(s, {})])
  it.each<[string, string, [string, string | null][]]>([
    [
      'anywhere in one line',
      'a <**x**> b <**y**> c',
      [
        ['x', null],
        ['y', null],
      ],
    ],
    ['in one line with blank ones around it', '\n \na <**x**> b\n\n', [['x', null]]],
    [
      'in one line, though a marker has several',
      'a <**sm:"one\n\ntwo"**> <**x**> b',
      [
        ['sm:"one\n\ntwo"', null],
        ['x', null],
      ],
    ],
    [
      'on the first and the last line',
      '<**x**>\nb\n<**y**> c',
      [
        ['x', null],
        ['y', null],
      ],
    ],
    [
      'on the first and the last line of two',
      'a <**x**>\nb <**y**>',
      [
        ['x', null],
        ['y', null],
      ],
    ],
    ['not on a line between', 'a\nb <**x**> c\nd', [['x', 'in-middle']]],
    ['not between, whatever breaks the lines', 'a\u2028<**x**>\u2028b', [['x', 'in-middle']]],
    ['not between, with Windows line ends', 'a\r\n<**x**>\r\nb', [['x', 'in-middle']]],
    [
      'not between two of several lines',
      'a\n<**sm:"1\n2"**>\n<**x**>\nb',
      [
        ['sm:"1\n2"', 'in-middle'],
        ['x', 'in-middle'],
      ],
    ],
    ['not in a blockquote, also of one line', '> a <**x**>', [['x', 'quoted']]],
    ['not in a blockquote on the last line', 'look:\n  > a <**x**>', [['x', 'quoted']]],
    ['not in a blockquote in a list', '- 1. > <**x**>', [['x', 'quoted']]],
    ['behind a sign that quotes nothing', 'a > b <**x**>', [['x', null]]],
    [
      'not in a comment',
      'a <!-- <**x**> --> <**y**>',
      [
        ['x', 'quoted'],
        ['y', null],
      ],
    ],
    ['not in a comment over lines', '<!-- a\nb --> c\n<!--\n<**x**>\n-->', [['x', 'quoted']]],
    ['not in a comment that nothing closes', 'a <!-- b\n<**x**>', [['x', 'quoted']]],
    ['behind a comment in code', '`<!--` <**x**>', [['x', null]]],
    [
      'behind a comment in a marker',
      '<**sm:"<!--"**> <**x**>',
      [
        ['sm:"<!--"', null],
        ['x', null],
      ],
    ],
    [
      'before a paste and behind it, as on a first and a last line',
      '<**x**> <pasted_content id="k">a</pasted_content id="k"> <**y**>',
      [
        ['x', null],
        ['y', null],
      ],
    ],
    [
      'not between two pastes',
      '<pasted_content id="k">a</pasted_content id="k"> <**x**> <pasted_content id="l">b</pasted_content id="l">',
      [['x', 'in-middle']],
    ],
    ['not in a quote in a paste', '<pasted_content id="k">\n> <**x**>\nb\n</pasted_content id="k">', [['x', 'quoted']]],
  ])('%s', (_, text, expected) => {
    expect(acts(text)).toEqual(expected)
  })
  it('is every line but quotes and comments where the config says so', () => {
    const text = 'a\n<**x**>\n> <**y**>\n<!-- <**z**> -->\nb'
    expect(scan(text).map((s) => [s.body, whyHeld(s, { anywhere: true })])).toEqual([
      ['x', null],
      ['y', 'quoted'],
      ['z', 'quoted'],
    ])
  })
})

describe('any text', () => {
  it('gives spans in order that hold what they say', () => {
    fc.assert(
      fc.property(markerTexts, (text) => {
        let from = 0
        for (const s of scan(text)) {
          expect(s.start).toBeGreaterThanOrEqual(from)
          expect(text.slice(s.start, s.end)).toBe(`<**${s.body}**>`)
          expect(s.body).not.toContain('<**')
          from = s.end
        }
      }),
      runs(1000),
    )
  })

  it('gives the first of them where only so many are wanted', () => {
    fc.assert(
      fc.property(markerTexts, fc.integer({ min: 0, max: 4 }), (text, most) => {
        expect(scan(text, most)).toEqual(scan(text).slice(0, most))
      }),
      runs(1000),
    )
  })
})
