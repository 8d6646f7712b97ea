/** Onward for a machine that has none: shown, agreed to, done. */
import type { InstallPlan, ReachedMachine } from '../../../../shared/machines.ts'
import { OnwardError } from '../../../engine/base/errors.ts'
import type { Machine } from '../../../machines/machine.ts'
import type { Cli, Installer } from '../../cli.ts'
import { oneLine } from '../../output/clean.ts'
import { facts } from '../../output/columns.ts'
import { wordsOf } from '../../output/print.ts'
import { reach } from './remote-reached.ts'

interface Offered {
  reached: ReachedMachine | null
  plan?: InstallPlan
}

/** Shows what is done on a machine that was just added, and does it where a person says yes. */
export async function offerInstall(
  machine: Machine,
  home: string,
  cli: Cli,
  { json, install }: { json: boolean; install: boolean | undefined },
): Promise<Offered> {
  const installer = await cli.parts.installer(home)
  const plan = await installer.plan(machine).catch((error: unknown) => {
    if (install || !OnwardError.isInstance(error)) throw error
    if (!json) cli.out(`${wordsOf(cli).style.shape('failed', '▲')} ${oneLine(error.message)}\n`)
    return null
  })
  if (plan === null) return { reached: null }
  if (!json) cli.out(planText(plan, cli))
  const asks = !json && cli.tty.in && cli.tty.err
  if (install || (asks && cli.askYesNo('Install it? [y/N] ')))
    return { plan, reached: await installNow(machine, plan, installer, home, cli, json) }
  if (!json)
    cli.out(`Nothing was done there.${asks ? '' : ` It is: ${cli.command()} remote install ${machine.name} --yes`}\n`)
  return { plan, reached: null }
}

export async function installNow(
  machine: Machine,
  plan: InstallPlan,
  installer: Installer,
  home: string,
  cli: Cli,
  json: boolean,
): Promise<ReachedMachine> {
  let said = ''
  for await (const { kind } of installer.run(machine, plan.fingerprint)) {
    if (kind !== said && !json) cli.out(kind === 'sending' ? 'Sending it …\n' : 'Unpacking and trying it there …\n')
    said = kind
  }
  if (!json) cli.out('It is installed. Starting its engine …\n')
  return reach(machine, home, cli, { start: true })
}

export function planText({ machine, target, ...plan }: InstallPlan, cli: Cli): string {
  const { style } = wordsOf(cli)
  return (
    `${style.strong(machine)} would get this Onward over ssh, in the home folder of ${target}, without root:\n` +
    facts(
      [
        ['Version', `${plan.version}, ${(plan.bytes / 1e6).toFixed(1)} MB to send`],
        ['Folder', plan.folder],
        ['Command', `${plan.command}, run by ${plan.node.path} (${plan.node.version})`],
        ...(plan.fetches.length > 0
          ? [['From npm', `made for its platform, fetched there: ${plan.fetches.join(', ')}`] as const]
          : []),
        ['Then', 'its engine is started: `onward serve`, in the background, until you end it'],
        ['Removed by', plan.undo],
      ],
      style.quiet,
    ) +
    `It runs there, with the archive as its input:\n${plan.runs.map((line) => `    ${line}\n`).join('')}`
  )
}
