import { Option, type Command } from 'commander'
import { shortId } from '../../../../shared/short-id.ts'
import type { TurnRecord } from '../../../../shared/state.ts'
import { OnwardError } from '../../../engine/base/errors.ts'
import type { Cli } from '../../cli.ts'
import { engineCommand } from '../../command.ts'
import type { ControlCalls } from '../../client.ts'
import { CliError } from '../../exit.ts'
import { facts } from '../../output/columns.ts'
import { turnFacts } from '../../output/turn-facts.ts'
import { failed, turnRows } from '../../output/turn-rows.ts'

/** as many as the engine returns at once */
const most = 1000

export function addTurns(program: Command, cli: Cli): void {
  const command = engineCommand(program, cli, {
    usage: 'turns [session]',
    takes: ['session id, its beginning, its name, or a terminal id; none: of all'],
    summary: 'what went to which model, newest first; show one',
    description: 'Turns as they were recorded: route, model, tokens, cost, times and how they ended. Newest first.',
    options: [
      new Option('--limit <N>', 'at most this many').argParser(parseLimit).default(20),
      ['--failed', 'only those that failed'],
    ],
    examples: [
      ['onward turns', 'the newest 20'],
      ['onward turns billing --failed', 'what went wrong in one session'],
      ['onward turns show req_…', 'one turn, and why it went where it went'],
      ["onward turns --limit 1000 --json | jq 'map(.costUsd) | add'", 'for programs'],
    ],
    async ask(calls, [wanted, options]: [string | undefined, { limit: number; failed?: boolean }]) {
      const session = wanted === undefined ? null : await calls.session.query(wanted)
      const all = await calls.turns.query(session || options.failed ? most : options.limit)
      const records = all.filter((r) => (!session || r.sessionId === session.id) && (!options.failed || failed(r)))
      return { records: records.slice(0, options.limit), sessions: await calls.sessions.query() }
    },
    json: ({ records }) => records,
    tell({ records, sessions }, { sentences, now, ...words }, [, options]) {
      if (records.length === 0)
        return options.failed ? 'No turn failed, as far as they are recorded.\n' : 'No turn is recorded yet.\n'
      const names = new Map(sessions.map(({ id, name }) => [id, name]))
      return turnRows(records, words, sentences, { sessionName: (id) => names.get(id) ?? shortId(id) }, now)
    },
  })
  addShow(command, cli)
}

function addShow(parent: Command, cli: Cli): void {
  engineCommand(parent, cli, {
    usage: 'show <request>',
    takes: ['its id or the beginning of it, as `onward turns` and the answer’s x-request-id tell it'],
    summary: 'one turn, and why it went where it went',
    description:
      'Everything recorded of one turn: the rules that matched, what was ' +
      'passed over and tried, and where its bodies are when they were kept.',
    examples: [['onward turns show req_…', 'the id stands in `onward turns`']],
    ask: async (calls, [requestId]: [string]) => {
      const [record, sessions] = await Promise.all([oneTurn(calls, requestId), calls.sessions.query()])
      return { record, session: sessions.find(({ id }) => id === record.sessionId) ?? null }
    },
    json: ({ record }) => record,
    tell: ({ record, session }, { sentences, style }) =>
      facts(turnFacts(record, sentences, session?.name ?? null), style.quiet),
  })
}

/** The beginning of an id is looked for among the newest only: older ones are asked for by name. */
async function oneTurn(calls: ControlCalls, wanted: string): Promise<TurnRecord> {
  const alike = (await calls.turns.query(most)).filter(({ requestId }) => requestId.startsWith(wanted))
  if (alike.length > 1 && !alike.some(({ requestId }) => requestId === wanted))
    throw new OnwardError('turn-ambiguous', `${alike.length} turns begin with ${wanted}. Say more of its id.`)
  return calls.turn.query(alike.length === 1 ? (alike[0]?.requestId ?? wanted) : wanted)
}

function parseLimit(text: string): number {
  const limit = /^[1-9]\d{0,3}$/.test(text) ? Number(text) : NaN
  if (!(limit <= most)) throw new CliError('usage', `--limit takes a whole number from 1 to ${most}, not “${text}”.`)
  return limit
}
