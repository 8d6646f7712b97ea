import { type Command, Option } from 'commander'
import type { OutsideTest, OutsideView } from '../../../../shared/notifications.ts'
import type { EngineStatus } from '../../../../shared/state.ts'
import type { Cli } from '../../cli.ts'
import { engineCommand } from '../../command.ts'
import { CliError } from '../../exit.ts'
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

type Hours = NonNullable<EngineStatus['quietHours']>
type Pass = 'on' | 'off'
interface Passes {
  needsYou?: Pass
  ownAlarms?: Pass
}

function addQuiet(parent: Command, cli: Cli): void {
  engineCommand(parent, cli, {
    usage: 'quiet [from] [to]',
    takes: [
      'when they begin, as in 22:00; or `on`, `off`',
      'when they end, as in 07:30; before the beginning: on the next day',
    ],
    summary: 'hours in which nothing is shown or sent',
    description:
      'Quiet hours, each day in the zone of the computer: nothing is shown or sent, the ' +
      'timeline says so, and one notification says what came when they end. Without ' +
      'arguments it says how they stand; what is changed is written to the config.',
    options: [
      new Option('--needs-you <on|off>', 'tell all the same that a session needs you').choices(['on', 'off']),
      new Option('--own-alarms <on|off>', 'let alarms that you set yourself ring').choices(['on', 'off']),
    ],
    examples: [
      ['onward notify quiet 22:00 07:30', 'every night'],
      ['onward notify quiet --needs-you on', 'but for sessions that need you'],
      ['onward notify quiet off', 'none; the times are kept'],
    ],
    input: (from: string | undefined, to: string | undefined, { needsYou, ownAlarms }: Passes) => ({
      ...timesOf(from, to),
      needsYou: isOn(needsYou),
      ownAlarms: isOn(ownAlarms),
    }),
    async ask(calls, wanted) {
      const changes = Object.values(wanted).some((value) => value !== undefined)
      const hours = changes ? await calls.setQuietHours.mutate(wanted) : (await calls.status.query()).quietHours
      if (hours) return hours
      throw new CliError('failed', 'This engine has no quiet hours: it is an older one. Start it again.')
    },
    say: quietLine,
  })
}

function quietLine({ on, from, to, needsYou, ownAlarms, held }: Hours): string {
  if (!on) return 'No quiet hours.\n'
  const through = [needsYou ? 'sessions that need you' : null, ownAlarms ? 'your own alarms' : null]
  const passing = through.filter((what) => what !== null)
  const said = [
    `Quiet hours from ${from} to ${to}`,
    passing.length === 0 ? 'nothing passes' : `${passing.join(' and ')} pass`,
    ...(held === 0 ? [] : [`${held} ${held === 1 ? 'notification waits' : 'notifications wait'} until they end`]),
  ]
  return `${said.join('; ')}.\n`
}

function timesOf(from: string | undefined, to: string | undefined) {
  if (from === undefined) return {}
  if (to === undefined) {
    if (from === 'on' || from === 'off') return { on: from === 'on' }
    throw new CliError('usage', `“${from}” needs an end: onward notify quiet 22:00 07:30. Or write on, or off.`)
  }
  for (const time of [from, to])
    if (!/^([01]?\d|2[0-3]):[0-5]\d$/.test(time))
      throw new CliError('usage', `“${time}” is no time of the day. Write it as in 22:00.`)
  return { on: true, from, to }
}

const isOn = (word: Pass | undefined): boolean | undefined => (word === undefined ? undefined : word === 'on')
