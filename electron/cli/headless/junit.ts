import { xml } from '../service/xml.ts'
import { oneLine } from '../output/clean.ts'
import type { Summary } from './summary.ts'

/** XML 1.0 has no place for these, not even escaped. */
const notXml = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

const text = (words: string): string => xml(words.replace(notXml, '\ufffd'))
const attributes = (all: Readonly<Record<string, string | number>>): string =>
  Object.entries(all)
    .map(([name, value]) => ` ${name}="${text(oneLine(String(value)))}"`)
    .join('')

type Verdict = { kind: 'passed' } | { kind: 'failure' | 'error' | 'skipped'; type: string; message: string }

interface Case {
  name: string
  classname: string
  seconds: number
  verdict: Verdict
  output?: string
}

/** A run as JUnit reports it: a case for the goal, or for the agent where none was set, and one for each check. */
export function junitOf(summary: Summary): string {
  const { checks, seconds, startedAt } = summary
  const cases: readonly Case[] = [
    mainCase(summary),
    ...checks.map((check) => ({
      name: check.name,
      classname: 'onward.checks',
      seconds: check.seconds,
      verdict: checkVerdict(check),
      output: `${check.argv.join(' ')}\n${check.say}`,
    })),
  ]
  const count = (kind: Verdict['kind']) => cases.filter(({ verdict }) => verdict.kind === kind).length
  const totals = {
    name: 'onward',
    tests: cases.length,
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
    time: seconds.toFixed(3),
  }
  const { skipped: _, ...outer } = totals
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes(outer)}>`,
    `  <testsuite${attributes({ ...totals, timestamp: startedAt.replace(/\.\d+Z$/, '') })}>`,
    ...cases.map(caseText),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function caseText({ name, classname, seconds, verdict, output = '' }: Case): string {
  const { kind } = verdict
  return [
    `    <testcase${attributes({ name, classname, time: seconds.toFixed(3) })}>`,
    ...(kind === 'passed' ? [] : [`      <${kind}${attributes({ message: verdict.message, type: verdict.type })}/>`]),
    `      <system-out>${text(output)}</system-out>`,
    '    </testcase>',
  ].join('\n')
}

/** Bounds and checks are failures of the work; what a person, an agent or the engine has to mend is an error. */
function mainCase({ goal, agent, rounds, exitCode, outcome, reason, seconds }: Summary): Case {
  const isReached = goal === null || goal.reached || !goal.review
  const verdict: Verdict =
    exitCode === 0 || (exitCode === 11 && isReached)
      ? { kind: 'passed' }
      : { kind: exitCode === 10 || exitCode === 11 ? 'failure' : 'error', type: outcome, message: reason }
  return {
    name: goal?.text ?? agent.client,
    classname: goal ? 'onward.goal' : 'onward.agent',
    seconds,
    verdict,
    output: rounds
      .map(({ round, found, sent }) => [`Round ${round}`, found, sent].filter((part) => part !== null).join('\n'))
      .join('\n\n'),
  }
}

function checkVerdict({ outcome, say }: Summary['checks'][number]): Verdict {
  switch (outcome) {
    case 'passed':
      return { kind: 'passed' }
    case 'failed':
    case 'timed-out':
      return { kind: 'failure', type: outcome, message: say }
    case 'not-started':
    case 'stopped':
      return { kind: 'error', type: outcome, message: say }
    case 'not-run':
      return { kind: 'skipped', type: outcome, message: say }
  }
}
