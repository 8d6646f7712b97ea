import type { Command } from 'commander'
import type { AlarmsView, AlarmView } from '../../../../shared/alarms/alarms.ts'
import { figuresOf } from '../../../../shared/sentences/index.ts'
import type { Cli } from '../../cli.ts'
import { engineCommand, type EngineCommand } from '../../command.ts'
import { alarmRows, shortId } from '../../output/alarm-rows.ts'
import { oneLine } from '../../output/clean.ts'
import { addAdd, addEdit, addSnooze, alarmCommand, whichAlarm } from './alarm-set.ts'
import { addMissed } from './alarm-missed.ts'
import { alarmText, tellingOf } from './alarm-when.ts'

export function addAlarm(program: Command, cli: Cli): void {
  const command = engineCommand(program, cli, {
    usage: 'alarm',
    summary: 'tell an agent something at a set time',
    description:
      'Alarms: a message for one session at a set time. It is typed when the agent ' +
      'is idle, or goes along with its next request. Without a word: the list.',
    examples: [
      ['onward alarm add billing "in 20 min" "check CI"', 'a time as you say it'],
      ['onward alarm list', 'all of them, the next first'],
      ['onward alarm snooze 3f2a91bc --for 30m', 'by the beginning of its id'],
      ['onward alarm missed', 'what could not be delivered'],
    ],
    input: () => undefined,
    ...listing,
  })
  addAdd(command, cli)
  engineCommand(command, cli, {
    usage: 'list [session]',
    takes: ['session id, its beginning, its name, or a terminal id; none: of all'],
    summary: 'alarms, the next due first',
    description:
      'Alarms with what is left until they ring, in the engine’s time zone; delivered ones ' +
      'among them until their time is over.\n\nShapes: ○ waits, ◐ on its way, ✓ delivered',
    examples: [
      ['onward alarm list', 'of all sessions'],
      ['onward alarm list billing', 'of one'],
      ["onward alarm list --json | jq '.[0].dueAt'", 'when the next one rings, epoch milliseconds'],
    ],
    input: (session: string | undefined) => session,
    ...listing,
  })
  addEdit(command, cli)
  addSnooze(command, cli)
  addCancel(command, cli)
  addSkip(command, cli)
  addRestore(command, cli)
  addMissed(command, cli)
}

interface Listed {
  view: AlarmsView
  alarms: readonly AlarmView[]
}

const listing: Pick<EngineCommand<Listed, string | undefined>, 'ask' | 'json' | 'tell'> = {
  async ask(calls, session) {
    const view = await calls.alarms.query()
    return { view, alarms: session === undefined ? view.alarms : await calls.alarmsOf.query(session) }
  },
  json: ({ alarms }) => alarms,
  tell({ view, alarms }, { sentences, status, now, ...words }, session) {
    const { style } = words
    const figures = figuresOf(status.language, view.zone)
    const list =
      alarms.length === 0
        ? `No alarm is set. Set one: ${style.strong('onward alarm add <session> "in 20 min" "check CI"')}\n`
        : alarmRows(alarms, words, { figures, sentences, zone: view.zone }, now)
    const notShown =
      session === undefined ? view.waiting - alarms.filter(({ state }) => state.kind !== 'delivered').length : 0
    const more = notShown > 0 ? style.quiet(`${notShown} more wait; they are listed once these have rung.\n`) : ''
    const seeThem = style.strong('onward alarm missed')
    const missed = `${style.shape('failed', '▲')} ${view.missedTotal} missed. See them: ${seeThem}\n`
    return `${list}${more}${view.missedTotal > 0 ? missed : ''}`
  },
}

function addCancel(parent: Command, cli: Cli): void {
  engineCommand(parent, cli, {
    usage: 'cancel <alarm>',
    takes: [whichAlarm],
    summary: 'take one away; `restore` brings it back',
    description:
      'Cancels an alarm; of one that repeats, all that is to come. ' +
      'One that is being delivered can’t be cancelled any more.',
    examples: [
      ['onward alarm cancel 3f2a91bc', 'it does not ring'],
      ['onward alarm restore 3f2a91bc', 'it does after all'],
    ],
    async ask(calls, [wanted]: [string]) {
      // Queried before the cancel: the alarm's words are not available afterwards.
      const { alarms } = await calls.alarms.query()
      await calls.cancelAlarm.mutate(wanted)
      return alarms.find(({ taskId }) => taskId.startsWith(wanted)) ?? null
    },
    json: (known, [wanted]) => ({ cancelled: known?.taskId ?? wanted }),
    say: (known, { style }, [wanted]) =>
      `${style.shape('done', '✓')} Cancelled: ` +
      `${known ? `${style.strong(oneLine(known.task))} in ${oneLine(known.sessionName)}` : oneLine(wanted)}. ` +
      `Take it back: ${style.strong(`onward alarm restore ${known ? shortId(known.taskId) : oneLine(wanted)}`)}\n`,
  })
}

function addSkip(parent: Command, cli: Cli): void {
  engineCommand(parent, cli, {
    usage: 'skip <alarm>',
    takes: [whichAlarm],
    summary: 'leave out the next time of one that repeats',
    description: 'The next time of a repeated alarm does not come; those after it do.',
    examples: [
      ['onward alarm skip 3f2a91bc', 'not this time'],
      ['onward alarm restore 3f2a91bc', 'this time after all'],
    ],
    ask: async (calls, [wanted]: [string]) => ({
      next: await calls.skipAlarm.mutate(wanted),
      telling: await tellingOf(calls, cli),
    }),
    json: ({ next }) => next,
    say: ({ next, telling }, { style }, [wanted]) =>
      next
        ? alarmText(next, telling, cli)
        : `${style.shape('done', '✓')} That was the last: it does not ring again. Take ` +
          `it back: ${style.strong(`onward alarm restore ${oneLine(wanted)}`)}\n`,
  })
}

function addRestore(parent: Command, cli: Cli): void {
  alarmCommand(parent, cli, {
    usage: 'restore <alarm>',
    takes: ['its id, or the beginning of it as `onward alarm cancel` told it'],
    summary: 'take a cancel or a skip back',
    description: 'Sets a cancelled alarm again, for the time it had; or has the time back that was skipped last.',
    examples: [['onward alarm restore 3f2a91bc', 'it rings after all']],
    ask: (calls, [alarm]: [string]) => calls.restoreAlarm.mutate(alarm),
  })
}
