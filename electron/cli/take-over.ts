/** Asks the engine that runs on a home to end, so that this Onward can run one there. Agents and terminals live on. */
import { systemClock } from '../engine/base/clock.ts'
import { isNewer } from '../../shared/newer-version.ts'
import { findRunningEngine, hasEnded, type EngineInfo } from '../engine/control/attach.ts'
import { systemProcesses } from '../engine/store/lock.ts'
import type { Cli } from './cli.ts'
import { withControl } from './client.ts'
import { findTarget } from './engine.ts'
import { CliError } from './exit.ts'
import type { Place } from './place.ts'

const endsWithinMs = 10_000

/**
 * Resolves when it has ended: home and port are free; or, `ends`, when it answers its last requests and does nothing
 * else (`serve` waits for it). null: none ran.
 * @throws CliError when it is newer than this one, refuses, or does not end
 */
export async function takeOver(
  { home }: Place,
  cli: Cli,
  until: 'ends' | 'ended' = 'ended',
): Promise<EngineInfo | null> {
  const target = await findTarget({ home, port: null })
  if (!target) return null
  const { info } = target
  refuseNewer(info, cli.version)
  await withControl(target, (calls) => calls.handOver.mutate()).catch((error: unknown) => {
    // one that ends may be gone before it answers
    if (!(error instanceof CliError && error.exit === 'noEngine')) throw error
  })
  const { alive } = systemProcesses()
  const watch = { clock: systemClock('awake'), findRunning: () => findRunningEngine(home), alive }
  const said = new AbortController()
  const findRunning = async () => {
    const found = await watch.findRunning()
    if (until === 'ends' && found?.endsBy !== undefined) said.abort()
    return found
  }
  if ((await hasEnded(info.pid, endsWithinMs, { ...watch, findRunning }, said.signal)) || said.signal.aborted)
    return info
  throw new CliError('engineRuns', `The engine that runs (pid ${info.pid}) was asked to end and did not.`, {
    hint: 'See what it does with `onward status`, then try again.',
  })
}

/** An older Onward may not understand files of a newer one. @throws CliError */
export function refuseNewer(running: Pick<EngineInfo, 'version' | 'pid'>, own: string): void {
  if (!isNewer(running.version, own)) return
  throw new CliError(
    'engineRuns',
    `The engine that runs (pid ${running.pid}) is Onward ${running.version}, newer than this one (${own}); it stays.`,
    { code: 'engine-newer', hint: 'Update this one, or use the onward command that belongs to the newer.' },
  )
}
