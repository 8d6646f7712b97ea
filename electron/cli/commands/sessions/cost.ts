import { Option, type Command } from 'commander'
import { costOfAll, mostCostDays } from '../../../../shared/cost/cost.ts'
import type { Cli } from '../../cli.ts'
import { engineCommand } from '../../command.ts'
import { CliError } from '../../exit.ts'
import { costFile, costRows, costTable, costWays, type CostWay } from '../../output/cost-rows.ts'

interface Options {
  days: number
  by: CostWay
  csv?: boolean
}

export function addCost(program: Command, cli: Cli): void {
  engineCommand(program, cli, {
    usage: 'cost',
    summary: 'what requests cost: today, or some days',
    description:
      'What requests used and cost, with list prices or your own: today, or today and days ' +
      'before it. “≥” says that a part has no known price; a subscription’s part is in no sum.',
    options: [
      new Option('--days <N>', `today and the days before it, ${mostCostDays} at most`).argParser(parseDays).default(1),
      new Option('--by <what>', 'one line for each').choices(costWays).default('model'),
      new Option('--csv', 'print a file for a spreadsheet').conflicts('json'),
    ],
    examples: [
      ['onward cost', 'today, by model'],
      ['onward cost --days 7 --by session', 'which session was dear this week'],
      ['onward cost --days 30 --by day --csv > cost.csv', 'for a spreadsheet'],
      ['onward cost --days 30 --json | jq .total.costUsd', 'for programs'],
    ],
    ask: async (calls, [{ days, by }]: [Options]) => costRows(await calls.costs.query(days), by),
    json: (found, [{ days, by }]) => ({
      days,
      by,
      rows: found.map(({ of, ...sums }) => ({ ...of, ...sums })),
      total: costOfAll(found),
    }),
    tell(found, { sentences, ...words }, [{ days, by, csv }]) {
      if (csv) return costFile(found, by)
      return found.length === 0
        ? `No request was answered ${days === 1 ? 'today' : `in the last ${days} days`}.\n`
        : costTable(found, by, words, sentences)
    },
  })
}

function parseDays(text: string): number {
  const days = /^[1-9]\d?$/.test(text) ? Number(text) : NaN
  if (!(days <= mostCostDays))
    throw new CliError('usage', `--days takes a whole number from 1 to ${mostCostDays}, not “${text}”.`)
  return days
}
