import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { examples, withCommon } from '../../common.ts'
import { CliError, exitCodes } from '../../exit.ts'
import { statusText, stepRows } from '../../output/service-text.ts'
import { printJson, wordsOf } from '../../output/print.ts'
import { wantsJson } from '../../place.ts'
import { findService, isInTheWay, isOurs } from '../../service/found.ts'
import { keptAs } from '../../service/install.ts'
import { serviceStatus } from '../../service/status.ts'
import { uninstallService } from '../../service/uninstall.ts'
import { addServiceInstall } from './service-install.ts'
import { agreed, servicePlace, withAsking, type ServiceOptions } from './service-place.ts'

export function addService(program: Command, cli: Cli): void {
  const command = withCommon(
    program
      .command('service')
      .summary('run the engine at each login: install, status, uninstall')
      .description(
        'Lets the system run `onward serve`: a systemd user unit on ' +
          'Linux, a launch agent on macOS, a scheduled task on Windows. ' +
          'Nothing is written or run before it was shown.',
      ),
  )
  addServiceInstall(command, cli)

  const status = command
    .command('status')
    .summary('whether it is installed, and runs')
    .description('Says whether the service is installed, runs and is up to date, and where its log is.')
  examples(withCommon(status), [
    ['onward service status', 'a glance'],
    ['onward service status --json', 'the same for a script'],
  ])
  status.action(async () => {
    const { spec, on } = await servicePlace(status, cli)
    const found = await serviceStatus(spec, cli, on)
    if (found.problems.length > 0) cli.exitWith(exitCodes.failed.code)
    if (wantsJson(status)) return printJson(cli, found)
    cli.out(statusText(found, wordsOf(cli)))
  })

  const uninstall = withAsking(
    command
      .command('uninstall')
      .summary('take it away again')
      .description(
        'Ends the service and removes its file; what stood there ' +
          'before Onward comes back. Agents live on, the home stays.',
      ),
  )
  examples(withCommon(uninstall), [
    ['onward service uninstall', 'shows what it does, and asks'],
    ['onward service uninstall --yes', 'without asking'],
  ])
  uninstall.action(() => uninstallHere(uninstall, cli))
}

async function uninstallHere(command: Command, cli: Cli): Promise<void> {
  const options = command.opts<ServiceOptions>()
  const json = wantsJson(command)
  const words = wordsOf(cli)
  const { spec, on } = await servicePlace(command, cli)
  const found = await findService(spec, on.manager, on.system)
  const there = found.filter(isOurs)
  const [{ path: file, held }] = found
  if (there.length === 0) {
    if (json) return printJson(cli, { file, removed: false })
    return cli.out(
      held === 'none'
        ? `${words.style.shape('idle', '○')} No service is installed for this home.\n`
        : `${words.style.shape('idle', '○')} ${file} is not Onward’s: it is left alone.\n`,
    )
  }
  const changed = there.find(isInTheWay)
  if (changed && !options.force)
    throw new CliError('refused', `${changed.path} was changed by hand since Onward wrote it.`, {
      code: 'service-changed',
      hint: 'To remove it all the same, with a copy kept in the home: --force.',
    })
  const copies = there.flatMap((one) => {
    const copy = keptAs(spec, one, cli.now())
    return copy !== null && one.before !== null ? [{ copy, before: one.before }] : []
  })
  const kept = copies[0]?.copy ?? null
  const paths = there.map(({ path }) => path)
  const steps = [...on.manager.stop(spec, paths), ...on.manager.afterRemoval(spec)]
  const shown =
    paths.map((path) => `Removes the ${on.manager.title} ${words.style.strong(path)}.\n`).join('') +
    `${copies.map(({ copy }) => `A copy is kept as ${copy}.\n`).join('')}Runs:\n${stepRows(steps, words)}`
  if (!json) cli.out(shown)
  if (options.dryRun)
    return json ? printJson(cli, { file, removed: false, would: steps.map(({ argv }) => argv) }) : undefined
  if (!agreed('Remove it?', options, cli, json)) return cli.out('Nothing was changed.\n')
  for (const { copy, before } of copies) await on.system.write(copy, before)
  await uninstallService(spec, on)
  if (json) return printJson(cli, { file, removed: true, kept })
  cli.out(`${words.style.shape('done', '✓')} The service is removed. Agents that run live on.\n`)
}
