import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Command } from 'commander'
import { messageOf } from '../../engine/base/errors.ts'
import type { Cli } from '../cli.ts'
import { examples, withCommon } from '../common.ts'
import { decideStart, desktopFacts } from '../desktop.ts'
import { CliError } from '../exit.ts'
import { placeOf } from '../place.ts'
import { serveHere } from './serve.ts'

export function addStart(program: Command, cli: Cli): void {
  const command = program.command('start').summary('open the desktop app; without a display: serve').description('Opens the desktop app. Where there is no display or no Electron, it serves the dashboard to a browser instead.')
  examples(withCommon(command), [['onward', 'the same as onward start'], ['onward start --home ~/work/.onward', 'with another home']])
  command.action(async () => {
    const decision = decideStart(desktopFacts(cli))
    if (decision.kind === 'desktop') return openDesktop(decision.program, decision.args, command, cli)
    cli.err(`onward: ${decision.why}, so the dashboard is served to a browser.\n`)
    return serveHere(command, cli)
  })
}

/** The app outlives this command; a second start only focuses its window. */
async function openDesktop(program: string, args: readonly string[], command: Command, cli: Cli): Promise<void> {
  const { home, port } = placeOf(command, cli)
  const env: NodeJS.ProcessEnv = { ...cli.env, ONWARD_HOME: home }
  if (port !== null) env.ONWARD_PORT = String(port)
  delete env.ELECTRON_RUN_AS_NODE
  const child = spawn(program, args, { detached: true, stdio: 'ignore', env })
  await once(child, 'spawn').catch((error: unknown) => { throw new CliError('failed', `The desktop app can’t be started: ${messageOf(error)}.`, { hint: '`onward serve` works without it.', cause: error }) })
  child.unref()
}
