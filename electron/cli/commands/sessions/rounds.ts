import { Option, type Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { examples, withCommon } from '../../common.ts'
import { withEngine } from '../../engine.ts'
import { CliError } from '../../exit.ts'
import { printJson, wordsOf } from '../../output/print.ts'
import { roundText } from '../../output/round-facts.ts'
import { placeOf, wantsJson } from '../../place.ts'
import { whichSession } from './checks-text.ts'

/** as many as the engine keeps */
const most = 40

export function addRounds(program: Command, cli: Cli): void {
  const command = program
    .command('rounds')
    .summary('what each round did, found and sent')
    .description(
      'Rounds of what is or was armed there, newest first: what the agent did until it ' +
        'stopped, what the reviewer found with its evidence, and what was sent.\n\nShapes: ◐ ' +
        'went on, ✓ goal reached, ◆ needs you, ▲ the reviewer failed, ◌ its word came too late',
    )
    .argument('<session>', whichSession)
    .addOption(new Option('-n, --limit <N>', 'at most this many').argParser(parseLimit).default(5))
  examples(withCommon(command), [
    ['onward rounds billing', 'the newest 5'],
    ['onward rounds billing -n 40', 'all that are kept'],
    ["onward rounds billing --json | jq '.[0].review.evidence'", 'the newest evidence'],
  ])
  command.action(async (session: string) => {
    const { limit } = command.opts<{ limit: number }>()
    const { rounds, sentences } = await withEngine(placeOf(command, cli), async (calls) => {
      const [all, status] = await Promise.all([calls.rounds.query(session), calls.status.query()])
      return { rounds: all.slice(0, limit), sentences: await cli.parts.sentencesOf(status.language) }
    })
    if (wantsJson(command)) return printJson(cli, rounds)
    const words = wordsOf(cli)
    if (rounds.length === 0)
      return cli.out(
        'No round yet: it begins when the agent stops. Set one: ' +
          `${words.style.strong(`${cli.command()} stop-message <session> --goal "all tests green"`)}\n`,
      )
    cli.out(rounds.map((round) => roundText(round, words, sentences, cli.now())).join('\n'))
  })
}

function parseLimit(text: string): number {
  const limit = /^[1-9]\d?$/.test(text) ? Number(text) : NaN
  if (!(limit <= most)) throw new CliError('usage', `--limit takes a whole number from 1 to ${most}, not “${text}”.`)
  return limit
}
