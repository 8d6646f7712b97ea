import { countBefore, sum, tests, type Tally } from './tally.ts'

/** Reads one runner's summary; null: the output is not from it. Several summaries (a run per package) are added up. */
type Reader = (text: string) => Tally | null

const lines = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map((match) => match[1] ?? '')
const numbers = (text: string, pattern: RegExp): number[] => lines(text, pattern).map(Number)
const files = ['test file', 'test files'] as const

/** `Tests  2 failed | 212 passed (214)`, and `Test Files  1 failed | …` where a file could not even be loaded */
const vitest: Reader = (text) => {
  const ends = lines(text, /^ *Tests {2}(\d+ .*\(\d+\)|no tests)$/gm)
  if (ends.length === 0) return null
  const found = tests(countBefore(ends.join('\n'), 'failed'), countBefore(ends.join('\n'), 'passed'))
  const inFiles = lines(text, /^ *Test Files {2}(\d+ .*\(\d+\))$/gm).join('\n')
  return found.failed === 0 && countBefore(inFiles, 'failed') > 0
    ? { failed: countBefore(inFiles, 'failed'), passed: countBefore(inFiles, 'passed'), of: files }
    : found
}

/** `Tests:       1 failed, 213 passed, 214 total`, likewise `Test Suites: …` */
const jest: Reader = (text) => {
  const ends = lines(text, /^Tests: +(.*\d+ total)$/gm).join('\n')
  if (ends === '') return null
  const found = tests(countBefore(ends, 'failed'), countBefore(ends, 'passed'))
  const suites = lines(text, /^Test Suites: +(.*\d+ total)$/gm).join('\n')
  return found.failed === 0 && countBefore(suites, 'failed') > 0
    ? { failed: countBefore(suites, 'failed'), passed: countBefore(suites, 'passed'), of: files }
    : found
}

/** node:test: `ℹ pass 2` from its spec reporter, `# pass 2` from TAP */
const nodeTest: Reader = (text) => {
  const passed = numbers(text, /^[#ℹ] pass (\d+)$/gm)
  const failed = numbers(text, /^[#ℹ] (?:fail|cancelled) (\d+)$/gm)
  return passed.length === 0 || failed.length === 0 ? null : tests(sum(failed), sum(passed))
}

/** `  213 passing (2s)`, `  1 failing` */
const mocha: Reader = (text) => {
  const passed = numbers(text, /^ +(\d+) passing \(/gm)
  return passed.length === 0 ? null : tests(sum(numbers(text, /^ +(\d+) failing$/gm)), sum(passed))
}

/** `==== 1 failed, 213 passed in 0.12s ====`, bare with -q */
const pytest: Reader = (text) => {
  const ends = lines(text, /^(?:=+ )?((?:\d+ [a-z]+(?:, )?)+|no tests ran) in [\d.]+s\b.*$/gm).join('\n')
  return ends === ''
    ? null
    : tests(countBefore(ends, 'failed', 'errors?'), countBefore(ends, 'passed', 'xpassed', 'xfailed'))
}

/** `Ran 3 tests in 0.001s`, then `OK` or `FAILED (failures=1, errors=1)` */
const unittest: Reader = (text) => {
  const ran = numbers(text, /^Ran (\d+) tests? in [\d.]+s$/gm)
  if (ran.length === 0) return null
  const failed = sum(lines(text, /^FAILED \((.*)\)$/gm).flatMap((end) => numbers(end, /\b(?:failures|errors)=(\d+)/g)))
  return tests(failed, Math.max(0, sum(ran) - failed))
}

/** Go names the tests that fail; of those that pass it names only the packages. */
const go: Reader = (text) => {
  const well = lines(text, /^ok {2}\t(\S+)\t/gm).length
  const broken = lines(text, /^FAIL\t(\S+)/gm).length
  if (well + broken === 0) return null
  const failed = lines(text, /^ *--- FAIL: (\S+)/gm).length
  const passed = lines(text, /^ *--- PASS: (\S+)/gm).length
  if (passed > 0) return tests(failed, passed)
  return failed > 0
    ? { failed, passed: null, of: ['test fails', 'tests fail'] }
    : { failed: broken, passed: well, of: ['package', 'packages'] }
}

/** `test result: FAILED. 1 passed; 1 failed; 0 ignored; …`, one for each crate and its documentation */
const cargo: Reader = (text) => {
  const ends = lines(text, /^test result: \w+\. (.*)$/gm).join('\n')
  return ends === '' ? null : tests(countBefore(ends, 'failed'), countBefore(ends, 'passed'))
}

/** `OK (214 tests, 500 assertions)` or `Tests: 214, Assertions: 500, Errors: 1, Failures: 2.` */
const phpunit: Reader = (text) => {
  const well = numbers(text, /^OK \((\d+) tests?, \d+ assertions?\)$/gm)
  const ends = lines(text, /^(Tests: \d+, Assertions: .*)\.$/gm).join('\n')
  if (well.length === 0 && ends === '') return null
  const failed = sum(numbers(ends, /\b(?:Errors|Failures): (\d+)/g))
  return tests(failed, Math.max(0, sum(well) + sum(numbers(ends, /\bTests: (\d+)/g)) - failed))
}

/** `214 examples, 2 failures, 1 pending, 1 error occurred outside of examples` */
const rspec: Reader = (text) => {
  const ends = lines(text, /^(\d+ examples?, \d+ failures?.*)$/gm).join('\n')
  if (ends === '') return null
  const failed = countBefore(ends, 'failures?')
  const outside = countBefore(ends, 'errors? occurred')
  return tests(failed + outside, Math.max(0, countBefore(ends, 'examples?') - failed - countBefore(ends, 'pending')))
}

/** bun: ` 2 pass`, ` 1 fail`, `Ran 3 tests across 1 file.` */
const bun: Reader = (text) =>
  /^Ran \d+ tests? across \d+ files?\./m.test(text)
    ? tests(sum(numbers(text, /^ *(\d+) fail$/gm)), sum(numbers(text, /^ *(\d+) pass$/gm)))
    : null

/** Any TAP: `ok 1`, `not ok 2`, of the top level */
const tap: Reader = (text) => {
  if (!/^1\.\.\d+/m.test(text)) return null
  return tests(lines(text, /^(not ok)\b(?!.*# *(?:todo|skip))/gim).length, lines(text, /^(ok)\b/gm).length)
}

/** `src/a.ts(1,2): error TS2304: …`, with --pretty `src/a.ts:1:2 - error TS2304: …`; silent when all is well */
const tsc: Reader = (text) => {
  const found = lines(text, /(?:^|: | - )error (TS\d+): /gm).length
  return found === 0 ? null : { failed: found, passed: null, of: ['type error', 'type errors'] }
}

const problems = ['lint error', 'lint errors'] as const
/** `✖ 3 problems (2 errors, 1 warning)` */
const eslint: Reader = (text) => {
  const ends = lines(text, /^✖ \d+ problems? \((.*)\)$/gm).join('\n')
  return ends === '' ? null : { failed: countBefore(ends, 'errors?'), passed: null, of: problems }
}
/** `Found 1 warning and 2 errors.` */
const oxlint: Reader = (text) => {
  const ends = lines(text, /^Found (\d+ warnings? and \d+ errors?)\.$/gm).join('\n')
  return ends === '' ? null : { failed: countBefore(ends, 'errors?'), passed: null, of: problems }
}

/** Test runners come before compilers and linters: where both ran, the tests say more. */
export const runners: readonly Reader[] = [
  vitest,
  jest,
  nodeTest,
  mocha,
  pytest,
  unittest,
  cargo,
  go,
  phpunit,
  rspec,
  bun,
  tap,
  tsc,
  eslint,
  oxlint,
]
