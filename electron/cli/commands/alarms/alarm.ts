import type { Command } from 'commander'
import { figuresOf } from '../../../../shared/sentences/index.ts'
import type { Cli } from '../../cli.ts'
import { examples, withCommon } from '../../common.ts'
import { withEngine } from '../../engine.ts'
import { alarmRows } from '../../output/alarm-rows.ts'
import { printJson, wordsOf } from '../../output/print.ts'
import { placeOf, wantsJson } from '../../place.ts'
import { addAdd, addEdit, addSnooze } from './alarm-set.ts'
import { addCancel, addRestore, addSkip } from './alarm-cancel.ts'
import { addMissed } from './alarm-missed.ts'

export function addAlarm(program: Command, cli: Cli): void {
  const command = program
    .command('alarm')
    .summary('tell an agent something at a set time')
    .description(
      'Alarms: a message for one session at a set time. It is typed when the agent ' +
        'is idle, or goes along with its next request. Without a word: the list.',
    )
  examples(withCommon(command), [
    ['onward alarm add billing "in 20 min" "check CI"', 'a time as you say it'],
    ['onward alarm list', 'all of them, the next first'],
    ['onward alarm snooze 3f2a91bc --for 30m', 'by the beginning of its id'],
    ['onward alarm missed', 'what could not be delivered'],
  ])
  command.action(() => list(command, cli, undefined))
  addAdd(command, cli)
  addList(command, cli)
  addEdit(command, cli)
  addSnooze(command, cli)
  addCancel(command, cli)
  addSkip(command, cli)
  addRestore(command, cli)
  addMissed(command, cli)
}

function addList(parent: Command, cli: Cli): void {
  const command = parent
    .command('list')
    .summary('alarms, the next due first')
    .description(
      'Alarms with what is left until they ring, in the engine’s time zone; delivered ones ' +
        'among them until their time is over.\n\nShapes: ○ waits, ◐ on its way, ✓ delivered',
    )
    .argument('[session]', 'session id, its beginning, its name, or a terminal id; none: of all')
  examples(withCommon(command), [
    ['onward alarm list', 'of all sessions'],
    ['onward alarm list billing', 'of one'],
    ["onward alarm list --json | jq '.[0].dueAt'", 'when the next one rings, epoch milliseconds'],
  ])
  command.action((session: string | undefined) => list(command, cli, session))
}

async function list(command: Command, cli: Cli, session: string | undefined): Promise<void> {
  const { view, alarms, status } = await withEngine(placeOf(command, cli), async (calls) => {
    const [all, engine] = await Promise.all([calls.alarms.query(), calls.status.query()])
    return {
      view: all,
      alarms: session === undefined ? all.alarms : await calls.alarmsOf.query(session),
      status: engine,
    }
  })
  if (wantsJson(command)) return printJson(cli, alarms)
  const words = wordsOf(cli)
  const { style } = words
  cli.out(
    alarms.length === 0
      ? `No alarm is set. Set one: ${style.strong('onward alarm add <session> "in 20 min" "check CI"')}\n`
      : alarmRows(
          alarms,
          words,
          {
            figures: figuresOf(status.language, view.zone),
            sentences: await cli.parts.sentencesOf(status.language),
            zone: view.zone,
          },
          cli.now(),
        ),
  )
  const notShown =
    session === undefined ? view.waiting - alarms.filter(({ state }) => state.kind !== 'delivered').length : 0
  if (notShown > 0) cli.out(style.quiet(`${notShown} more wait; they are listed once these have rung.\n`))
  if (view.missedTotal > 0)
    cli.out(
      `${style.shape('failed', '▲')} ${view.missedTotal} missed. See them: ${style.strong('onward alarm missed')}\n`,
    )
}
