import type { Command } from 'commander'
import { isOpen, limitsUsed, usedOfBound, type OwnDrive } from '../../../../shared/drives.ts'
import type { Input } from '../../../../shared/operations/index.ts'
import type { Sentences } from '../../../../shared/sentences/index.ts'
import type { SessionView } from '../../../../shared/state.ts'
import type { Cli } from '../../cli.ts'
import { engineCommand } from '../../command.ts'
import { rows } from '../../output/columns.ts'
import type { Words } from '../../output/print.ts'
import { limit, limitOf, some, whole } from '../settings/budgets.ts'

interface BoundOptions {
  rounds?: number
  hours?: number
  tokens?: number
  cost?: number
}

export function addDrives(program: Command, cli: Cli): void {
  const drives = engineCommand(program, cli, {
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
  engineCommand(drives, cli, {
    usage: 'drives bound <session> <drive>',
    takes: ['its name or id', 'its id in `onward drives`'],
    summary: 'when one of them is to ask you by itself',
    description: 'Counts from now on, beside the budgets of all. What is not named stays as it is.',
    options: [
      limit('--rounds <N>', 'after so many turns of it, or `never`', whole),
      limit('--hours <N>', 'after so long, or `never`', some),
      limit('--tokens <N>', 'after so many tokens, or `never`', whole),
      limit('--cost <USD>', 'after so many dollars, or `never`', some),
    ],
    examples: [['onward drives bound billing goal --rounds 20 --cost 2', 'whichever comes first']],
    input: (session: string, drive: string, { rounds, hours, tokens, cost }: BoundOptions): Input<'boundDrive'> => ({
      session,
      drive,
      rounds: limitOf(rounds),
      hours: limitOf(hours),
      tokens: limitOf(tokens),
      costUsd: limitOf(cost),
    }),
    ask: (calls, input) => calls.boundDrive.mutate(input),
    json: (view, { drive }) => view.drives?.find(({ id }) => id === drive) ?? null,
    tell({ drives: all = [] }, { sentences, now }, { drive }) {
      const bound = all.find(({ id }) => id === drive)
      const text = bound ? boundText(bound, sentences, now) : ''
      return text === '' ? 'It has no bound of its own. The budgets hold for it.\n' : `It asks you after ${text}.\n`
    },
  })
}

/** Whichever of its limits comes first; '': none */
const boundText = ({ bound, ...drive }: OwnDrive, { budget }: Sentences, now: number): string =>
  bound
    ? limitsUsed(usedOfBound(drive, bound), bound, now)
        .map((one) => budget(one.budget, one.limit))
        .join(' or ')
    : ''

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
      { text: (drive) => boundText(drive, sentences, now), gives: 8 },
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
