import type { Command } from 'commander'
import { OnwardError } from '../../../engine/base/errors.ts'
import type { ServedEngine } from '../../../hosts/serve.ts'
import type { Cli } from '../../cli.ts'
import { examples, withCommon } from '../../common.ts'
import { CliError } from '../../exit.ts'
import { printJson, wordsOf } from '../../output/print.ts'
import { placeOf, wantsJson } from '../../place.ts'

export function addServe(program: Command, cli: Cli): void {
  const command = program
    .command('serve')
    .summary('run the engine without a window')
    .description(
      'Runs the engine without a window: on a server, in WSL, over SSH. The dashboard is served to a browser, ' +
        'by the link it prints, good for one window. Another one: `onward dashboard`.',
    )
    .option('--take-over', 'ask the engine that runs on this home to end first; agents live on')
    .option('--service', 'as the system’s service manager starts it, see onward service')
  examples(withCommon(command), [
    ['onward serve', 'until Ctrl C'],
    ['onward serve --take-over', 'instead of the engine that runs, after an update for instance'],
    ['onward serve --port 0 --json', 'on a free port, one JSON line when ready'],
  ])
  command.action(() => serveHere(command, cli))
}

export async function serveHere(command: Command, cli: Cli): Promise<void> {
  const place = placeOf(command, cli)
  const json = wantsJson(command)
  const { service, takeOver: replaces } = command.opts<{ service?: boolean; takeOver?: boolean }>()
  const before = replaces ? await (await import('../../take-over.ts')).takeOver(place, cli, 'ends') : null
  const { serve } = await import('../../../hosts/serve.ts')
  try {
    const inTime = await serve(
      {
        home: place.home,
        // Agents keep the address they were started with.
        port: place.port ?? before?.port ?? null,
        service: service ?? false,
        signal: cli.untilInterrupted(),
        onReady: (engine) => (json ? printJson(cli, readyLine(engine)) : cli.out(readyText(engine, cli))),
      },
      await cli.parts.serve(place.home),
    )
    if (!inTime) cli.err('onward: the engine did not end in time and was left. Everything acknowledged is on disk.\n')
  } catch (error) {
    throw OnwardError.isInstance(error) ? worded(error) : error
  }
}

/**
 * One line when ready. It ends up in the logs of programs that start engines: `onward dashboard` gives a link that
 * opens a page.
 */
const readyLine = ({ address, controlTokenFile }: ServedEngine) => ({
  port: address.port,
  url: `http://${address.host}:${address.port}`,
  dashboard: `http://${address.host}:${address.port}/dashboard/`,
  controlTokenFile,
  pid: process.pid,
})

/** @param running its process, where it ran before this command */
export function readyText(
  { address, dashboardLink }: Pick<ServedEngine, 'address' | 'dashboardLink'>,
  cli: Cli,
  running: number | null = null,
): string {
  const { style } = wordsOf(cli)
  const paragraphs = [
    `${style.shape('working', '●')} Onward ${running === null ? 'runs' : `runs already (pid ${running})`} at ` +
      `http://${address.host}:${address.port}`,
    `  Dashboard  ${dashboardLink()}`,
    running === null ? style.quiet('Ctrl C ends it. Agents live on, without their models.') : '',
  ].filter(Boolean)
  return `${paragraphs.join('\n\n')}\n`
}

function worded(error: OnwardError): CliError {
  switch (error.code) {
    case 'engine-running':
    case 'root-locked':
      return new CliError('engineRuns', error.message, {
        code: error.code,
        cause: error,
        hint:
          'See it with `onward status`, or take over with --take-over. ' +
          'Only one engine runs per home; name another home with --home.',
      })
    case 'port-taken':
      return new CliError('portTaken', error.message, {
        code: error.code,
        cause: error,
        hint: 'End it, or choose another with --port, or server.port in the config; --port 0 takes any free one.',
      })
    case 'home-newer':
    case 'home-format':
    case 'given-sockets':
    case 'given-elsewhere':
      return new CliError('refused', error.message, { code: error.code, cause: error })
    default:
      return new CliError('failed', error.message, { code: error.code, cause: error })
  }
}
