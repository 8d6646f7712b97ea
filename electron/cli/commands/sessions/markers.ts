/** Markers that were cut out of a message and not followed, for a person to apply or forget. */
import type { Command } from 'commander'
import type { Sentences } from '../../../../shared/sentences/index.ts'
import type { HeldMarkerView, SessionView } from '../../../../shared/state.ts'
import type { Cli } from '../../cli.ts'
import type { ControlCalls } from '../../client.ts'
import { engineCommand } from '../../command.ts'
import { examples, withCommon } from '../../common.ts'
import { withEngine } from '../../engine.ts'
import { CliError } from '../../exit.ts'
import { oneLine } from '../../output/clean.ts'
import { rows } from '../../output/columns.ts'
import { printJson, wordsOf, type Words } from '../../output/print.ts'
import { confirmTyped } from '../../person.ts'
import { engineOf, wantsJson } from '../../place.ts'
import { needsPerson, notConfirmed, shown } from './checks-approve.ts'
import { whichSession } from './checks-text.ts'

const whichMarker = 'its number in the list; left out where only one waits'

export function addMarkers(program: Command, cli: Cli): void {
  const command = engineCommand(program, cli, {
    usage: 'markers [session]',
    takes: [whichSession],
    summary: 'markers that were not followed, since somebody else may have written them',
    description:
      'Markers that were cut out of a message and not followed: ' +
      'those in pasted text, in the middle of several lines, ' +
      'in quotations and comments, and goals in files that nobody has looked at yet. Apply or forget them.',
    examples: [
      ['onward markers', 'all that wait for your word'],
      ['onward markers apply billing', 'shows it, and asks you to confirm'],
      ['onward markers forget billing 2', 'the second one is offered no more'],
    ],
    async ask(calls, [session]: [string?]) {
      const found = session === undefined ? await calls.sessions.query() : [await calls.session.query(session)]
      return found.filter(({ heldMarkers = [] }) => heldMarkers.length > 0)
    },
    json: (waiting) => waiting.map(({ id, name, heldMarkers }) => ({ session: id, name, heldMarkers })),
    tell: (waiting, { sentences, now, ...words }) =>
      waiting.length === 0 ? 'No marker waits for a word.\n' : heldRows(waiting, words, sentences, now),
  })
  addApply(command, cli)
  addForget(command, cli)
}

/** One line each, numbered within its session. */
export function heldRows(sessions: readonly SessionView[], words: Words, sentences: Sentences, now: number): string {
  const all = sessions.flatMap(({ name, heldMarkers = [] }) => heldMarkers.map((one, i) => ({ name, n: i + 1, one })))
  return rows(
    all,
    [
      { text: () => '◆', paint: (text) => words.style.shape('needs', text), tight: true },
      { text: ({ name }) => name, paint: words.style.strong, gives: 12, most: 40 },
      { text: ({ n }) => String(n), align: 'right' },
      { text: ({ one }) => `${sentences.markerHeld(one.why)}: ${oneLine(one.marker)}`, gives: 24 },
      { text: ({ one }) => sentences.figures.ago(now - one.at), align: 'right', paint: words.style.quiet },
    ],
    words.columns,
  )
}

function addApply(parent: Command, cli: Cli): void {
  const command = parent
    .command('apply')
    .summary('follow one after all; asks you to confirm')
    .description(
      'Carries a marker out as if you had typed it on a line of its ' +
        'own. It needs a terminal; there is no option that says yes.',
    )
    .argument('<session>', whichSession)
    .argument('[marker]', whichMarker)
  examples(withCommon(command), [['onward markers apply billing 2', 'shows the second one, and asks']])
  command.action(async (session: string, which: string | undefined) => {
    needsPerson(cli, 'Applying a marker')
    await withEngine(engineOf(command, cli), async (calls) => {
      const one = await markerOf(calls, session, which)
      shown(cli, [
        ['Marker', oneLine(one.marker)],
        ...(one.goal === undefined ? [] : [['Its file', oneLine(one.goal)] as const]),
      ])
      confirmTyped(cli, 'Type yes to apply it: ', ['yes'], notConfirmed)
      await tell(command, cli, calls, await calls.applyMarker.mutate({ session, marker: one.id }))
    })
  })
}

function addForget(parent: Command, cli: Cli): void {
  const command = parent
    .command('forget')
    .summary('offer one no more')
    .description('The marker was cut out of its message already; it is offered no more.')
    .argument('<session>', whichSession)
    .argument('[marker]', whichMarker)
  examples(withCommon(command), [['onward markers forget billing', 'the only one that waits there']])
  command.action(async (session: string, which: string | undefined) => {
    await withEngine(engineOf(command, cli), async (calls) => {
      const one = await markerOf(calls, session, which)
      await tell(command, cli, calls, await calls.forgetMarker.mutate({ session, marker: one.id }))
    })
  })
}

/** @throws CliError `marker-unknown` */
async function markerOf(calls: ControlCalls, session: string, which: string | undefined): Promise<HeldMarkerView> {
  const { id, name, heldMarkers = [] } = await calls.session.query(session)
  const found =
    which === undefined ? (heldMarkers.length === 1 ? heldMarkers[0] : undefined) : heldMarkers[Number(which) - 1]
  if (found) return found
  throw new CliError(
    'notFound',
    heldMarkers.length === 0
      ? `No marker waits for a word in ${oneLine(name)}.${await waitingElsewhere(calls, id)}`
      : `${heldMarkers.length} markers wait in ${oneLine(name)}: say which, 1 to ${heldMarkers.length}.`,
    { code: 'marker-unknown', hint: '`onward markers` lists them.' },
  )
}

/** A person may well mean one of those. */
async function waitingElsewhere(calls: ControlCalls, id: string): Promise<string> {
  const others = (await calls.sessions.query()).filter((one) => one.id !== id && one.heldMarkers?.length)
  if (others.length === 0) return ''
  const places = others.map(({ name, heldMarkers = [] }) => `${heldMarkers.length} in ${oneLine(name)}`)
  return ` Elsewhere: ${places.join(', ')}.`
}

async function tell(command: Command, cli: Cli, calls: ControlCalls, session: SessionView): Promise<void> {
  if (wantsJson(command)) return printJson(cli, session)
  const { language } = await calls.status.query()
  const left = session.heldMarkers ?? []
  cli.out(
    left.length === 0
      ? `No further marker waits there.${await waitingElsewhere(calls, session.id)}\n`
      : heldRows([session], wordsOf(cli), await cli.parts.sentencesOf(language), cli.now()),
  )
}
