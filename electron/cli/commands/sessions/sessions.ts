import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { engineCommand } from '../../command.ts'
import { examples, withCommon } from '../../common.ts'
import { withEngine } from '../../engine.ts'
import { CliError } from '../../exit.ts'
import { oneLine } from '../../output/clean.ts'
import { printJson } from '../../output/print.ts'
import { needPerson } from '../../person.ts'
import { sessionRows, sorted } from '../../output/session-rows.ts'
import { engineOf, wantsJson } from '../../place.ts'

export function addSessions(program: Command, cli: Cli): void {
  const command = engineCommand(program, cli, {
    usage: 'sessions',
    summary: 'every session, those that need you first',
    description:
      'Every session: what it does, and why. Those that need you come first.\n\nShapes: ● ' +
      'working, ◆ needs you, ◐ held or continuing, ○ idle, ✓ done, ▲ failed, ⏸ paused, ◌ gone',
    options: [['--archived', 'archived ones too']],
    examples: [
      ['onward sessions', 'the list'],
      ['onward sessions archive billing', 'out of the list until its next turn'],
      ["onward sessions --json | jq '.[].id'", 'their ids'],
    ],
    input: ({ archived }: { archived?: boolean }) => archived === true,
    ask: (calls) => calls.sessions.query(),
    tell(sessions, { sentences, now, ...words }, archived) {
      const shown = sessions.filter((s) => !s.archived || archived)
      const typed = (line: string) => words.style.strong(`${cli.command()} ${line}`)
      if (sessions.length === 0) return `No session yet. Start an agent: ${typed('claude')} or ${typed('codex')}.\n`
      if (shown.length === 0) return `Every session is archived. ${typed('sessions --archived')} lists them.\n`
      return sessionRows(sorted(shown), words, sentences, now)
    },
  })
  addDelete(command, cli)
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
    const place = engineOf(command, cli)
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
