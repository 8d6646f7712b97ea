import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tempFolders } from '../../store/testing/temp-folder.ts'
import { realPrograms } from '../testing/real-programs.ts'
import { plainText } from './plain-text.ts'
import { endsOf, sayOfOutput } from './run-check.ts'
import { runs } from '../../../../shared/testing/runs.ts'

const said: readonly (readonly [runner: string, output: string, exitCode: number, say: string])[] = [
  [
    'vitest',
    ' FAIL  a.test.ts\n Test Files  1 failed | 3 passed (4)\n      Tests  2 ' +
      'failed | 211 passed | 1 skipped (214)\n   Start at  10:00:00\n',
    1,
    '2 of 213 fail',
  ],
  ['vitest, all well', ' Test Files  4 passed (4)\n      Tests  214 passed (214)\n', 0, '214 pass'],
  [
    'vitest, a file that can’t be loaded',
    ' Test Files  1 failed | 3 passed (4)\n      Tests  9 passed (9)\n',
    1,
    '1 of 4 test files fail',
  ],
  ['vitest, twice', '      Tests  1 failed | 2 passed (3)\n...\n      Tests  4 passed (4)\n', 1, '1 of 7 fail'],
  [
    'vitest, a threshold missed',
    '      Tests  3 passed (3)\nERROR: Coverage for lines (10%) does not meet\n',
    1,
    '3 pass, yet it ended with 1',
  ],
  [
    'jest',
    'Test Suites: 1 failed, 1 passed, 2 total\nTests:       1 failed, 1 ' +
      'skipped, 212 passed, 214 total\nSnapshots:   0 total\nTime:        1 s\n',
    1,
    '1 of 213 fail',
  ],
  [
    'jest, a suite that can’t be loaded',
    'Test Suites: 1 failed, 1 passed, 2 total\nTests:       12 passed, 12 total\n',
    1,
    '1 of 2 test files fail',
  ],
  ['node:test', 'ℹ tests 3\nℹ suites 0\nℹ pass 2\nℹ fail 1\nℹ cancelled 0\nℹ skipped 0\n', 1, '1 of 3 fail'],
  ['node:test as TAP', 'TAP version 13\nok 1 - a\n1..1\n# tests 1\n# pass 1\n# fail 0\n# cancelled 0\n', 0, '1 pass'],
  ['TAP', '1..3\nok 1 - a\nnot ok 2 - b\nnot ok 3 - c # TODO later\n', 1, '1 of 2 fail'],
  ['mocha', '\n  213 passing (2s)\n  1 pending\n  2 failing\n\n  1) a\n', 2, '2 of 215 fail'],
  [
    'pytest',
    '=========== short test summary info ===========\nFAILED test_a.py::test_b - ' +
      'assert 1 == 2\n========= 1 failed, 213 passed, 2 skipped in 0.12s =========\n',
    1,
    '1 of 214 fail',
  ],
  ['pytest -q', '...\n3 passed in 0.01s\n', 0, '3 pass'],
  ['pytest, broken', '==== 1 error in 0.10s ====\n', 2, '1 of 1 fail'],
  ['pytest, none', '==== no tests ran in 0.00s ====\n', 5, 'no tests ran, yet it ended with 5'],
  ['unittest', '\nRan 4 tests in 0.001s\n\nFAILED (failures=1, errors=1)\n', 1, '2 of 4 fail'],
  [
    'go test',
    '--- FAIL: TestA (0.00s)\n    a_test.go:5: no\nFAIL\nFAIL\texample.com/a\t0.1s\nok  \texample.com/b\t0.1s\nFAIL\n',
    1,
    '1 test fails',
  ],
  [
    'go test, all well',
    'ok  \texample.com/a\t0.1s\nok  \texample.com/b\t(cached)\n?   \texample.com/c\t[no test files]\n',
    0,
    '2 packages pass',
  ],
  [
    'go test, not built',
    'FAIL\texample.com/a [build failed]\nok  \texample.com/b\t0.1s\nFAIL\n',
    1,
    '1 of 2 packages fail',
  ],
  [
    'go test -v',
    '=== RUN   TestA\n--- PASS: TestA (0.00s)\n--- FAIL: TestB (0.00s)\nFAIL\nFAIL\texample.com/a\t0.1s\n',
    1,
    '1 of 2 fail',
  ],
  [
    'cargo test',
    'test a ... ok\ntest result: FAILED. 3 passed; 1 failed; 0 ' +
      'ignored; 0 measured; 0 filtered out; finished in 0.00s\n',
    101,
    '1 of 4 fail',
  ],
  [
    'cargo test, with documentation',
    'test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured\n   Doc-tests a\n' +
      'test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured\n',
    0,
    '5 pass',
  ],
  ['phpunit', 'FAILURES!\nTests: 214, Assertions: 500, Errors: 1, Failures: 2.\n', 1, '3 of 214 fail'],
  ['phpunit, all well', 'OK (214 tests, 500 assertions)\n', 0, '214 pass'],
  ['rspec', 'Finished in 0.1 seconds\n214 examples, 2 failures, 4 pending\n', 1, '2 of 210 fail'],
  ['bun test', ' 2 pass\n 1 fail\n 3 expect() calls\nRan 3 tests across 1 file. [10.00ms]\n', 1, '1 of 3 fail'],
  ['tsc', "src/a.ts(1,2): error TS2304: Cannot find name 'x'.\nsrc/b.ts(3,4): error TS2322: No.\n", 2, '2 type errors'],
  ['tsc --pretty', 'src/a.ts:1:2 - error TS2304: Cannot find.\n\nFound 1 error in src/a.ts:1\n', 2, '1 type error'],
  ['eslint', '/r/a.js\n  1:1  error  no  no-x\n\n✖ 3 problems (2 errors, 1 warning)\n', 1, '2 lint errors'],
  ['oxlint', 'Found 1 warning and 2 errors.\nFinished in 8ms on 3 files.\n', 1, '2 lint errors'],
  ['oxlint, warnings denied', 'Found 1 warning and 0 errors.\n', 1, 'no lint errors, yet it ended with 1'],
  ['a linter and then tests', 'Found 0 warnings and 0 errors.\n      Tests  3 passed (3)\n', 0, '3 pass'],
  [
    'colours',
    '\u001b[2m      Tests \u001b[22m \u001b[1m\u001b[31m1 failed\u001b[39m\u001b[22m\u001b[2m | ' +
      '\u001b[22m\u001b[32m2 passed\u001b[39m\u001b[90m (3)\u001b[39m\r\n',
    1,
    '1 of 3 fail',
  ],
  ['something else', 'Checking…\nall is as it should be  \n\n---\n', 0, 'all is as it should be'],
  ['a long line', `${'word '.repeat(100)}\n`, 1, `${'word '.repeat(23)}word…`],
  ['nothing', '\n', 0, 'it said nothing'],
  ['nothing but a failure', '', 4, 'it ended with 4 and said nothing'],
]

describe('what a check’s output says', () => {
  it.each(said)('%s', (_runner, output, exitCode, say) =>
    expect(sayOfOutput(output, exitCode === 0, exitCode)).toBe(say),
  )

  it('is one short line without control characters, whatever was printed', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.oneof(
            fc.constantFrom(
              '\u001b',
              '[',
              ']',
              '\r',
              '\n',
              '\u0007',
              '\u009b',
              '\u202e',
              'Tests  1 failed (',
              '1..',
              'ok',
            ),
            fc.string({ unit: 'binary', maxLength: 3 }),
          ),
        }),
        fc.boolean(),
        (output, passed) => {
          const say = sayOfOutput(output, passed, passed ? 0 : 1)
          expect(say).toMatch(/^[^\p{Cc}]+$/u)
          expect([...say].length).toBeLessThanOrEqual(160)
        },
      ),
      runs(100),
    )
  })
})

describe('real runners', () => {
  const folder = tempFolders()
  const never = () => new AbortController().signal

  it('node --test', async () => {
    const cwd = folder()
    await writeFile(
      join(cwd, 'a.test.mjs'),
      "import { test } from 'node:test'\ntest('a', () => undefined)\ntest('b', () => { throw new Error('no') })\n",
    )
    const end = await realPrograms()(
      { argv: [process.execPath, '--test'], cwd, timeoutMs: 60_000, env: { NO_COLOR: '1', FORCE_COLOR: '0' } },
      never(),
    )
    expect(sayOfOutput(end.stdout, end.exitCode === 0, end.exitCode)).toBe('1 of 2 fail')
  })

  it('vitest', async () => {
    const cwd = folder()
    await writeFile(
      join(cwd, 'a.test.js'),
      "test('a', () => undefined)\ntest('b', () => undefined)\ntest('c', () => { throw new Error('no') })\n",
    )
    const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')
    const end = await realPrograms()(
      {
        argv: [process.execPath, vitest, 'run', '--globals', '--root', cwd],
        cwd,
        timeoutMs: 60_000,
        env: { CI: '1', FORCE_COLOR: '1' },
      },
      never(),
    )
    expect(sayOfOutput(`${end.stdout}\n${end.stderr}`, end.exitCode === 0, end.exitCode)).toBe('1 of 3 fail')
  })
})

describe('plain text', () => {
  it.each([
    ['\u001b[31mred\u001b[0m', 'red'],
    ['\u001b]0;title\u0007a\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\', 'alink'],
    ['10%\r20%\r100%\ndone\r\n', '100%\ndone\n'],
    ['a\u0000b\u009b1mc\u202ed\te', 'abcd\te'],
    ['a\u001b', 'a'],
  ])('%j', (output, text) => expect(plainText(output)).toBe(text))
})

describe('the ends of both streams', () => {
  it('have as much of each as fits', () => {
    expect(endsOf('out', '')).toBe('out')
    expect(endsOf('', 'e'.repeat(9_000))).toHaveLength(4_000)
    expect(endsOf('o'.repeat(9_000), 'err')).toBe(`${'o'.repeat(3_996)}\nerr`)
    expect(endsOf('out', `x${'e'.repeat(9_000)}`)).toBe(`out\n${'e'.repeat(3_996)}`)
    expect(endsOf('o'.repeat(9_000), 'e'.repeat(9_000))).toBe(`${'o'.repeat(2_499)}\n${'e'.repeat(1_500)}`)
  })
})
