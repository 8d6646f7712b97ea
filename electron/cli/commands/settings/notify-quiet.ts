import { Option, type Command } from 'commander'
import type { EngineStatus } from '../../../../shared/state.ts'
import type { Cli } from '../../cli.ts'
import { engineCommand } from '../../command.ts'
import { CliError } from '../../exit.ts'

type Hours = NonNullable<EngineStatus['quietHours']>
type Pass = 'on' | 'off'
interface Passes {
  needsYou?: Pass
  ownAlarms?: Pass
}

export function addQuiet(parent: Command, cli: Cli): void {
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

export function quietLine({ on, from, to, needsYou, ownAlarms, held }: Hours): string {
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
