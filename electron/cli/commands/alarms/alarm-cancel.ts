import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { engineCommand } from '../../command.ts'
import { shortId } from '../../output/alarm-rows.ts'
import { oneLine } from '../../output/clean.ts'
import { alarmCommand, whichAlarm } from './alarm-set.ts'
import { alarmText, tellingOf } from './alarm-when.ts'

export function addCancel(parent: Command, cli: Cli): void {
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

export function addSkip(parent: Command, cli: Cli): void {
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

export function addRestore(parent: Command, cli: Cli): void {
  alarmCommand(parent, cli, {
    usage: 'restore <alarm>',
    takes: ['its id, or the beginning of it as `onward alarm cancel` told it'],
    summary: 'take a cancel or a skip back',
    description: 'Sets a cancelled alarm again, for the time it had; or has the time back that was skipped last.',
    examples: [['onward alarm restore 3f2a91bc', 'it rings after all']],
    ask: (calls, [alarm]: [string]) => calls.restoreAlarm.mutate(alarm),
  })
}
