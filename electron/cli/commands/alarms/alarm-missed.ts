import type { Command } from 'commander'
import type { AlarmsView, MissedAlarm } from '../../../../shared/alarms/alarms.ts'
import { figuresOf } from '../../../../shared/sentences/index.ts'
import { OnwardError } from '../../../engine/base/errors.ts'
import { nowFacts } from '../../../engine/base/clock.ts'
import type { Cli } from '../../cli.ts'
import { engineCommand } from '../../command.ts'
import type { ControlCalls } from '../../client.ts'
import { CliError } from '../../exit.ts'
import { missedRows } from '../../output/alarm-rows.ts'
import { oneLine } from '../../output/clean.ts'
import { plural } from '../../output/print.ts'
import { instantOf } from './alarm-when.ts'

interface Options {
  deliver?: string
  dismiss?: string
  reschedule?: string
  at?: string
  dismissAll?: boolean
}

/** One run of the command does one thing. */
type MissedRequest =
  | { do: 'show' }
  | { do: 'dismiss-all' }
  | { do: 'deliver' | 'dismiss'; key: string }
  | { do: 'reschedule'; key: string; when: string }

/** `zone`: the engine's */
type Done =
  | { did: 'listed'; view: AlarmsView }
  | { did: 'dismissed-all'; count: number }
  | { did: 'delivered' | 'dismissed'; one: MissedAlarm }
  | { did: 'rescheduled'; one: MissedAlarm; at: number; zone: string }

export function addMissed(parent: Command, cli: Cli): void {
  engineCommand(parent, cli, {
    usage: 'missed',
    summary: 'what was not delivered in time; deliver, reschedule, dismiss',
    description:
      'Alarms that were not delivered, newest first. They wait here for your word; nothing of them is sent by itself.',
    options: [
      ['--deliver <key>', 'send it again now; a beginning of the key is enough'],
      ['--dismiss <key>', 'be done with it'],
      ['--dismiss-all', 'be done with all of them'],
      ['--reschedule <key>', 'set it again, for the time of --at'],
      ['--at <when>', 'when, for --reschedule'],
    ],
    examples: [
      ['onward alarm missed', 'the list'],
      ['onward alarm missed --deliver 3f2a91bc', 'now'],
      ['onward alarm missed --reschedule 3f2a91bc --at "tomorrow 9:00"', 'later'],
      ['onward alarm missed --dismiss-all', 'an empty list'],
    ],
    input: requestOf,
    ask: carryOut,
    json: jsonOf,
    tell(done, { style, columns, status, now }) {
      if (done.did !== 'listed') return `${style.shape('done', '✓')} ${sentenceOf(done)}\n`
      const { missed, missedTotal, zone } = done.view
      if (missed.length === 0) return 'Nothing was missed.\n'
      const rest = missedTotal - missed.length
      return (
        missedRows(missed, { style, columns }, figuresOf(status.language, zone), now) +
        (rest > 0 ? style.quiet(`and ${rest} older\n`) : '')
      )
    },
  })
}

function requestOf({ deliver, dismiss, reschedule, at, dismissAll }: Options): MissedRequest {
  const requests: MissedRequest[] = []
  if (dismissAll) requests.push({ do: 'dismiss-all' })
  if (deliver !== undefined) requests.push({ do: 'deliver', key: deliver })
  if (dismiss !== undefined) requests.push({ do: 'dismiss', key: dismiss })
  if (reschedule !== undefined && at !== undefined) requests.push({ do: 'reschedule', key: reschedule, when: at })
  if ((reschedule === undefined) !== (at === undefined))
    throw new CliError('usage', '--reschedule and --at go together: which one, and when it rings.')
  if (requests.length > 1)
    throw new CliError('usage', 'One thing at a time: --deliver, --dismiss, --dismiss-all, or --reschedule with --at.')
  return requests[0] ?? { do: 'show' }
}

async function carryOut(calls: ControlCalls, request: MissedRequest): Promise<Done> {
  const view = await calls.alarms.query()
  const { missed, missedTotal, zone } = view
  if (request.do === 'show') return { did: 'listed', view }
  if (request.do === 'dismiss-all') {
    await calls.dismissAllMissed.mutate()
    return { did: 'dismissed-all', count: missedTotal }
  }
  const one = oneOf(missed, request.key)
  if (request.do !== 'reschedule') {
    await calls.settleMissed.mutate({ missed: one.key, how: { kind: request.do } })
    return { did: request.do === 'deliver' ? 'delivered' : 'dismissed', one }
  }
  const at = await instantOf(calls, request.when)
  await calls.settleMissed.mutate({ missed: one.key, how: { kind: 'reschedule', dueAt: at } })
  return { did: 'rescheduled', one, at, zone }
}

function oneOf(missed: readonly MissedAlarm[], wanted: string): MissedAlarm {
  const alike = missed.filter(({ key }) => key.startsWith(wanted))
  const one = alike.find(({ key }) => key === wanted) ?? alike[0]
  if (!one || wanted === '')
    throw new OnwardError(
      'missed-unknown',
      `No missed alarm begins with “${wanted}”. \`onward alarm missed\` shows them.`,
    )
  if (alike.length > 1 && one.key !== wanted)
    throw new OnwardError(
      'missed-ambiguous',
      `${alike.length} missed alarms begin with “${wanted}”: ${alike.map(({ key }) => key).join(', ')}.`,
    )
  return one
}

function jsonOf(done: Done): unknown {
  switch (done.did) {
    case 'listed':
      return done.view.missed
    case 'dismissed-all':
      return { dismissed: done.count }
    case 'rescheduled':
      return { rescheduled: done.one.key, at: done.at }
    case 'delivered':
    case 'dismissed':
      return { [done.did]: done.one.key }
  }
}

function sentenceOf(done: Exclude<Done, { did: 'listed' }>): string {
  if (done.did === 'dismissed-all')
    return done.count === 0 ? 'Nothing was missed.' : `Dismissed ${plural(done.count, 'missed alarm')}.`
  const what = `“${oneLine(done.one.task)}” in ${oneLine(done.one.sessionName)}`
  switch (done.did) {
    case 'delivered':
      return `On its way: ${what}.`
    case 'dismissed':
      return `Dismissed: ${what}.`
    case 'rescheduled':
      return `Rings at ${nowFacts(done.at, done.zone).local}, ${done.zone}: ${what}.`
  }
}
