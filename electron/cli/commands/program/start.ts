import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { examples, withCommon } from '../../common.ts'
import { decideStart, desktopFacts } from '../../desktop.ts'
import { openDesktop } from '../../launch/open-desktop.ts'
import { printJson } from '../../output/print.ts'
import { placeOf, wantsJson } from '../../place.ts'
import { withControl } from '../../client.ts'
import { findTarget } from '../../engine.ts'
import { CliError } from '../../exit.ts'
import { readyText, serveHere } from './serve.ts'

export function addStart(program: Command, cli: Cli): void {
  const command = program
    .command('start')
    .summary('open the desktop app; without a display: serve')
    .description(
      'Opens the desktop app. Where there is no display or no Electron, it serves the dashboard to a browser instead.',
    )
  examples(withCommon(command), [
    ['onward', 'the same as onward start'],
    ['onward start --home ~/other/.onward', 'with another home'],
  ])
  command.action(async () => {
    const decision = decideStart(desktopFacts(cli))
    if (decision.kind === 'desktop') {
      const result = await openDesktop(decision.program, decision.args, placeOf(command, cli), cli)
      if (result.kind === 'open')
        return wantsJson(command) ? printJson(cli, { desktop: true }) : cli.out('Onward is open in its own window.\n')
      cli.err(`onward: the desktop app did not start: ${result.why}\n`)
    } else cli.err(`onward: ${decision.why}, so the dashboard is served to a browser.\n`)
    if (!(await runsAlready(command, cli))) await serveHere(command, cli)
  })
}

/** A person who starts it a second time wants to see it. false: no engine answers there. */
async function runsAlready(command: Command, cli: Cli): Promise<boolean> {
  const target = await findTarget(placeOf(command, cli))
  if (!target || target.info.endsBy !== undefined) return false
  try {
    const link = await withControl(target, (calls) => calls.dashboardLink.mutate())
    const { host, port, pid } = target.info
    if (wantsJson(command)) printJson(cli, { running: true, pid, url: `http://${host}:${port}`, dashboard: link })
    else cli.out(readyText({ address: target.info, dashboardLink: () => link }, cli, pid))
    return true
  } catch (error) {
    if (error instanceof CliError && error.exit === 'noEngine') return false
    throw error
  }
}
