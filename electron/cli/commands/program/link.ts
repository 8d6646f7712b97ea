import type { Command } from 'commander'
import { greetingLine, type Greeting } from '../../../machines/greeting.ts'
import { messageOf, OnwardError } from '../../../engine/base/errors.ts'
import type { Cli } from '../../cli.ts'
import { withCommon } from '../../common.ts'
import { findTarget } from '../../engine.ts'
import { CliError, exitCodes, exitOf } from '../../exit.ts'
import { ensureEngine } from '../../launch/background-engine.ts'
import { placeOf, type Place } from '../../place.ts'

/**
 * The far end of `--on`: another machine's Onward runs this over ssh, so nobody types it. It prints the control token
 * of this home, which its owner's ssh carries, and then is the engine's socket.
 */
export function addLink(program: Command, cli: Cli): void {
  const command = withCommon(program.command('link', { hidden: true }))
    .description('The far end of `onward --on`.')
    .option('--start', 'start an engine where none runs')
  command.action(async () => {
    if (cli.tty.out)
      throw new CliError('usage', '`onward link` is called over ssh by another machine’s Onward: see `onward remote`.')
    const found = await look(placeOf(command, cli), command.opts<{ start?: boolean }>().start === true, cli)
    cli.out(greetingLine(found.greeting))
    if (found.socket === null) return cli.exitWith(found.exit)
    await cli.parts.relay(found.socket)
  })
}

type Found =
  | { greeting: Greeting & { kind: 'engine' }; socket: string }
  | { greeting: Greeting; socket: null; exit: number }

async function look(place: Place, start: boolean, cli: Cli): Promise<Found> {
  const { version } = cli
  try {
    const running = start ? null : await findTarget(place)
    const target = start ? await ensureEngine(place, cli) : running && { ...running, started: false }
    if (!target)
      return {
        greeting: { kind: 'no-engine', version, home: place.home },
        socket: null,
        exit: exitCodes.noEngine.code,
      }
    const { info, socket, token, host, port } = target
    const engine = { pid: info.pid, version: info.version, contract: info.contract ?? null, host, port, token }
    return { greeting: { kind: 'engine', version, started: target.started, engine }, socket }
  } catch (error) {
    const code = OnwardError.isInstance(error) ? error.code : 'internal'
    return {
      greeting: { kind: 'problem', version, code, message: messageOf(error) },
      socket: null,
      exit: exitOf(error),
    }
  }
}
