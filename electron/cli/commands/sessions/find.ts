import { Option, type Command } from 'commander'
import type { Said } from '../../../../shared/said.ts'
import type { Cli } from '../../cli.ts'
import { engineCommand } from '../../command.ts'
import { CliError } from '../../exit.ts'
import { rows } from '../../output/columns.ts'
import { momentOf } from '../../output/turn-rows.ts'

export function addFind(program: Command, cli: Cli): void {
  engineCommand(program, cli, {
    usage: 'find <words>',
    takes: ['the words as they stand there, in small or large letters'],
    summary: 'where something was said, newest first',
    description:
      'Looks for words in everything that is kept of sessions: followups, messages of yours, goals, markers, what ' +
      'agents claimed, what reviews and checks found, questions and problems.',
    options: [
      ['--session <session>', 'in this one alone: its id, the beginning of it, its name, or a terminal id'],
      new Option('--limit <N>', 'at most this many').argParser(limitOf).default(50),
    ],
    examples: [
      ['onward find "rate limit"', 'in every session'],
      ['onward find migration --session billing', 'in one'],
    ],
    input: (words: string, { session, limit }: { session?: string; limit: number }) => {
      if (words.trim() === '') throw new CliError('usage', 'There are no words to look for.')
      return { words, session: session ?? null, limit }
    },
    ask: (calls, input) => calls.findSaid.query(input),
    tell: (found, { sentences: { figures }, style, columns, now }, { words }) =>
      found.length === 0
        ? `Nothing that is kept says “${words}”.\n`
        : rows<Said>(
            found,
            [
              { text: ({ at }) => momentOf(at, now, figures.time), paint: style.quiet },
              { text: ({ session }) => session?.name ?? '', most: 24, gives: 8 },
              { text: ({ excerpt }) => excerpt, gives: 20 },
            ],
            columns,
          ),
  })
}

function limitOf(text: string): number {
  const limit = /^[1-9]\d{0,2}$/.test(text) ? Number(text) : NaN
  if (!(limit <= 200)) throw new CliError('usage', `--limit takes a whole number from 1 to 200, not “${text}”.`)
  return limit
}
