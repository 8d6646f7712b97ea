/**
 * A person's decision on a check. Never without one: an agent that could decide would free itself of what it has to
 * pass.
 */
import type { Command } from 'commander'
import type { CheckView, FolderChecks } from '../../../../shared/review.ts'
import type { Cli } from '../../cli.ts'
import type { ControlCalls } from '../../client.ts'
import { examples, withCommon } from '../../common.ts'
import { withEngine } from '../../engine.ts'
import { CliError } from '../../exit.ts'
import { argvText } from '../../output/argv-text.ts'
import { oneLine } from '../../output/clean.ts'
import { facts } from '../../output/columns.ts'
import { printJson } from '../../output/print.ts'
import { styleOf } from '../../output/style.ts'
import { confirmTyped, needPerson } from '../../person.ts'
import { engineOf, wantsJson } from '../../place.ts'
import { checkNamed, checksText, whichCheck, whichSession } from './checks-text.ts'

export const needsPerson = (cli: Cli, what: string): void =>
  needPerson(
    cli,
    ['in', 'err'],
    `${what} needs a person at a terminal who confirms it.`,
    'Do it in the dashboard, or run this command yourself in a terminal.',
  )

/** Shown on stderr, where the question stands: stdout may be a file. */
export const shown = (cli: Cli, items: readonly (readonly [string, string])[]): void =>
  cli.err(facts(items, styleOf({ env: cli.env, tty: { ...cli.tty, out: cli.tty.err } }).quiet))

export const notConfirmed = 'Not confirmed: nothing was changed.'
export const runsAs = 'It runs with your rights whenever a reviewer or you ask for it, without asking again.'

/** @throws CliError `no-folder` */
export async function withFolder(calls: ControlCalls, session: string): Promise<FolderChecks & { folder: string }> {
  const all = await calls.checks.query(session)
  if (all.folder === null)
    throw new CliError(
      'refused',
      'Nobody knows which folder the agent works in, so no check can run there. Start it with `onward`.',
      { code: 'no-folder' },
    )
  return { ...all, folder: all.folder }
}

export async function tell(command: Command, cli: Cli, calls: ControlCalls, checks: FolderChecks): Promise<void> {
  if (wantsJson(command)) return printJson(cli, checks)
  cli.out(checksText(checks, await cli.parts.sentencesOf((await calls.status.query()).language), cli))
}

export function addApprove(parent: Command, cli: Cli): void {
  const command = parent
    .command('approve')
    .summary('let one run; asks you to confirm')
    .description(
      'A person’s word that a check may run: exactly these words in exactly this folder. ' +
        'Asked again once they change. It needs a terminal; there is no option that says yes.',
    )
    .argument('<session>', whichSession)
    .argument('<name>', whichCheck)
  examples(withCommon(command), [['onward checks approve billing tests', 'shows what would run, and asks']])
  command.action(async (session: string, name: string) => {
    needsPerson(cli, 'Approving a check')
    await withEngine(engineOf(command, cli), async (calls) => {
      const before = await withFolder(calls, session)
      const check = checkNamed(before, name)
      if ((check.approval === 'approved' || check.approval === 'removed') && check.changedFiles.length === 0)
        return tell(command, cli, calls, before)
      shown(cli, [['Folder', before.folder], ['Runs', argvText(check.argv)], ...beforeOf(check)])
      confirmTyped(cli, `${runsAs}\nType ${oneLine(name)}, or yes: `, [name, 'yes'], notConfirmed)
      // the words the person saw: a check that reads otherwise by now is refused
      await tell(command, cli, calls, await calls.approveCheck.mutate({ session, name, argv: [...check.argv] }))
    })
  })
}

const beforeOf = ({ approvedArgv, changedFiles }: CheckView): [string, string][] => [
  ...(approvedArgv === null ? [] : [['Before', argvText(approvedArgv)] as [string, string]]),
  ...(changedFiles.length === 0 ? [] : [['Changed', changedFiles.join(', ')] as [string, string]]),
]

export function addForget(parent: Command, cli: Cli): void {
  const command = parent
    .command('forget')
    .summary('take an approval back; asks you to confirm')
    .description(
      'Takes the approval back; a check that you added goes altogether. One that ' +
        '.onward.json no longer declares stays required until it is forgotten.',
    )
    .argument('<session>', whichSession)
    .argument('<name>', whichCheck)
  examples(withCommon(command), [['onward checks forget billing tests', 'asks, then it may not run any more']])
  command.action(async (session: string, name: string) => {
    needsPerson(cli, 'Forgetting a check')
    await withEngine(engineOf(command, cli), async (calls) => {
      const before = await withFolder(calls, session)
      const check = checkNamed(before, name)
      shown(cli, [
        ['Folder', before.folder],
        ['Runs', argvText(check.argv)],
      ])
      confirmTyped(cli, `Type ${oneLine(name)}, or yes, to forget it: `, [name, 'yes'], notConfirmed)
      await tell(command, cli, calls, await calls.forgetCheck.mutate({ session, name }))
    })
  })
}
