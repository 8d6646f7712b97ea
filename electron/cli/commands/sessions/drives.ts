import type { Command } from 'commander'
import { isOpen, type OwnDrive } from '../../../../shared/drives.ts'
import type { Sentences } from '../../../../shared/sentences/index.ts'
import type { SessionView } from '../../../../shared/state.ts'
import type { Cli } from '../../cli.ts'
import { engineCommand } from '../../command.ts'
import { rows } from '../../output/columns.ts'
import type { Words } from '../../output/print.ts'

export function addDrives(program: Command, cli: Cli): void {
  engineCommand(program, cli, {
    usage: 'drives [session]',
    takes: ['none: of all'],
    summary: 'what agents set themselves to go on by',
    description: 'Goals, loops, schedules, shells and sub-agents, as requests show them.',
    options: [['--all', 'those that are over, too']],
    examples: [['onward drives billing --all', 'of one']],
    async ask(calls, [session]: [string | undefined, { all?: boolean }]): Promise<readonly SessionView[]> {
      return session === undefined ? calls.sessions.query() : [await calls.session.query(session)]
    },
    json: (sessions) =>
      sessions.flatMap(({ id, name, drives = [] }) => drives.map((drive) => ({ session: id, name, ...drive }))),
    tell(sessions, { sentences, now, ...words }, [, { all = false }]) {
      const text = sessions.map((session) => drivesOf(session, all, words, sentences, now)).join('')
      return text === '' ? 'Nothing besides Onward keeps an agent going, as far as requests show.\n' : text
    },
  })
}

function drivesOf(session: SessionView, all: boolean, words: Words, sentences: Sentences, now: number): string {
  const { style, columns } = words
  const shown = (session.drives ?? []).filter((drive) => all || isOpen(drive) || drive.state.is === 'missed')
  if (shown.length === 0) return ''
  const { figures, driveKind, driveState } = sentences
  return `${style.strong(session.name)}\n${rows(
    shown,
    [
      { text: ({ id }) => id, paint: (text) => style.quiet(text), gives: 8 },
      { text: ({ kind }) => driveKind(kind) },
      { text: ({ what }) => what ?? '', gives: 16 },
      { text: (drive) => driveState(drive), gives: 16 },
      { text: (drive) => nextOf(drive, sentences, now) },
      {
        text: ({ tokens, ...spend }) => (tokens === 0 ? '' : `${figures.tokens(tokens)} ${figures.cost(spend) ?? ''}`),
        align: 'right',
      },
    ],
    columns,
  )}`
}

const nextOf = (drive: OwnDrive, { figures, driveNext }: Sentences, now: number): string =>
  !isOpen(drive)
    ? ''
    : 'next' in drive
      ? drive.next === null
        ? ''
        : figures.minuteOfDay(drive.next, now)
      : driveNext(drive)
