import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../../shared/testing/runs.ts'
import { sameWords } from './progress.ts'

const words = (n: number, word: (i: number) => string) => Array.from({ length: n }, (_, i) => word(i)).join(' ')
/** 0 -> a, 27 -> bb: digits fold */
const letters = (i: number): string =>
  (i < 26 ? '' : letters(Math.floor(i / 26) - 1)) + String.fromCharCode(97 + (i % 26))

describe('sameWords', () => {
  it.each<[string, string, string, boolean]>([
    ['nothing twice', '', '', true],
    ['punctuation alone is nothing', ' …\n', '', true],
    ['nothing and something', '', 'Done.', false],
    ['punctuation and something', '---', 'Done.', false],
    ['case, digits, white space, punctuation', 'Still waiting: 12 tests run!', 'still   WAITING, 13 tests\nrun', true],
    ['a number with a unit', 'took 3.2s', 'took 14s', true],
    ['another thing', 'All tests pass now.', 'The build is broken.', false],
    ['four words of five', 'one two three four', 'one two three four five', true],
    ['three words of four', 'one two three', 'one two three four', false],
    ['the order does not count', 'tests pass, build passes', 'build passes, tests pass', true],
    ['signs that say something', '✅', '❌', false],
    ['full-width letters', 'Ｄｏｎｅ', 'done', true],
    ['Chinese, but for digits and stops', '正在等待第 3 次构建完成。', '正在等待第 12 次构建完成', true],
    ['Chinese, another thing', '正在等待构建完成', '所有测试都已经通过', false],
    ['Chinese, the same signs in another order', '上海自来水', '水来自海上', false],
    ['one sign', '好', '好。', true],
    ['Korean', '테스트를 실행했습니다', '테스트를 실행했습니다.', true],
    ['what follows 400 words', `${words(400, letters)} and more`, `${words(400, letters)} or less`, true],
    ['within 400 words', words(400, letters), words(400, (i) => letters(i + 300)), false],
  ])('%s', (_, a, b, same) => {
    expect(sameWords(a, b)).toBe(same)
    expect(sameWords(b, a)).toBe(same)
  })

  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.lorem(),
    fc.string({ unit: fc.constantFrom('继', '续', '我', '们', 'a', 'B', '1', ' ', '。') }),
  )
  it('is symmetric and reflexive', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(sameWords(a, a)).toBe(true)
        expect(sameWords(a, b)).toBe(sameWords(b, a))
      }),
      runs(100),
    )
  })
  it('does not mind case, digits and what stands between words', () => {
    fc.assert(
      fc.property(fc.lorem(), fc.nat(), (a, n) => {
        expect(sameWords(`${a} ${n}`, `  ${a.toUpperCase().replaceAll(' ', ' - ')} ${n + 1}!`)).toBe(true)
      }),
      runs(100),
    )
  })
})
