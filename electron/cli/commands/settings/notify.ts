import type { Command } from 'commander'
import type { OutsideTest, OutsideView } from '../../../../shared/notifications.ts'
import type { Cli } from '../../cli.ts'
import { examples, withCommon } from '../../common.ts'
import { withEngine } from '../../engine.ts'
import { addQuiet, quietLine } from './notify-quiet.ts'
import { exitCodes } from '../../exit.ts'
import { oneLine } from '../../output/clean.ts'
import { rows, type Column } from '../../output/columns.ts'
import { printJson, wordsOf } from '../../output/print.ts'
import { placeOf, wantsJson } from '../../place.ts'

export function addNotify(program: Command, cli: Cli): void {
  const command = program
    .command('notify')
    .summary('where notifications are sent besides this machine; try one')
    .description(
      'Places that notifications are sent to besides this machine, and how the last one to each went. ' +
        'They are added in the settings of the dashboard, or in the config under `notifications.outside`.',
    )
  examples(withCommon(command), [
    ['onward notify', 'the list'],
    ['onward notify test', 'a real message to each that is on'],
    ['onward notify test phone', 'to one'],
    ['onward notify quiet 22:00 07:30', 'quiet hours'],
  ])
  command.action(async () => {
    const status = await withEngine(placeOf(command, cli), (calls) => calls.status.query())
    const { outside = [], language, quietHours } = status
    if (wantsJson(command)) return printJson(cli, outside)
    if (quietHours?.on) cli.out(quietLine(quietHours))
    if (outside.length === 0) return cli.out(nowhere)
    const { style, columns } = wordsOf(cli)
    const sentences = await cli.parts.sentencesOf(language)
    const layout: readonly Column<OutsideView>[] = [
      { text: shapeOf, paint: (shape, place) => style.shape(toneOf(place), shape), tight: true },
      { text: ({ name }) => name, paint: (name) => style.strong(name) },
      { text: ({ kind }) => kind },
      { text: ({ host }) => host ?? '', gives: 12 },
      { text: ({ on, state }) => (on ? sentences.outside.state(state) : 'off'), gives: 20 },
    ]
    cli.out(rows(outside, layout, columns))
  })
  addTest(command, cli)
  addQuiet(command, cli)
}

const nowhere = 'Notifications are shown on this machine only. Places are added in the settings of the dashboard.\n'

function addTest(parent: Command, cli: Cli): void {
  const command = parent
    .command('test')
    .summary('a real message to one, or to each that is on')
    .description('Sends a message that says it is a test, once. The status is 1 when one was not taken.')
    .argument('[place]', 'its name, as `onward notify` lists it; left out: all that are on')
  examples(withCommon(command), [
    ['onward notify test', 'all that are on'],
    ['onward notify test phone', 'one'],
  ])
  command.action(async (place: string | undefined) => {
    const { language, tested } = await withEngine(placeOf(command, cli), async (calls) => {
      const { outside = [], language } = await calls.status.query()
      const names = place === undefined ? outside.filter(({ on }) => on).map(({ name }) => name) : [place]
      const tested: (OutsideTest & { name: string })[] = []
      for (const name of names) tested.push({ name, ...(await calls.testOutside.mutate(name)) })
      return { language, tested }
    })
    if (wantsJson(command)) printJson(cli, tested)
    else if (tested.length === 0) cli.out(nowhere)
    else {
      const { style } = wordsOf(cli)
      const sentences = await cli.parts.sentencesOf(language)
      for (const one of tested)
        cli.out(
          one.ok
            ? `${style.shape('done', '✓')} ${style.strong(oneLine(one.name))} ` +
                `took the message in ${sentences.figures.took(one.tookMs)}\n`
            : `${style.shape('failed', '▲')} ${style.strong(oneLine(one.name))}` +
                ` ${oneLine(sentences.outside.failure(one.why))}\n`,
        )
    }
    if (tested.some(({ ok }) => !ok)) cli.exitWith(exitCodes.failed.code)
  })
}

const toneOf = ({ on, state }: OutsideView) =>
  !on || state.kind === 'unused' ? 'idle' : state.kind === 'sent' ? 'done' : 'failed'

const shapeOf = (place: OutsideView): string => ({ idle: '○', done: '✓', failed: '▲' })[toneOf(place)]
