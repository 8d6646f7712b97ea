import { Option, type Command } from 'commander'
import type { SessionView } from '../../../shared/state.ts'
import type { Cli } from '../cli.ts'
import type { ControlCalls } from '../client.ts'
import { examples, withCommon } from '../common.ts'
import { withEngine } from '../engine.ts'
import { CliError } from '../exit.ts'
import { oneLine } from '../output/clean.ts'
import { facts } from '../output/columns.ts'
import { printJson, wordsOf } from '../output/print.ts'
import { progressOf, sessionRows } from '../output/session-rows.ts'
import { placeOf, wantsJson } from '../place.ts'

interface Options { /** Infinity: unlimited; commander takes null for absent */ rounds?: number; review?: boolean; clear?: boolean; pause?: boolean; resume?: boolean; add?: number; rearm?: boolean }

/** One run of the command does one thing. */
type Wish =
  | { do: 'show' } | { do: 'clear' } | { do: 'pause' } | { do: 'resume' } | { do: 'rearm' }
  | { do: 'add'; rounds: number }
  | { do: 'set'; text: string | undefined; rounds: number | null | undefined; review: boolean | undefined }

export function addStopMessage(program: Command, cli: Cli): void {
  const command = program.command('stop-message').summary('keep a session going: set, show, clear')
    .description('What is typed when the session’s turn ends, and how often. Without text and options: shows it.')
    .argument('<session>', 'session id, its beginning, its name, or a terminal id')
    .argument('[text]', 'the message, or the goal with --review')
    .addOption(new Option('--rounds <N>', 'how often: a number, or `unlimited`').argParser(parseRounds))
    .option('--review', 'a reviewer looks at each round and writes the next message')
    .option('--no-review', 'the text itself is typed')
    .option('--clear', 'stop; the text is kept for --rearm')
    .option('--pause', 'hold this session’s followups')
    .option('--resume', 'go on')
    .addOption(new Option('--add <N>', 'this many rounds more').argParser(parseCount))
    .option('--rearm', 'set again what was last cleared or failed')
  examples(withCommon(command), [
    ['onward stop-message billing "go on" --rounds 10', 'ten times'],
    ['onward stop-message billing "all tests green" --review', 'until the goal is reached'],
    ['onward stop-message billing --add 10', 'ten rounds more'],
    ['onward stop-message billing --clear', 'stop'],
  ])
  command.action(async (session: string, text: string | undefined) => {
    const wish = wishOf(text, command.opts<Options>())
    const [view, status] = await withEngine(placeOf(command, cli), async (calls) => [await carryOut(calls, session, wish), await calls.status.query()] as const)
    if (wantsJson(command)) return printJson(cli, view)
    const words = wordsOf(cli)
    cli.out(sessionRows([view], words, await cli.parts.sentencesOf(status.language), cli.now()))
    cli.out(facts(stopMessageFacts(view), words.style.quiet))
  })
}

function wishOf(text: string | undefined, options: Options): Wish {
  const single: Wish[] = []
  if (options.clear) single.push({ do: 'clear' })
  if (options.pause) single.push({ do: 'pause' })
  if (options.resume) single.push({ do: 'resume' })
  if (options.rearm) single.push({ do: 'rearm' })
  if (options.add !== undefined) single.push({ do: 'add', rounds: options.add })
  const sets = text !== undefined || options.rounds !== undefined || options.review !== undefined
  if (single.length > 1 || (single.length === 1 && sets)) throw new CliError('usage', 'One thing at a time: a text with --rounds and --review, or one of --clear, --pause, --resume, --rearm, --add.')
  return single[0] ?? (sets ? { do: 'set', text, rounds: options.rounds === Infinity ? null : options.rounds, review: options.review } : { do: 'show' })
}

async function carryOut(calls: ControlCalls, session: string, wish: Wish): Promise<SessionView> {
  switch (wish.do) {
    case 'show': return calls.session.query(session)
    case 'clear': return calls.clearStopMessage.mutate(session)
    case 'rearm': return calls.rearmStopMessage.mutate(session)
    case 'add': return calls.addRounds.mutate({ session, rounds: wish.rounds })
    case 'set': return calls.setStopMessage.mutate({ session, text: wish.text, rounds: wish.rounds, review: wish.review })
    case 'pause': await calls.pause.mutate(session); return calls.session.query(session)
    case 'resume': await calls.resume.mutate(session); return calls.session.query(session)
  }
}

function stopMessageFacts({ stopMessage, lastStopMessage }: SessionView): [string, string][] {
  if (stopMessage) return [[stopMessage.review ? 'Goal' : 'Text', oneLine(stopMessage.text)], ['Rounds', progressOf(stopMessage)], ['Review', stopMessage.review ? 'on' : 'off']]
  if (lastStopMessage) return [['Cleared', oneLine(lastStopMessage.text)], ['Again', 'onward stop-message … --rearm']]
  return [['Not set', 'onward stop-message … "go on" --rounds 10']]
}

function parseCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new CliError('usage', `A number of rounds is a whole number from 1, not “${text}”.`)
  return Number(text)
}
const parseRounds = (text: string): number => (/^(unlimited|∞)$/i.test(text) ? Infinity : parseCount(text))
