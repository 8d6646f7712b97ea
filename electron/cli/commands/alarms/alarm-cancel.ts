import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { examples, withCommon } from '../../common.ts'
import { withEngine } from '../../engine.ts'
import { shortId } from '../../output/alarm-rows.ts'
import { oneLine } from '../../output/clean.ts'
import { printJson, wordsOf } from '../../output/print.ts'
import { placeOf, wantsJson } from '../../place.ts'
import { tellOf, whichAlarm } from './alarm-set.ts'
import { alarmText, tellingOf } from './alarm-when.ts'

export function addCancel(parent: Command, cli: Cli): void {
  const command = parent
    .command('cancel')
    .summary('take one away; `restore` brings it back')
    .description(
      'Cancels an alarm; of one that repeats, all that is to come. ' +
        'One that is being delivered can’t be cancelled any more.',
    )
    .argument('<alarm>', whichAlarm)
  examples(withCommon(command), [
    ['onward alarm cancel 3f2a91bc', 'it does not ring'],
    ['onward alarm restore 3f2a91bc', 'it does after all'],
  ])
  command.action(async (wanted: string) => {
    const known = await withEngine(placeOf(command, cli), async (calls) => {
      // Queried before the cancel: the alarm's words are not available afterwards.
      const { alarms } = await calls.alarms.query()
      await calls.cancelAlarm.mutate(wanted)
      return alarms.find(({ taskId }) => taskId.startsWith(wanted)) ?? null
    })
    if (wantsJson(command)) return printJson(cli, { cancelled: known?.taskId ?? wanted })
    const { style } = wordsOf(cli)
    const what = known ? `${style.strong(oneLine(known.task))} in ${oneLine(known.sessionName)}` : oneLine(wanted)
    cli.out(
      `${style.shape('done', '✓')} Cancelled: ${what}. Take it back: ` +
        `${style.strong(`onward alarm restore ${known ? shortId(known.taskId) : oneLine(wanted)}`)}\n`,
    )
  })
}

export function addSkip(parent: Command, cli: Cli): void {
  const command = parent
    .command('skip')
    .summary('leave out the next time of one that repeats')
    .description('The next time of a repeated alarm does not come; those after it do.')
    .argument('<alarm>', whichAlarm)
  examples(withCommon(command), [
    ['onward alarm skip 3f2a91bc', 'not this time'],
    ['onward alarm restore 3f2a91bc', 'this time after all'],
  ])
  command.action(async (wanted: string) => {
    const { next, telling } = await withEngine(placeOf(command, cli), async (calls) => ({
      next: await calls.skipAlarm.mutate(wanted),
      telling: await tellingOf(calls, cli),
    }))
    if (wantsJson(command)) return printJson(cli, next)
    const { style } = wordsOf(cli)
    cli.out(
      next
        ? alarmText(next, telling, cli)
        : `${style.shape('done', '✓')} That was the last: it does not ring again. Take ` +
            `it back: ${style.strong(`onward alarm restore ${oneLine(wanted)}`)}\n`,
    )
  })
}

export function addRestore(parent: Command, cli: Cli): void {
  const command = parent
    .command('restore')
    .summary('take a cancel or a skip back')
    .description('Sets a cancelled alarm again, for the time it had; or has the time back that was skipped last.')
    .argument('<alarm>', 'its id, or the beginning of it as `onward alarm cancel` told it')
  examples(withCommon(command), [['onward alarm restore 3f2a91bc', 'it rings after all']])
  command.action((alarm: string) => tellOf(command, cli, (calls) => calls.restoreAlarm.mutate(alarm)))
}
