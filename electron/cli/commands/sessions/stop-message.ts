import { Option, type Command } from 'commander'
import { joinCommand } from '../../../../shared/commands/join-command.ts'
import type { SessionView } from '../../../../shared/state.ts'
import type { Cli } from '../../cli.ts'
import { engineCommand } from '../../command.ts'
import type { ControlCalls } from '../../client.ts'
import { CliError } from '../../exit.ts'
import { facts } from '../../output/columns.ts'
import { stopMessageFacts } from '../../output/goal-facts.ts'
import { sessionRows } from '../../output/session-rows.ts'
import { whichSession } from './checks-text.ts'

interface Options {
  /** Infinity: unbounded; commander takes null for absent */ rounds?: number
  goal?: string
  review?: boolean
  edit?: boolean
  clear?: boolean
  pause?: boolean
  resume?: boolean
  add?: number
  rearm?: boolean
  carryOn?: boolean
  now?: boolean
}
interface Setting {
  text: string | undefined
  rounds: number | null | undefined
  review: boolean | undefined
  /** absent: when the next turn ends */
  now?: true
}

/** One run of the command does one thing. */
type StopMessageRequest =
  | { do: 'show' }
  | { do: 'clear' }
  | { do: 'pause' }
  | { do: 'resume' }
  | { do: 'rearm' }
  | { do: 'carry-on' }
  | { do: 'start' }
  | { do: 'add'; rounds: number }
  | { do: 'set' | 'edit'; to: Setting }

export function addStopMessage(program: Command, cli: Cli): void {
  engineCommand(program, cli, {
    usage: 'stop-message <session> [text]',
    takes: [whichSession, 'the message, or the goal with --review; +10: so many rounds more'],
    summary: 'keep a session going: set, show, clear',
    description:
      'What is typed when the session’s turn ends, and how often; with a goal a reviewer ' +
      'looks each time and writes the next message. Without text and options: shows it, ' +
      'with what is left of its guards and what the reviewer found.',
    options: [
      ['--goal <text>', 'the text, with --review'],
      new Option('--rounds <N>', 'how often: a number, or `unbounded`').argParser(parseRounds),
      ['--review', 'a reviewer looks at each round and writes the next message'],
      ['--no-review', 'the text itself is typed'],
      ['--edit', 'change text, rounds or review while it runs; rounds used stay'],
      ['--clear', 'stop; the text is kept for --rearm'],
      ['--pause', 'hold this session’s followups'],
      ['--resume', 'go on; its guards count from here. Where it waits for work in the background: at once'],
      new Option('--add <N>', 'this many rounds more').argParser(parseCount),
      ['--rearm', 'set again what was last cleared or failed'],
      ['--carry-on', 'a goal of the conversation before /clear or /new goes on in this one, at once'],
      ['--now', 'the agent is idle: type the first message now; alone: of what is set'],
    ],
    examples: [
      ['onward stop-message billing "go on" --rounds 10', 'ten times, each time its turn has ended'],
      ['onward stop-message billing "go on" --now', 'the first at once: it is idle'],
      ['onward stop-message billing --goal "all tests green"', 'until the goal is reached'],
      ['onward stop-message billing --edit --rounds 40', 'until round 40, those that are done counted'],
      ['onward stop-message billing +10', 'ten rounds more'],
      ['onward stop-message billing', 'how it stands'],
      ['onward stop-message billing --carry-on', 'after /clear: go on in the new conversation'],
      ['onward stop-message billing --clear', 'stop'],
    ],
    input: (session: string, text: string | undefined, options: Options) => ({
      session,
      request: requestOf(text, options),
    }),
    ask: (calls, { session, request }) => carryOut(calls, session, request),
    tell: (view, { status, sentences, now, ...words }, { session }) =>
      sessionRows([view], words, sentences, now) +
      facts(
        [...leftFacts(view, session), ...startFacts(view, session), ...stopMessageFacts(view, status, sentences, now)],
        words.style.quiet,
      ),
  })
}

/** The goal is set, and the agent has no turn to end: what the goal waits for, and how to start it at once. */
const startFacts = ({ say, stopMessage }: SessionView, session: string): readonly (readonly [string, string])[] =>
  say.code === 'background-work'
    ? [['Go on now', `onward stop-message ${joinCommand([session])} --resume`]]
    : say.code === 'armed' || (say.code === 'turn-failed' && stopMessage?.status.kind === 'armed')
      ? [['Goes on', `when the next turn ends; at once: onward stop-message ${joinCommand([session])} --now`]]
      : []

/** It was set in another conversation of the terminal: what may be answered. */
function leftFacts({ leftGoal }: SessionView, session: string): readonly (readonly [string, string])[] {
  if (!leftGoal) return []
  const command = `onward stop-message ${joinCommand([session])}`
  const { text, used, max } = leftGoal
  return [
    ['Set before', `${text} (${used}/${max ?? '∞'})`],
    ['Carry on here', `${command} --carry-on`],
    ['End it', `${command} --clear`],
  ]
}

function requestOf(text: string | undefined, options: Options): StopMessageRequest {
  const more = text !== undefined && /^\+\d+$/.test(text) ? parseCount(text.slice(1)) : undefined
  const single: StopMessageRequest[] = []
  if (options.clear) single.push({ do: 'clear' })
  if (options.pause) single.push({ do: 'pause' })
  if (options.resume) single.push({ do: 'resume' })
  if (options.rearm) single.push({ do: 'rearm' })
  if (options.carryOn) single.push({ do: 'carry-on' })
  if (options.add !== undefined) single.push({ do: 'add', rounds: options.add })
  if (more !== undefined) single.push({ do: 'add', rounds: more })
  const to = settingOf(more === undefined ? text : undefined, options)
  if (
    single.length > 1 ||
    (single.length === 1 && (to || options.edit || options.now)) ||
    (options.edit && options.now)
  )
    throw new CliError(
      'usage',
      'One thing at a time: a text with --rounds, --review and --edit or --now, ' +
        'or one of --clear, --pause, --resume, --rearm, --carry-on, --add, --now.',
    )
  if (options.edit && !to) throw new CliError('usage', 'What is to change? Give a text, --rounds, or --review.')
  if (single[0]) return single[0]
  if (to) return options.edit ? { do: 'edit', to } : { do: 'set', to: { ...to, ...(options.now ? { now: true } : {}) } }
  return { do: options.now ? 'start' : 'show' }
}

/** null: nothing has to be set */
function settingOf(text: string | undefined, { goal, rounds, review, edit }: Options): Setting | null {
  if (text !== undefined && goal !== undefined) throw new CliError('usage', 'A text or --goal, not both.')
  if (text === undefined && goal === undefined && rounds === undefined && review === undefined) return null
  // a goal is for a reviewer; in an edit, an omitted option stays as it is
  return {
    text: text ?? goal,
    rounds: rounds === Infinity ? null : rounds,
    review: review ?? (goal !== undefined && !edit ? true : undefined),
  }
}

async function carryOut(calls: ControlCalls, session: string, request: StopMessageRequest): Promise<SessionView> {
  switch (request.do) {
    case 'show':
      return calls.session.query(session)
    case 'clear':
      return calls.clearStopMessage.mutate(session)
    case 'rearm':
      return calls.rearmStopMessage.mutate(session)
    case 'carry-on':
      return calls.carryOnStopMessage.mutate(session)
    case 'start':
      return calls.startStopMessage.mutate(session)
    case 'add':
      return calls.addRounds.mutate({ session, rounds: request.rounds })
    case 'set':
      return calls.setStopMessage.mutate({ session, ...request.to })
    case 'edit':
      return calls.editStopMessage.mutate({ session, ...request.to })
    case 'pause':
      await calls.pause.mutate(session)
      return calls.session.query(session)
    case 'resume':
      await calls.resume.mutate(session)
      return calls.session.query(session)
  }
}

function parseCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new CliError('usage', `A number of rounds is a whole number from 1, not “${text}”.`)
  return Number(text)
}
export const parseRounds = (text: string): number =>
  /^(unbounded|unlimited|∞)$/i.test(text) ? Infinity : parseCount(text)
