import { Option, type Command } from 'commander'
import { shortId } from '../../../../shared/short-id.ts'
import type { TurnRecord } from '../../../../shared/state.ts'
import { OnwardError } from '../../../engine/base/errors.ts'
import type { Cli } from '../../cli.ts'
import type { ControlCalls } from '../../client.ts'
import { examples, withCommon } from '../../common.ts'
import { withEngine } from '../../engine.ts'
import { CliError } from '../../exit.ts'
import { facts } from '../../output/columns.ts'
import { printJson, wordsOf } from '../../output/print.ts'
import { turnFacts } from '../../output/turn-facts.ts'
import { failed, turnRows } from '../../output/turn-rows.ts'
import { placeOf, wantsJson } from '../../place.ts'

/** as many as the engine returns at once */
const most = 1000

export function addTurns(program: Command, cli: Cli): void {
  const command = program
    .command('turns')
    .summary('what went to which model, newest first; show one')
    .description('Turns as they were recorded: route, model, tokens, cost, times and how they ended. Newest first.')
    .argument('[session]', 'session id, its beginning, its name, or a terminal id; none: of all')
    .addOption(new Option('--limit <N>', 'at most this many').argParser(parseLimit).default(20))
    .option('--failed', 'only those that failed')
  examples(withCommon(command), [
    ['onward turns', 'the newest 20'],
    ['onward turns billing --failed', 'what went wrong in one session'],
    ['onward turns show req_…', 'one turn, and why it went where it went'],
    ["onward turns --limit 1000 --json | jq 'map(.costUsd) | add'", 'for programs'],
  ])
  command.action(async (wanted: string | undefined) => {
    const { limit, failed: onlyFailed } = command.opts<{ limit: number; failed?: boolean }>()
    const { records, sessions, status } = await withEngine(placeOf(command, cli), async (calls) => {
      const session = wanted === undefined ? null : await calls.session.query(wanted)
      const all = await calls.turns.query(session || onlyFailed ? most : limit)
      const [known, engine] = await Promise.all([calls.sessions.query(), calls.status.query()])
      return {
        records: all
          .filter((r) => (!session || r.sessionId === session.id) && (!onlyFailed || failed(r)))
          .slice(0, limit),
        sessions: known,
        status: engine,
      }
    })
    if (wantsJson(command)) return printJson(cli, records)
    if (records.length === 0)
      return cli.out(onlyFailed ? 'No turn failed, as far as they are recorded.\n' : 'No turn is recorded yet.\n')
    const names = new Map(sessions.map(({ id, name }) => [id, name]))
    cli.out(
      turnRows(
        records,
        wordsOf(cli),
        await cli.parts.sentencesOf(status.language),
        { sessionName: (id) => names.get(id) ?? shortId(id) },
        cli.now(),
      ),
    )
  })
  addShow(command, cli)
}

function addShow(parent: Command, cli: Cli): void {
  const command = parent
    .command('show')
    .summary('one turn, and why it went where it went')
    .description(
      'Everything recorded of one turn: the rules that matched, what was ' +
        'passed over and tried, and where its bodies are when they were kept.',
    )
    .argument('<request>', 'its id or the beginning of it, as `onward turns` and the answer’s x-request-id tell it')
  examples(withCommon(command), [['onward turns show req_…', 'the id stands in `onward turns`']])
  command.action(async (requestId: string) => {
    const { record, session, status } = await withEngine(placeOf(command, cli), async (calls) => {
      const [found, sessions, engine] = await Promise.all([
        oneTurn(calls, requestId),
        calls.sessions.query(),
        calls.status.query(),
      ])
      return { record: found, session: sessions.find(({ id }) => id === found.sessionId) ?? null, status: engine }
    })
    if (wantsJson(command)) return printJson(cli, record)
    cli.out(
      facts(
        turnFacts(record, await cli.parts.sentencesOf(status.language), session?.name ?? null),
        wordsOf(cli).style.quiet,
      ),
    )
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
