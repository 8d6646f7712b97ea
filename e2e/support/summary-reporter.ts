import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node'
import { seed } from '../../shared/testing/runs.ts'

const SLOWEST = 10
/** characters of a failure's message */
const LINE = 200

interface Totals {
  passed: number
  failed: number
  skipped: number
}

/**
 * Begins a run with its seed and closes it with what one wants to know next: the slowest files, what was skipped and
 * why, what needed a second try, where the evidence of failures lies, what failed, and one plain line that any CI can
 * read: `N passed, N failed, N skipped`.
 */
export default class SummaryReporter implements Reporter {
  onTestRunStart(): void {
    say(`seed ${seed} (ONWARD_SEED=${seed} runs the same properties again)`)
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    say(slowest(modules), skipped(tests), triedTwice(tests), evidenceOf(tests), failed(modules, tests))
    const totals = totalsOf(modules, tests, errors.length)
    say(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`)
  }
}

function totalsOf(modules: readonly TestModule[], tests: readonly TestCase[], errors: number): Totals {
  const count = (state: string) => tests.filter((test) => test.result().state === state).length
  // A file that could not even be loaded has no tests, only errors.
  const broken = modules.filter((module) => module.errors().length > 0 && module.children.size === 0).length
  // What fails before the first test of a suite only skips its tests.
  const suites = modules.flatMap((module) => [...module.children.allSuites()])
  const begun = suites.filter((suite) => suite.errors().length > 0).length
  const [passed, failed] = [count('passed'), count('failed')]
  return { passed, failed: failed + errors + broken + begun, skipped: tests.length - passed - failed }
}

function slowest(modules: readonly TestModule[]): string {
  const files = modules
    .map((module) => ({ name: nameOf(module), ms: module.diagnostic().duration }))
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, SLOWEST)
    .map(({ name, ms }) => `${(ms / 1_000).toFixed(1).padStart(8)} s  ${name}`)
  return ['The slowest files:', ...files].join('\n')
}

function skipped(tests: readonly TestCase[]): string {
  const lines = new Map<string, number>()
  for (const test of tests) {
    const result = test.result()
    if (result.state !== 'skipped') continue
    const why = test.meta().skippedBecause ?? result.note ?? 'left out by its name (-t)'
    const line = `  ${nameOf(test.module)}: ${why}`
    lines.set(line, (lines.get(line) ?? 0) + 1)
  }
  if (lines.size === 0) return 'Nothing was skipped.'
  return ['Skipped:', ...Array.from(lines, ([line, n]) => `${line} (${n} ${n === 1 ? 'test' : 'tests'})`)].join('\n')
}

function triedTwice(tests: readonly TestCase[]): string {
  const lines = tests
    .filter((test) => test.diagnostic()?.flaky)
    .map((test) => `  ${nameOf(test.module)}: ${test.fullName}`)
  return lines.length === 0 ? '' : ['Passed only when tried again (each is a fault to find):', ...lines].join('\n')
}

/** Every failure in a line: where only the end of a run is kept, its names are still there. */
function failed(modules: readonly TestModule[], tests: readonly TestCase[]): string {
  const suites = modules.flatMap((module) => [module, ...module.children.allSuites()])
  const lines = [
    ...suites.flatMap((suite) => suite.errors().map((error) => `  ${nameOf(moduleOf(suite))}: ${firstLine(error)}`)),
    ...tests.flatMap((test) => {
      const result = test.result()
      if (result.state !== 'failed') return []
      return [`  ${nameOf(test.module)}: ${test.fullName}: ${firstLine(result.errors[0])}`]
    }),
  ]
  return lines.length === 0 ? '' : ['Failed:', ...lines].join('\n')
}

const moduleOf = (suite: TestModule | TestSuite): TestModule => (suite.type === 'module' ? suite : suite.module)

const firstLine = (error: { message: string } | undefined): string =>
  stripVTControlCharacters(error?.message ?? '')
    .split('\n', 1)[0]
    ?.slice(0, LINE) ?? ''

function evidenceOf(tests: readonly TestCase[]): string {
  const folders = tests.flatMap((test) => test.meta().evidence ?? [])
  if (folders.length === 0) return ''
  return ['What was to be seen when they failed:', ...folders.map((folder) => `  ${folder}`)].join('\n')
}

const nameOf = (module: TestModule): string => relative(process.cwd(), module.moduleId)

const say = (...paragraphs: readonly string[]): void =>
  void process.stdout.write(`\n${paragraphs.filter((text) => text !== '').join('\n\n')}\n`)
