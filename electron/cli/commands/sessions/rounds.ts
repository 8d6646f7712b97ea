import { Option, type Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { engineCommand } from '../../command.ts'
import { CliError } from '../../exit.ts'
import { roundText } from '../../output/round-facts.ts'
import { whichSession } from './checks-text.ts'

/** as many as the engine keeps */
const most = 40

export function addRounds(program: Command, cli: Cli): void {
  engineCommand(program, cli, {
    usage: 'rounds <session>',
    takes: [whichSession],
    summary: 'what each round did, found and sent',
    description:
      'Rounds of what is or was armed there, newest first: what the agent did until it ' +
      'stopped, what the reviewer found with its evidence, and what was sent.\n\nShapes: ◐ ' +
      'went on, ✓ goal reached, ◆ needs you, ▲ the reviewer failed, ◌ its word came too late',
    options: [new Option('-n, --limit <N>', 'at most this many').argParser(parseLimit).default(5)],
    examples: [
      ['onward rounds billing', 'the newest 5'],
      ['onward rounds billing -n 40', 'all that are kept'],
      ["onward rounds billing --json | jq '.[0].review.evidence'", 'the newest evidence'],
    ],
    ask: async (calls, [session, { limit }]: [string, { limit: number }]) =>
      (await calls.rounds.query(session)).slice(0, limit),
    tell: (rounds, { sentences, now, ...words }) =>
      rounds.length === 0
        ? 'No round yet: it begins when the agent stops. Set one: ' +
          `${words.style.strong(`${cli.command()} stop-message <session> --goal "all tests green"`)}\n`
        : rounds.map((round) => roundText(round, words, sentences, now)).join('\n'),
  })
}

function parseLimit(text: string): number {
  const limit = /^[1-9]\d?$/.test(text) ? Number(text) : NaN
  if (!(limit <= most)) throw new CliError('usage', `--limit takes a whole number from 1 to ${most}, not “${text}”.`)
  return limit
}
