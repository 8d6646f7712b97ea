import { describe, expect, it } from 'vitest'
import { parseMarkers } from './parse/parse.ts'
import { scan } from './parse/scan.ts'
import { stripText } from './strip.ts'
import { everything } from './testing/texts.ts'

const options = { language: 'en', targets: everything } as const
const megabyte = (piece: string) => piece.repeat(Math.ceil(1_000_000 / piece.length))

/**
 * Inputs that make a careless scanner read the same text again and again; quadratic work on a megabyte never finishes
 * here.
 */
const hostile: [string, string][] = [
  ['openings', megabyte('<**')],
  ['openings with a quote', megabyte('<**"')],
  ['quotes after one opening', `<**${megabyte('"')}`],
  ['stars', `<**${megabyte('*')}`],
  ['empty markers', megabyte('<****>')],
  ['nested remainders', '<'.repeat(300_000) + '<**a**>' + '**b**>'.repeat(100_000)],
  ['backticks', `${megabyte('` ')}<**`],
  ['backtick runs of growing length', Array.from({ length: 1400 }, (_, i) => '`'.repeat(i + 1)).join(' ') + '<**a**>'],
  ['backslashes', `${megabyte('\\')}\`<**a**>`],
  ['unclosed fences', `${megabyte('~~~x\n')}<**a**>`],
  ['fences too short to close', `${megabyte('~~~~x\n')}${megabyte('~~~\n')}<**a**>`],
  ['fence signs on one line', `${megabyte('``` ~~~ ')}<**a**>`],
  ['closed fences', `${megabyte('```\n```\n')}<**a**>`],
  ['line breaks', `${megabyte('\n')}<**a**>${megabyte('\r\n')}`],
  ['one line of spaces', `${megabyte(' ')}<**a**>\n${megabyte('> ')}`],
  ['open paste wrappers', Array.from({ length: 40_000 }, (_, i) => `<pasted_content id="${i}">`).join('') + '<**a**>'],
  ['paste wrappers of one id', megabyte('<pasted_content id="">') + megabyte('</pasted_content id="">') + '<**a**>'],
  ['paste wrappers closed without an id', megabyte('<pasted_content id="x">\n<**a**>\nb\n</pasted_content>')],
  ['comments', megabyte('<!-- --> ')],
  ['comments that nothing closes', megabyte('<!-- <**a**>')],
  ['markers in one quoted line', `> ${megabyte('<**a**> ')}`],
  ['quoted lines', megabyte('> <**a**>\n')],
  ['markers on lines of their own', megabyte('<**a**>\u2028')],
  ['signs of lists', `${megabyte('- ')}<**a**>`],
  ['closed paste wrappers', megabyte('<pasted_content id="x">\n<**a**>\nb\n</pasted_content id="x">')],
]

describe('hostile text', () => {
  it.each(hostile)('of %s is read in one go', (_, signs) => {
    const text = `${signs}<**clear**>`
    expect(() => {
      scan(text)
      stripText(text)
      parseMarkers(text, options)
    }).not.toThrow()
  })
})
