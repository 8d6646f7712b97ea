import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { scan } from './parse/scan.ts'
import { stripText } from './strip.ts'
import { markerTexts } from './testing/texts.ts'
import { runs } from '../../../shared/testing/runs.ts'

describe('stripping', () => {
  it.each<[string, string, string]>([
    ['in the middle of a line', 'do it <**sm:3**> now', 'do it  now'],
    ['at the end', 'do it <**sm:3**>', 'do it '],
    ['alone', '<**clear**>', ''],
    ['several', '<**a**>x<**b**>y<**c**>', 'xy'],
    ['an invalid one', 'a<**sm:"x",0**>b', 'ab'],
    ['on a line of its own', 'a\n<**x**>\nb', 'a\n\nb'],
    ['between blank lines', 'a\n\n<**x**>\n\nb', 'a\n\nb'],
    ['several lines of them', 'a\n<**x**>\n<**y**>\n<**z**>\nb', 'a\n\nb'],
    ['between Windows line ends', 'a\r\n\r\n<**x**>\r\n\r\nb', 'a\r\n\r\nb'],
    ['before many line ends', '<**x**>\n\n\n\nb', '\n\nb'],
    ['behind many line ends', 'a\n\n\n\n<**x**>b', 'a\n\nb'],
    ['before two line ends', 'a<**x**>\n\nb', 'a\n\nb'],
    ['over several lines', 'a <**sm:"x\n\n\n\ny"**> b', 'a  b'],
    ['not in code', '`<**x**>` and\n```\n<**y**>\n```', '`<**x**>` and\n```\n<**y**>\n```'],
    [
      'also where none acts',
      '<pasted_content id="a">\na <**x**>\nb <**y**>\n> c <**z**>\n' +
        '</pasted_content id="a">\n<**q**> d\n<!-- <**r**> -->',
      '<pasted_content id="a">\na \nb \n> c \n</pasted_content id="a">\n d\n<!--  -->',
    ],
    ['not when unclosed', 'a <** b', 'a <** b'],
  ])('takes markers out %s', (_, text, expected) => {
    expect(stripText(text)).toBe(expected)
  })

  it('leaves line breaks alone where no marker was', () => {
    expect(stripText('a\n\n\n\nb <**x**> c\n\n\n\n\n')).toBe('a\n\n\n\nb  c\n\n\n\n\n')
  })
  it.each([
    ['a marker made of what stood around another', '<<**a**>**b**>', ''],
    ['code undone by a removal', '`<**y**>`<**x**>`', '```'],
    ['a fence begun by a removal', '<**x**>~~~\nfoo\n~~~\n<**y**>\n~~~\n', '~~~\nfoo\n~~~\n\n~~~\n'],
  ])('takes out %s', (_, text, expected) => {
    expect(stripText(text)).toBe(expected)
  })
  it('breaks what was nested to outlast it', () => {
    const nested = '<'.repeat(40) + '<**a**>' + '**b**>'.repeat(40)
    const out = stripText(nested)
    expect(out).not.toContain('<**')
    expect(stripText(out)).toBe(out)
  })

  it('done twice is done once, and leaves no marker', () => {
    fc.assert(
      fc.property(markerTexts, (text) => {
        const once = stripText(text)
        expect(stripText(once)).toBe(once)
        expect(scan(once)).toEqual([])
        expect(scan(stripText(text, 'strip'), Infinity, 'strip')).toEqual([])
      }),
      runs(3000),
    )
  })
  it('changes no text without an opening', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        fc.pre(!text.includes('<**'))
        expect(stripText(text)).toBe(text)
      }),
      runs(100),
    )
  })
  it('agrees with the scanner about what a marker is', () => {
    fc.assert(
      fc.property(markerTexts, (text) => {
        expect(stripText(text) !== text).toBe(scan(text).length > 0)
      }),
      runs(1000),
    )
  })
})
