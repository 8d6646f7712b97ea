import { Option, type Command } from 'commander'
import type { RoundView } from '../../../../shared/review.ts'
import { excerpt, shapeGlyphs, type Sentences } from '../../../../shared/sentences/index.ts'
import type { SessionShape } from '../../../../shared/words.ts'
import type { Cli } from '../../cli.ts'
import { engineCommand } from '../../command.ts'
import { CliError } from '../../exit.ts'
import { oneLine } from '../../output/clean.ts'
import { facts } from '../../output/columns.ts'
import { plural, type Words } from '../../output/print.ts'
import { reviewFacts, type Facts } from '../../output/goal-facts.ts'
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

/** enough to know it again; `--json` has the whole */
const textLetters = 240

/** One round: the agent's work, the reviewer's findings, the followup. */
export function roundText(round: RoundView, { style }: Words, sentences: Sentences, now: number): string {
  const shape = shapeOf(round)
  const { figures } = sentences
  const mark = style.shape(shape, shapeGlyphs[shape])
  const at = style.quiet(figures.minuteOfDay(round.at, now))
  return `${mark} ${style.strong(`Round ${round.n}`)}  ${at}\n${facts(
    [
      ...didFacts(round, sentences),
      ...(round.review ? reviewFacts(round.review, sentences) : []),
      ...(round.sent === null ? [] : [['Sent', `“${excerpt(oneLine(round.sent), textLetters)}”`] as const]),
      ...(round.progress === false ? [['Progress', 'none'] as const] : []),
    ],
    style.quiet,
  )}`
}

function didFacts({ did }: RoundView, { figures }: Sentences): Facts {
  const tools = did.tools.map(({ name, count }) => (count === 1 ? name : `${name} ×${count}`))
  return [
    ['Did', did.calls === 0 ? 'no tool call' : `${plural(did.calls, 'tool call')}: ${figures.list(tools)}`],
    ...(did.text === '' ? [] : [['Said', `“${excerpt(oneLine(did.text), textLetters)}”`] as const]),
  ]
}

function shapeOf({ review, sent }: RoundView): SessionShape {
  switch (review?.outcome.code) {
    case 'reached':
    case 'reached-unchecked':
      return 'done'
    case 'needs-user':
    case 'checks-unapproved':
      return 'needs'
    case 'failed':
      return 'failed'
    case 'discarded':
      return 'gone'
    case 'not-reached':
    case 'checks-failed':
    case undefined:
      return sent === null ? 'idle' : 'held'
  }
}
