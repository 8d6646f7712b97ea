/** A machine that was reached, for the commands that do so. */
import type { ReachedMachine } from '../../../../shared/machines.ts'
import type { Machine } from '../../../machines/machine.ts'
import type { LinkOptions } from '../../../machines/open-link.ts'
import { reachedOver } from '../../../machines/reached.ts'
import type { Cli } from '../../cli.ts'
import { onMachine } from '../../on-machine.ts'
import { facts } from '../../output/columns.ts'
import { wordsOf } from '../../output/print.ts'

export async function reach(machine: Machine, home: string, cli: Cli, options?: LinkOptions): Promise<ReachedMachine> {
  const began = cli.now()
  return onMachine(machine, { home, cli, ...options }, async (calls, link) => {
    await calls.status.query()
    return reachedOver(link, cli.now() - began)
  })
}

export function reachedText({ machine, ms, started, version, engine, fit }: ReachedMachine, cli: Cli): string {
  const { style } = wordsOf(cli)
  return (
    `${style.shape('working', '●')} ${style.strong(machine)} answers ${style.quiet(`in ${ms} ms`)}` +
    `${started ? '. Its engine was started, and runs on.' : ''}\n` +
    facts(
      [
        ['Engine', `Onward ${engine.version}, pid ${engine.pid}, at http://${engine.host}:${engine.port} there`],
        ...(version === engine.version
          ? []
          : [['Command', `Onward ${version}: its engine is of another one`] as const]),
        ...(fit === 'older'
          ? [['Versions', 'its engine is older, and does not know all that this one can ask'] as const]
          : []),
        ...(fit === 'newer'
          ? [['Versions', 'its engine is newer, and knows more than this one can show'] as const]
          : []),
      ],
      style.quiet,
    )
  )
}
