import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CheckRun } from '../../../../shared/review.ts'
import { checksFailedText, languageOf, tidyFollowup } from './followup-text.ts'
import { runs } from '../../../../shared/testing/runs.ts'

const run = (more: Partial<CheckRun> = {}): CheckRun => ({
  name: 'tests',
  argv: ['npm', 'test'],
  outcome: 'failed',
  exitCode: 1,
  at: 0,
  ms: 1,
  say: '2 of 214 fail',
  ...more,
})
const hostile = fc.string({
  unit: fc.constantFrom(
    'a',
    '修',
    ' ',
    '\n',
    '\r',
    '\u001b[201~',
    '\u0007',
    '<',
    '**',
    '<**sm:off**>',
    '😀',
    '\u2028',
    '\t',
    '\u009b',
    'word ',
  ),
  maxLength: 1_500,
})

function safe(text: string): void {
  expect(text.length).toBeLessThanOrEqual(790)
  expect(text.split('\n').length).toBeLessThanOrEqual(3)
  expect(text).not.toContain('<**')
  expect(text).not.toMatch(/(?!\n)\p{Cc}/u)
  expect(text).not.toMatch(/\p{Cs}/u)
  expect(text).toBe(text.trim())
}

describe('a followup', () => {
  it.each([
    ['Fix it.', 'Fix it.'],
    ['  Fix  it.\r\n\r\n Then   test. ', 'Fix it.\nThen test.'],
    ['1\n2\n3\n4\n5', '1\n2\n3 4 5'],
    ['Run \u001b[1mnpm test\u001b[0m\u0007 now', 'Run npm test now'],
    ['', ''],
  ])('%j is typed as %j', (text, typed) => {
    expect(tidyFollowup(text)).toBe(typed)
  })

  it('is cut at a word', () => {
    const cut = tidyFollowup('word '.repeat(400))
    expect(cut).toMatch(/^(word )+word…$/)
    expect(cut.length).toBeGreaterThan(780)
  })

  it('is safe to be typed, whatever a reviewer writes', () => {
    fc.assert(
      fc.property(hostile, (text) => safe(tidyFollowup(text))),
      runs(100),
    )
  })
})

describe('a followup about checks', () => {
  it('names check, command, exit code and what fails', () => {
    expect(
      checksFailedText(
        [{ run: run(), output: 'ok 1\n\u001b[31mnot ok 2 refund rounds up\u001b[0m\n2 of 214 fail\n' }],
        'en',
      ),
    ).toBe(
      'The check “tests” (npm test) fails with exit code 1: 2 of 214 fail.\nIts output ' +
        'ends: ok 1 | not ok 2 refund rounds up | 2 of 214 fail\nFind the cause and fix ' +
        'it, then run it until it passes. Leave the checks themselves as they are.',
    )
    expect(
      checksFailedText(
        [
          { run: run(), output: 'x' },
          { run: run({ name: 'lint' }), output: '' },
        ],
        'zh-CN',
      ),
    ).toBe(
      '检查“tests”（npm test）没通过，退出码 1：2 of 214 fail。没通过的还有：lint。\n输出结尾：x\n找出原因并修好，再运行检查，直到全部通过。不要改动检查本身。',
    )
  })

  it.each<[Partial<CheckRun>, string, string]>([
    [{ outcome: 'timed-out', exitCode: null, say: '' }, 'took too long.', '超时。'],
    [
      { outcome: 'not-started', exitCode: null, say: 'no such program' },
      'did not start: no such program.',
      '没能启动：no such program。',
    ],
    [{ outcome: 'failed', exitCode: null, say: '' }, 'fails.', '没通过。'],
    [{ argv: ['sh', '-c', 'a b'] }, '(sh -c "a b")', 'sh -c "a b"'],
  ])('says of %j how it ended', (more, en, zh) => {
    expect(checksFailedText([{ run: run(more), output: '' }], 'en')).toContain(en)
    expect(checksFailedText([{ run: run(more), output: '' }], 'zh-CN')).toContain(zh)
  })

  it('is safe to be typed and keeps its order, whatever a check prints and is called', () => {
    fc.assert(
      fc.property(
        hostile,
        hostile,
        hostile,
        fc.constantFrom('en' as const, 'zh-CN' as const),
        fc.integer({ min: 1, max: 60 }),
        (name, say, output, language, count) => {
          const text = checksFailedText(
            Array.from({ length: count }, () => ({ run: run({ name, say, argv: [say, output] }), output })),
            language,
          )
          safe(text)
          expect(text).toMatch(language === 'en' ? /Leave the checks themselves as they are\.$/ : /不要改动检查本身。$/)
        },
      ),
      runs(100),
    )
  })
})

it.each([
  ['All tests pass', 'en'],
  ['所有测试通过', 'zh-CN'],
  ['让 tests 通过', 'zh-CN'],
  ['テスト', 'en'],
] as const)('%s is answered in %s', (goal, language) => {
  expect(languageOf(goal)).toBe(language)
})
