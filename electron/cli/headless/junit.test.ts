import { describe, expect, it } from 'vitest'
import { junitOf } from './junit.ts'
import type { Summary } from './summary.ts'

const none = { input: 0, cachedInput: 0, output: 0, reasoning: 0, costUsd: null }
const summary = (more: Partial<Summary> = {}): Summary => ({
  version: 1,
  exitCode: 0,
  outcome: 'goal-reached',
  reason: 'Goal reached',
  agent: { client: 'claude', session: 's', folder: '/work', exitCode: 0, signal: null },
  startedAt: '2026-11-29T11:00:00.123Z',
  seconds: 61.5,
  goal: { text: 'All green', review: true, reached: true, used: 1, max: null },
  rounds: [],
  checks: [],
  usage: none,
  reviewer: none,
  ...more,
})
const check = (outcome: Summary['checks'][number]['outcome'], say = '') => ({
  name: 'tests',
  argv: ['npm', 'test'],
  outcome,
  exitCode: null,
  seconds: 2,
  say,
})
/** kind and message of each case */
const verdicts = (of: Summary) =>
  Array.from(junitOf(of).matchAll(/<testcase [^>]*>\n {6}<([a-z-]+)(?: message="([^"]*)")?/g), ([, kind, message]) =>
    kind === 'system-out' ? 'passed' : `${kind}: ${message}`,
  )

describe('a run as JUnit', () => {
  it('is one suite, with a case for the goal and one for each check', () => {
    const of = summary({
      checks: [check('passed', '128 pass')],
      rounds: [
        { round: 1, at: '', toolCalls: 1, review: 'not-reached', found: 'Not done yet', sent: 'Go on.' },
        { round: 2, at: '', toolCalls: 0, review: 'reached', found: 'Goal reached', sent: null },
      ],
    })
    expect(junitOf(of)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="onward" tests="2" failures="0" errors="0" time="61.500">
  <testsuite name="onward" tests="2" failures="0" errors="0" skipped="0" time="61.500" timestamp="2026-11-29T11:00:00">
    <testcase name="All green" classname="onward.goal" time="61.500">
      <system-out>Round 1
Not done yet
Go on.

Round 2
Goal reached</system-out>
    </testcase>
    <testcase name="tests" classname="onward.checks" time="2.000">
      <system-out>npm test
128 pass</system-out>
    </testcase>
  </testsuite>
</testsuites>
`)
  })

  it('has work that is not done as a failure, and what somebody has to mend as an error', () => {
    const ended = (exitCode: number, reached = false) =>
      verdicts(summary({ exitCode, reason: 'why', goal: { text: 'g', review: true, reached, used: 1, max: 1 } }))
    expect([10, 11, 12, 13, 1, 143].map((code) => ended(code)[0])).toEqual([
      'failure: why',
      'failure: why',
      'error: why',
      'error: why',
      'error: why',
      'error: why',
    ])
    const outcomes = ['passed', 'failed', 'timed-out', 'not-started', 'stopped', 'not-run'] as const
    expect(verdicts(summary({ checks: outcomes.map((one) => check(one, 'so')) })).slice(1)).toEqual([
      'passed',
      'failure: so',
      'failure: so',
      'error: so',
      'error: so',
      'skipped: so',
    ])
  })

  it('lets an agent without a goal pass where a check alone fails', () => {
    expect(verdicts(summary({ exitCode: 11, goal: null, checks: [check('failed', '2 fail')] }))).toEqual([
      'passed',
      'failure: 2 fail',
    ])
  })

  it('stays XML whatever stands in it', () => {
    const hostile = `]]></system-out>"'&<a>\u0000\u0007\u001b[31m\ud800\ufffe\n\t日本\u202e`
    const text = junitOf(
      summary({
        exitCode: 10,
        reason: hostile,
        outcome: hostile,
        goal: { text: hostile, review: true, reached: false, used: 1, max: 1 },
        rounds: [{ round: 1, at: '', toolCalls: 0, review: null, found: hostile, sent: hostile }],
        checks: [{ ...check('failed', hostile), name: hostile, argv: [hostile] }],
      }),
    )
    // oxlint-disable-next-line no-control-regex -- control characters are the subject here
    expect(text).not.toMatch(/[^\n\t\u0020-\u007e]/)
    expect(text.match(/<\/?[a-z-]+/g)?.toSorted()).toEqual(
      [
        ...['testsuites', 'testsuite', 'testcase', 'testcase', 'system-out', 'system-out'].flatMap((name) => [
          `<${name}`,
          `</${name}`,
        ]),
        '<failure',
        '<failure',
      ].toSorted(),
    )
    expect(text.replaceAll(/&(?:amp|lt|gt|quot|#x[0-9a-f]+);/g, '')).not.toContain('&')
    expect(text).toContain('&#x65e5;&#x672c;')
  })
})
