/** What `--on` leads to: the engine of another machine, asked over a line of its own. */
import type { Machine } from '../machines/machine.ts'
import type { Link, LinkOptions } from '../machines/open-link.ts'
import type { Cli } from './cli.ts'
import { withControl, type ControlCalls } from './client.ts'
import { CliError } from './exit.ts'

/** between the end of a connection and that of the ssh that carried it */
const lostWithinMs = 1_000

/** @throws OnwardError `machine-…`, and those of `withControl` */
export async function onMachine<T>(
  machine: Machine,
  { home, cli, ...options }: { home: string; cli: Cli } & LinkOptions,
  work: (calls: ControlCalls, link: Link) => Promise<T>,
): Promise<T> {
  const link = await cli.parts.openLink(machine, home, options)
  try {
    const target = { machine: machine.name, socket: link.channel, token: link.engine.token }
    return await withControl(target, (calls) => work(calls, link))
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== 'engine-unreachable') throw error
    // why the line was lost says more, and comes just after it
    const wait = new Promise<Error>((resolve) => {
      setTimeout(resolve, lostWithinMs, error)
    })
    throw await Promise.race([link.lost, wait])
  } finally {
    link.close()
  }
}
