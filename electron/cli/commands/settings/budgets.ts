import { Option, type Command } from 'commander'
import type { Input } from '../../../../shared/operations/index.ts'
import type { Sentences } from '../../../../shared/sentences/index.ts'
import type { EngineStatus } from '../../../../shared/state.ts'
import type { Cli } from '../../cli.ts'
import { engineCommand } from '../../command.ts'
import { CliError } from '../../exit.ts'
import { facts } from '../../output/columns.ts'

type Budgets = NonNullable<EngineStatus['budgets']>
/** null: no such guard */
type Limit = number | null

/**
 * Infinity: never; commander takes null for absent. It reads `--no-progress <N>` as the other side of a switch
 * `progress`, true where it is not given
 */
interface Options {
  rounds?: number
  hours?: number
  progress: number | true
  tokens?: number
  cost?: number
}

export const limit = (flags: string, what: string, parse: typeof whole): Option =>
  new Option(flags, what).argParser(parse(flags.split(' ', 1)[0] ?? ''))

export function addBudgets(program: Command, cli: Cli): void {
  engineCommand(program, cli, {
    usage: 'budgets',
    summary: 'when a run stops to ask you; change it',
    description:
      'Guards of runs that have no end of their own: after so much they pause and ask. They count from the ' +
      'last time a person let it go on. N rounds that you wrote are done without asking, unless a reviewer ' +
      'decides; then all but the rounds hold. What is changed is written to the config and counts at once.',
    options: [
      limit('--rounds <N>', 'after so many rounds, or `never`', whole),
      limit('--hours <N>', 'after so long, or `never`', some),
      limit('--no-progress <N>', 'after so many rounds in a row without progress, or `never`', whole),
      limit('--tokens <N>', 'after so many tokens, the reviewer’s among them, or `never`', whole),
      limit('--cost <USD>', 'after so many dollars, the reviewer’s among them, or `never`', some),
    ],
    examples: [
      ['onward budgets', 'how they stand'],
      ['onward budgets --rounds 40 --hours 2', 'sooner'],
      ['onward budgets --cost 5 --hours never', 'by what it costs'],
    ],
    input: inputOf,
    async ask(calls, wanted) {
      const changes = Object.values(wanted).some((one) => one !== undefined)
      const budgets = changes ? await calls.setBudgets.mutate(wanted) : (await calls.status.query()).budgets
      if (budgets) return budgets
      throw new CliError('failed', 'This engine has no guards: it is an older one. Start it again.')
    },
    tell: (budgets, { sentences, style }) =>
      'A run without an end of its own pauses and asks you after\n' + facts(factsOf(budgets, sentences), style.quiet),
  })
}

const inputOf = ({ rounds, hours, progress, tokens, cost }: Options): Input<'setBudgets'> => ({
  rounds: limitOf(rounds),
  hours: limitOf(hours),
  noProgressRounds: limitOf(progress === true ? undefined : progress),
  tokens: limitOf(tokens),
  costUsd: limitOf(cost),
})
export const limitOf = (given: number | undefined): Limit | undefined => (given === Infinity ? null : given)

function factsOf(
  { rounds, hours, noProgressRounds, tokens = null, costUsd = null }: Budgets,
  { budget }: Sentences,
): [string, string][] {
  const said = (kind: Parameters<Sentences['budget']>[0], limit: Limit) =>
    limit === null ? 'never' : budget(kind, limit)
  return [
    ['Rounds', said('rounds', rounds)],
    ['Time', said('time', hours)],
    ['No progress', said('no-progress', noProgressRounds)],
    ['Tokens', said('tokens', tokens)],
    ['Cost', said('cost', costUsd)],
  ]
}

export function whole(name: string): (text: string) => number {
  return (text) => {
    if (/^never$/i.test(text)) return Infinity
    if (!/^[1-9]\d{0,11}$/.test(text))
      throw new CliError('usage', `${name} takes a whole number from 1, or \`never\`, not “${text}”.`)
    return Number(text)
  }
}

export function some(name: string): (text: string) => number {
  return (text) => {
    if (/^never$/i.test(text)) return Infinity
    const number = /^\d{1,9}(\.\d{1,6})?$/.test(text) ? Number(text) : 0
    if (number <= 0) throw new CliError('usage', `${name} takes a number above 0, or \`never\`, not “${text}”.`)
    return number
  }
}
