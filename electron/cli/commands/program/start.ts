import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { makeFolders } from '../../../engine/store/disk-files.ts'
import { whyFailed } from '../../../engine/store/store-failed.ts'
import type { Cli } from '../../cli.ts'
import { withControl } from '../../client.ts'
import { examples, withCommon } from '../../common.ts'
import { decideStart, desktopFacts } from '../../desktop.ts'
import { findTarget } from '../../engine.ts'
import { CliError } from '../../exit.ts'
import { oneLine } from '../../output/clean.ts'
import { printJson } from '../../output/print.ts'
import { placeOf, wantsJson, type Place } from '../../place.ts'
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
    const place = placeOf(command, cli)
    const decision = decideStart(desktopFacts(cli))
    if (decision.kind === 'desktop') {
      const result = await openDesktop(decision.program, decision.args, place, cli)
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

// Starts the desktop app so that it outlives this command, and notices when it ends at once instead.

export type DesktopResult = { kind: 'open' } | { kind: 'failed'; why: string }

/** A missing library or sandbox shows within a second or two; a second instance hands over and ends with 0. */
const watchMs = 3_000

export async function openDesktop(
  program: string,
  args: readonly string[],
  place: Place,
  cli: Pick<Cli, 'env'>,
): Promise<DesktopResult> {
  await makeFolders(join(place.home, 'logs'))
  const said = join(place.home, 'logs', 'desktop.log')
  const log = openSync(said, 'w', 0o600)
  const env: NodeJS.ProcessEnv = { ...cli.env, ONWARD_HOME: place.home }
  if (place.port !== null) env.ONWARD_PORT = String(place.port)
  delete env.ELECTRON_RUN_AS_NODE
  const child = spawn(program, args, { detached: true, stdio: ['ignore', log, log], env })
  closeSync(log)
  const ended = new Promise<DesktopResult>((resolve) => {
    child.once('error', (error) => resolve({ kind: 'failed', why: whyFailed(error) }))
    child.once('exit', (code, signal) =>
      resolve(
        code === 0 ? { kind: 'open' } : { kind: 'failed', why: lastWords(said) || `it ended with ${code ?? signal}` },
      ),
    )
  })
  let timer: NodeJS.Timeout | undefined
  const stayed = new Promise<DesktopResult>((resolve) => {
    timer = setTimeout(resolve, watchMs, { kind: 'open' })
  })
  const result = await Promise.race([ended, stayed])
  clearTimeout(timer)
  child.unref()
  return result
}

const lastWords = (file: string): string =>
  readFileSync(file, 'utf8').split('\n').map(oneLine).filter(Boolean).at(-1) ?? ''
