import type { Command } from 'commander'
import type { OutsideTest, OutsideView } from '../../../../shared/notifications.ts'
import type { Cli } from '../../cli.ts'
import { engineCommand } from '../../command.ts'
import { addQuiet, quietLine } from './notify-quiet.ts'
import { oneLine } from '../../output/clean.ts'
import { rows, type Column } from '../../output/columns.ts'

export function addNotify(program: Command, cli: Cli): void {
  const command = engineCommand(program, cli, {
    usage: 'notify',
    summary: 'where notifications are sent besides this machine; try one',
    description:
      'Places that notifications are sent to besides this machine, and how the last one to each went. ' +
      'They are added in the settings of the dashboard, or in the config under `notifications.outside`.',
    examples: [
      ['onward notify', 'the list'],
      ['onward notify test', 'a real message to each that is on'],
      ['onward notify test phone', 'to one'],
      ['onward notify quiet 22:00 07:30', 'quiet hours'],
    ],
    ask: (calls) => calls.status.query(),
    json: ({ outside = [] }) => outside,
    tell({ outside = [], quietHours }, { style, columns, sentences }) {
      const layout: readonly Column<OutsideView>[] = [
        { text: shapeOf, paint: (shape, place) => style.shape(toneOf(place), shape), tight: true },
        { text: ({ name }) => name, paint: (name) => style.strong(name) },
        { text: ({ kind }) => kind },
        { text: ({ host }) => host ?? '', gives: 12 },
        { text: ({ on, state }) => (on ? sentences.outside.state(state) : 'off'), gives: 20 },
      ]
      return (
        (quietHours?.on ? quietLine(quietHours) : '') +
        (outside.length === 0 ? nowhere : rows(outside, layout, columns))
      )
    },
  })
  addTest(command, cli)
  addQuiet(command, cli)
}

const nowhere = 'Notifications are shown on this machine only. Places are added in the settings of the dashboard.\n'

function addTest(parent: Command, cli: Cli): void {
  engineCommand(parent, cli, {
    usage: 'test [place]',
    takes: ['its name, as `onward notify` lists it; left out: all that are on'],
    summary: 'a real message to one, or to each that is on',
    description: 'Sends a message that says it is a test, once. The status is 1 when one was not taken.',
    examples: [
      ['onward notify test', 'all that are on'],
      ['onward notify test phone', 'one'],
    ],
    async ask(calls, [place]: [string?]) {
      const { outside = [] } = await calls.status.query()
      const names = place === undefined ? outside.filter(({ on }) => on).map(({ name }) => name) : [place]
      const tested: (OutsideTest & { name: string })[] = []
      for (const name of names) tested.push({ name, ...(await calls.testOutside.mutate(name)) })
      return tested
    },
    failed: (tested) => tested.some(({ ok }) => !ok),
    tell: (tested, { style, sentences }) =>
      tested.length === 0
        ? nowhere
        : tested
            .map((one) =>
              one.ok
                ? `${style.shape('done', '✓')} ${style.strong(oneLine(one.name))} ` +
                  `took the message in ${sentences.figures.took(one.tookMs)}\n`
                : `${style.shape('failed', '▲')} ${style.strong(oneLine(one.name))}` +
                  ` ${oneLine(sentences.outside.failure(one.why))}\n`,
            )
            .join(''),
  })
}

const toneOf = ({ on, state }: OutsideView) =>
  !on || state.kind === 'unused' ? 'idle' : state.kind === 'sent' ? 'done' : 'failed'

const shapeOf = (place: OutsideView): string => ({ idle: '○', done: '✓', failed: '▲' })[toneOf(place)]
