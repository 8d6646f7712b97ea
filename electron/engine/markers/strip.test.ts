import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { scan } from './scan.ts'
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
      'not in the middle of a paste',
      '<pasted_content id="a">\n<**x**>\n<**y**>\n<**z**>\n</pasted_content id="a">',
      '<pasted_content id="a">\n\n<**y**>\n\n</pasted_content id="a">',
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

  it('done twice is done once, and leaves nothing live', () => {
    fc.assert(
      fc.property(markerTexts, (text) => {
        const once = stripText(text)
        expect(stripText(once)).toBe(once)
        expect(scan(once).filter((s) => s.place === 'live')).toEqual([])
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
        const live = scan(text).some((s) => s.place === 'live')
        expect(stripText(text) !== text).toBe(live)
      }),
      runs(1000),
    )
  })
})
