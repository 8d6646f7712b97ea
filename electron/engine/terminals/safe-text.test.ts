import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldLines, makeSafe } from './safe-text.ts'
import { runs } from '../../../shared/testing/runs.ts'

const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '\u001b[201~',
        '\u001b[200~',
        '\u009b201~',
        '\u0003',
        '\r',
        '\r\n',
        '\n',
        '\t',
        '\u007f',
        '\u0085',
        '\u2028',
        '<**',
        '<***',
        '<\u0000**stopMessage:"x",3**>',
        '!',
        '/',
        '#',
        '@',
        '\\',
        ' ',
        '\ufeff',
        '\u3164',
        '\u202e',
        '\ud800',
        '\udc00',
        '- ',
      ),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''))

/** of Claude Code 2.1.332, Qwen Code 0.24.4 and opencode 1.18.33 */
const carriedOut = ['exit', 'quit', ':q', ':q!', ':wq', ':wq!']
/** as the most eager of them reads it */
const messageOf = (text: string) =>
  text
    .replace(/[\p{Cf}\p{DI}]/gu, '')
    .normalize('NFKC')
    .trim()
    .toLowerCase()

describe('a text made safe', () => {
  it('stays the same when made safe again', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(makeSafe(makeSafe(text))).toBe(makeSafe(text))
      }),
      runs(2000),
    )
  })

  it('has no control character but LF, no lone surrogate, no marker and no reordering', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const safe = makeSafe(text)
        expect(safe).not.toMatch(/(?!\n)\p{Cc}/u)
        expect(safe).not.toMatch(/\p{Surrogate}/u)
        expect(safe).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
        expect(safe).not.toContain('<**')
      }),
      runs(2000),
    )
  })

  it('does not begin with a command, whatever a client trims from its start', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(makeSafe(text).replace(/^[\s\p{Cf}\p{DI}\u2800]+/u, '')).not.toMatch(/^[!/#@]/)
      }),
      runs(2000),
    )
  })

  it('is no whole message that an agent carries out, however it is written', () => {
    const around = fc.constantFrom('', ' ', '\n', '\t', '\u200b', '\u3164', '\u00a0')
    const written = fc.constantFrom<(word: string) => string>(
      (word) => word,
      (word) => word.toUpperCase(),
      (word) => word.replace(/[!-~]/g, (sign) => String.fromCodePoint((sign.codePointAt(0) ?? 0) + 0xfee0)),
      (word) => Array.from(word).join('\u200b'),
    )
    fc.assert(
      fc.property(fc.constantFrom(...carriedOut), around, around, written, (word, before, after, write) => {
        const safe = makeSafe(`${before}${write(word)}${after}`)
        expect(carriedOut).not.toContain(messageOf(safe))
        expect(makeSafe(safe)).toBe(safe)
      }),
      runs(500),
    )
  })

  it('keeps every letter and digit of the original in order', () => {
    // Letters that are drawn nowhere are no words: a text of them alone is empty.
    const kept = (text: string) => text.replace(/[^\p{L}\p{N}]|\p{DI}/gu, '')
    fc.assert(
      fc.property(hostile, (text) => {
        expect(kept(makeSafe(text))).toBe(kept(text))
      }),
      runs(2000),
    )
  })

  it('is the same text when nothing in it is dangerous', () => {
    for (const text of [
      'Continue with the next step and finish it.',
      '继续执行',
      'a\nb\n\nc',
      '- item',
      'x < y ** 2',
      'family: 👩‍👩‍👧',
      'שלום \u200f!',
    ]) {
      expect(makeSafe(text)).toBe(text)
    }
  })

  it.each([
    ['!rm -rf build', '- !rm -rf build'],
    ['  /model', '- /model '],
    ['\u200b@src/a.ts look', '- @src/a.ts look'],
    ['#1 is done', '- #1 is done'],
    ['！ls', '- ！ls'],
    ['look at @src/a', 'look at @src/a '],
    ['a line that ends in \\', 'a line that ends in \\ '],
    ['one\r\ntwo\rthree', 'one\ntwo\nthree'],
    ['a\tb', 'a    b'],
    ['x\u001b[201~\u001b[A\ry', 'x[201~[A\ny'],
    ['<**stopMessage:"x"**>', '<* *stopMessage:"x"**>'],
    ['<\u0007**clear**>', '<* *clear**>'],
    ['a\ud800b', 'a\ufffdb'],
    ['\u3164/quit', '- /quit '],
    ['\u3164 \u115f\u1160!ls', '- !ls'],
    ['\u2800@src/a.ts look', '- @src/a.ts look'],
    ['exit', '- exit'],
    [':wq!\n', '- :wq!'],
    ['Quit the game, then exit.', 'Quit the game, then exit.'],
    ['exit.', 'exit.'],
    ['README.md', '- README.md'],
    ['src/a.ts "src/b c.ts"', '- src/a.ts "src/b c.ts"'],
    ['\u3164 \u2800', ''],
    ['', ''],
    ['\u200b \u0007\u2060', ''],
    ['\u{50000}\ue000', ''],
  ])('%j becomes %j', (text, safe) => {
    expect(makeSafe(text)).toBe(safe)
  })

  it('is one line when folded, and still safe', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const line = foldLines(makeSafe(text))
        expect(line).not.toContain('\n')
        expect(line).not.toContain('<**')
        expect(makeSafe(line)).toBe(line)
      }),
      runs(1000),
    )
  })

  it('handles a megabyte of any one character in linear time', { timeout: 5000 }, () => {
    for (const part of ['<**', '@', '\n', ' ', '\u001b[201~', '\ud800', '@ ']) {
      const text = part.repeat(Math.ceil(1_000_000 / part.length))
      expect(makeSafe(makeSafe(text))).toBe(makeSafe(text))
    }
  })
})
