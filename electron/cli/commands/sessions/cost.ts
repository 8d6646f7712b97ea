import { Option, type Command } from 'commander'
import { costOfAll, mostCostDays } from '../../../../shared/cost/cost-view.ts'
import type { Cli } from '../../cli.ts'
import { examples, withCommon } from '../../common.ts'
import { withEngine } from '../../engine.ts'
import { CliError } from '../../exit.ts'
import { costFile, costRows, costTable, costWays, type CostWay } from '../../output/cost-rows.ts'
import { printJson, wordsOf } from '../../output/print.ts'
import { placeOf, wantsJson } from '../../place.ts'

interface Options {
  days: number
  by: CostWay
  csv?: boolean
}

export function addCost(program: Command, cli: Cli): void {
  const command = program
    .command('cost')
    .summary('what requests cost: today, or some days')
    .description(
      'What requests used and cost, with list prices or your own: today, or today and days ' +
        'before it. “≥” says that a part has no known price; a subscription’s part is in no sum.',
    )
    .addOption(
      new Option('--days <N>', `today and the days before it, ${mostCostDays} at most`).argParser(parseDays).default(1),
    )
    .addOption(new Option('--by <what>', 'one line for each').choices(costWays).default('model'))
    .addOption(new Option('--csv', 'print a file for a spreadsheet').conflicts('json'))
  examples(withCommon(command), [
    ['onward cost', 'today, by model'],
    ['onward cost --days 7 --by session', 'which session was dear this week'],
    ['onward cost --days 30 --by day --csv > cost.csv', 'for a spreadsheet'],
    ['onward cost --days 30 --json | jq .total.costUsd', 'for programs'],
  ])
  command.action(async () => {
    const { days, by, csv } = command.opts<Options>()
    const [view, status] = await withEngine(placeOf(command, cli), (calls) =>
      Promise.all([calls.costs.query(days), calls.status.query()]),
    )
    const found = costRows(view, by)
    if (wantsJson(command))
      return printJson(cli, {
        days,
        by,
        rows: found.map(({ of, ...sums }) => ({ ...of, ...sums })),
        total: costOfAll(found),
      })
    if (csv) return cli.out(costFile(found, by))
    if (view.cells.length === 0)
      return cli.out(`No request was answered ${days === 1 ? 'today' : `in the last ${days} days`}.\n`)
    cli.out(costTable(found, by, wordsOf(cli), await cli.parts.sentencesOf(status.language)))
  })
}

function parseDays(text: string): number {
  const days = /^[1-9]\d?$/.test(text) ? Number(text) : NaN
  if (!(days <= mostCostDays))
    throw new CliError('usage', `--days takes a whole number from 1 to ${mostCostDays}, not “${text}”.`)
  return days
}
