/** Which engine the desktop works with: one of its own, or the one that already holds this home (spec 00, Process model). */
import { pause, type Clock } from './engine/base/clock.ts'
import type { Log } from './engine/base/log.ts'
import type { EngineInfo } from './engine/control/attach.ts'
import type { AttachedEngine } from './attached-engine.ts'
import type { EngineLink } from './shell/engine-link.ts'

export interface ConnectDeps {
  clock: Clock
  log: Log
  /** what the person asked for; null: as the config says, or as the engine that hands over had it */
  port: number | null
  findRunning(): Promise<EngineInfo | null>
  /** null: it has no token we could use */
  attach(info: EngineInfo): Promise<AttachedEngine | null>
  alive(pid: number): boolean
  startOwn(port: number | null): Promise<EngineLink>
}

/** How long another engine may take to answer, and to end after it was asked. */
export const answersWithinMs = 3_000
export const handsOverWithinMs = 5_000
const lookEveryMs = 50

/**
 * Asks a running engine to hand over; where it does not, the desktop becomes its dashboard. Agents keep their address:
 * the own engine takes the port of the one before it.
 * @throws OnwardError when an own engine can't start
 */
export async function connectEngine(deps: ConnectDeps): Promise<EngineLink> {
  const running = await deps.findRunning()
  const other = running && (await deps.attach(running))
  if (!running || !other) return deps.startOwn(deps.port)
  if (!(await within(deps.clock, answersWithinMs, other.answers()))) {
    deps.log.warn({ pid: running.pid, port: running.port }, 'the engine that holds this home does not answer')
    void other.dispose()
    // Its lock still stands if it lives; starting our own then says which process that is.
    return deps.startOwn(deps.port)
  }
  if (!(await handsOver(deps, running, other))) return other
  void other.dispose()
  return deps.startOwn(deps.port ?? running.port)
}

/** true: it has ended, home and port are free. */
async function handsOver({ clock, log, findRunning, alive }: ConnectDeps, running: EngineInfo, other: AttachedEngine): Promise<boolean> {
  const refused = new AbortController()
  void other.handOver().then((agreed) => { if (!agreed) refused.abort() })
  for (let waited = 0; waited < handsOverWithinMs && !refused.signal.aborted; waited += lookEveryMs) {
    if (!alive(running.pid) && (await findRunning()) === null) return true
    await pause(clock, lookEveryMs, refused.signal)
  }
  log.info({ pid: running.pid }, 'the running engine does not hand over')
  return false
}

function within(clock: Clock, ms: number, work: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const late = clock.after(ms, () => resolve(false))
    work.then(() => resolve(true), () => resolve(false)).finally(() => late.dispose())
  })
}
