import type { Command } from 'commander'
import type { MachineView } from '../../../../shared/machines.ts'
import type { Sentences } from '../../../../shared/sentences/index.ts'
import type { SessionView } from '../../../../shared/state.ts'
import type { Cli } from '../../cli.ts'
import { engineCommand } from '../../command.ts'
import { examples, withCommon } from '../../common.ts'
import { withEngine } from '../../engine.ts'
import { CliError } from '../../exit.ts'
import { oneLine } from '../../output/clean.ts'
import { printJson, type Words } from '../../output/print.ts'
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
    options: [
      ['--archived', 'archived ones too'],
      ['--everywhere', 'those of the other machines, too, each with its machine (see `onward remote`)'],
    ],
    examples: [
      ['onward sessions', 'the list'],
      ['onward sessions archive billing', 'out of the list until its next turn'],
      ["onward sessions --json | jq '.[].id'", 'their ids'],
      ['onward sessions --everywhere', 'of all machines'],
    ],
    input: ({ archived, everywhere }: { archived?: boolean; everywhere?: boolean }) => ({
      archived: archived === true,
      everywhere: everywhere === true,
    }),
    async ask(calls, { everywhere }): Promise<Asked> {
      if (!everywhere) return { sessions: await calls.sessions.query(), machines: [] }
      const [own, machines] = await Promise.all([calls.sessions.query(), calls.machines.query()])
      const here = own.map((session) => ({ ...session, machine: null }))
      // here as well, a terminal without a turn is no session yet
      const had = ({ id, terminalId }: SessionView) => id !== terminalId
      const there = machines.flatMap(({ name: machine, sessions }) =>
        sessions.filter(had).map((session) => ({ ...session, machine })),
      )
      return { sessions: [...here, ...there], machines }
    },
    json: ({ sessions }) => sessions,
    tell({ sessions, machines }, { sentences, now, ...words }, { archived }) {
      const shown = sessions.filter((s) => !s.archived || archived)
      const typed = (line: string) => words.style.strong(`${cli.command()} ${line}`)
      const away = machines.map((machine) => awayText(machine, sentences, words)).join('')
      if (sessions.length === 0)
        return `${away}No session yet. Start an agent: ${typed('claude')} or ${typed('codex')}.\n`
      if (shown.length === 0) return `${away}Every session is archived. ${typed('sessions --archived')} lists them.\n`
      return `${sessionRows(sorted(shown), words, sentences, now)}${away}`
    },
  })
  addDelete(command, cli)
}

interface Asked {
  /** `machine` with `--everywhere` alone; null: this one */
  sessions: readonly (SessionView & { machine?: string | null })[]
  machines: readonly MachineView[]
}

/** `◌ gpu-box  away since 14:02: gpu-box can’t be reached: …` */
function awayText({ name, state }: MachineView, { figures }: Sentences, { style }: Words): string {
  if (state.kind === 'there') return ''
  const how =
    state.kind === 'connecting'
      ? 'has not answered yet'
      : `away since ${figures.minute(state.since)}: ${oneLine(state.why.message)}`
  return `${style.shape('gone', '◌')} ${style.strong(name)}  ${how}\n`
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
