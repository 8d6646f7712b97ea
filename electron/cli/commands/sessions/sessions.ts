import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { examples, withCommon } from '../../common.ts'
import { withEngine } from '../../engine.ts'
import { CliError } from '../../exit.ts'
import { oneLine } from '../../output/clean.ts'
import { needPerson } from '../../person.ts'
import { printJson, wordsOf } from '../../output/print.ts'
import { sessionRows, sorted } from '../../output/session-rows.ts'
import { placeOf, wantsJson } from '../../place.ts'

export function addSessions(program: Command, cli: Cli): void {
  const command = program
    .command('sessions')
    .summary('every session, those that need you first')
    .description(
      'Every session: what it does, and why. Those that need you come first.\n\nShapes: ● ' +
        'working, ◆ needs you, ◐ held or continuing, ○ idle, ✓ done, ▲ failed, ⏸ paused, ◌ gone',
    )
  command.option('--archived', 'archived ones too')
  examples(withCommon(command), [
    ['onward sessions', 'the list'],
    ['onward sessions archive billing', 'out of the list until its next turn'],
    ["onward sessions --json | jq '.[].id'", 'their ids'],
  ])
  command.action(async () => {
    const [sessions, status] = await withEngine(placeOf(command, cli), (calls) =>
      Promise.all([calls.sessions.query(), calls.status.query()]),
    )
    if (wantsJson(command)) return printJson(cli, sessions)
    const shown = sessions.filter((s) => !s.archived || command.opts<{ archived?: boolean }>().archived)
    const words = wordsOf(cli)
    if (sessions.length === 0)
      return cli.out(
        `No session yet. Start an agent: ${words.style.strong(`${cli.command()} claude`)}` +
          ` or ${words.style.strong(`${cli.command()} codex`)}.\n`,
      )
    if (shown.length === 0)
      return cli.out(
        `Every session is archived. ${words.style.strong(`${cli.command()} sessions --archived`)} lists them.\n`,
      )
    cli.out(sessionRows(sorted(shown), words, await cli.parts.sentencesOf(status.language), cli.now()))
  })
  addDelete(command, cli)
  for (const { word, archived, summary } of putting) {
    const one = command.command(word).argument('<session>', 'its name, its id, or the beginning of it').summary(summary)
    examples(withCommon(one.description(`${summary[0]?.toUpperCase()}${summary.slice(1)}. Nothing is stopped.`)), [
      [`onward sessions ${word} billing`, summary],
    ])
    one.action(async (session: string) => {
      const { id, name } = await withEngine(placeOf(one, cli), (calls) =>
        calls.archiveSession.mutate({ session, archived }),
      )
      if (wantsJson(one)) return printJson(cli, { session: id, archived })
      cli.out(`${name} ${archived ? 'is archived until its next turn' : 'is in the list again'}.\n`)
    })
  }
}

function addDelete(parent: Command, cli: Cli): void {
  const summary = 'take away all that is kept of it'
  const command = parent
    .command('delete')
    .argument('<session>', 'its name, its id, or the beginning of it')
    .option('--yes', 'do not ask')
    .summary(summary)
    .description(
      'Deletes a session for good: its name, timeline, goal and rounds, alarms, and the bodies and ' +
        'thinking that were kept. What it cost stays in the totals, and its agent is not ended: a ' +
        'later turn begins a new session. Refused while it works or something is queued for it.',
    )
  examples(withCommon(command), [
    ['onward sessions delete billing', 'asks first'],
    ['onward sessions delete billing --yes', 'for scripts'],
  ])
  command.action(async (session: string) => {
    const place = placeOf(command, cli)
    const { id, name, nextAlarm } = await withEngine(place, (calls) => calls.session.query(session))
    if (!command.opts<{ yes?: boolean }>().yes) {
      needPerson(cli, ['in', 'err'], 'Deleting a session is for good: somebody has to confirm it.', 'Or write --yes.')
      const alarms = nextAlarm ? `, and its ${nextAlarm.waiting === 1 ? 'alarm' : `${nextAlarm.waiting} alarms`}` : ''
      if (!cli.askYesNo(`Delete ${oneLine(name)} with its timeline and all that was kept of it${alarms}, for good?`))
        throw new CliError('refused', 'Nothing was deleted.', { code: 'not-confirmed' })
    }
    await withEngine(place, (calls) => calls.deleteSession.mutate(id))
    if (wantsJson(command)) return printJson(cli, { session: id, deleted: true })
    cli.out(`${oneLine(name)} is deleted. What it cost stays in the totals.\n`)
  })
}

const putting = [
  { word: 'archive', archived: true, summary: 'take it out of the list until its next turn' },
  { word: 'restore', archived: false, summary: 'bring an archived one back into the list' },
] as const
