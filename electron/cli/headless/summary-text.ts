import { excerpt } from '../../../shared/sentences/excerpt.ts'
import type { Cli } from '../cli.ts'
import { oneLine } from '../output/clean.ts'
import { facts } from '../output/columns.ts'
import { styleOf } from '../output/style.ts'
import type { Summary } from './summary.ts'

/** Lines for the log of a job, after all that the agent said. */
export function summaryText({ reason, goal, rounds, checks, usage, reviewer, ...rest }: Summary, cli: Cli): string {
  const { quiet } = styleOf({ env: cli.env, tty: { ...cli.tty, out: cli.tty.err } })
  const spent = ({ input, output, costUsd, unpricedTokens }: Summary['usage']) =>
    `${input} tokens in, ${output} out` +
    (costUsd === null ? '' : `, ${unpricedTokens ? 'at least ' : ''}$${costUsd.toFixed(4)}`)
  return `${quiet('onward:')} ${oneLine(reason).replace(/\.+$/, '')}.\n${facts(
    [
      ...(goal ? [[goal.review ? 'Goal' : 'Message', excerpt(oneLine(goal.text), 200)] as const] : []),
      ...(goal ? [['Rounds', `${goal.used} of ${goal.max ?? '∞'}`] as const] : []),
      ...rounds.flatMap(({ round, found }) => (found === null ? [] : [[`Round ${round}`, found] as const])),
      ...checks.map(
        ({ name, outcome, say }) => ['Check', `${name}: ${outcome}${say === '' ? '' : `, ${say}`}`] as const,
      ),
      ['Spent', spent(usage)],
      ...(reviewer.input + reviewer.output > 0 ? [['Reviewer', spent(reviewer)] as const] : []),
      ['Took', `${Math.round(rest.seconds)} s`],
      ['Exit code', String(rest.exitCode)],
    ],
    quiet,
  )}`
}
