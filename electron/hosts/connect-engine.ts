/** Which engine the desktop works with: one of its own, or the one that already holds this home. */
import { pause, type Clock } from '../engine/base/clock.ts'
import { OnwardError } from '../engine/base/errors.ts'
import { isNewer } from '../../shared/newer-version.ts'
import type { Log } from '../engine/base/log.ts'
import { hasEnded, type EngineInfo } from '../engine/control/attach.ts'
import type { AttachedEngine } from './attached-engine.ts'
import type { EngineLink } from '../shell/life/engine-link.ts'

export interface ConnectDeps {
  clock: Clock
  log: Log
  /** of this Onward */
  version: string
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
const pollMs = 50

/**
 * Asks a running engine to hand over; where it does not, or is not asked, the desktop becomes its dashboard. Agents
 * keep their address: the own engine takes the port of the one before it.
 * @throws OnwardError when an own engine can't start
 */
export async function connectEngine(deps: ConnectDeps): Promise<EngineLink> {
  const running = await deps.findRunning()
  const other = running && (await reach(deps, running))
  // One that does not answer may still hold the home; starting our own then says which process that is.
  if (!running || !other) return startOwn(deps, deps.port)
  // It answers agents to their ends. The window shows that, and is without it when it has ended (keep-linked.ts).
  if (running.endsBy !== undefined) return other
  const stays = whyItStays(running, deps.version)
  if (stays !== null) {
    deps.log.info({ pid: running.pid, version: running.version }, stays)
    return staying(deps, running, other)
  }
  if (!(await handsOver(deps, running, other))) return staying(deps, running, other)
  void other.dispose()
  return startOwn(deps, deps.port ?? running.port)
}

/** As it is; of an older one a person may still say that it ends. */
function staying({ version: own }: ConnectDeps, running: EngineInfo, other: AttachedEngine): EngineLink {
  if (!isNewer(own, running.version)) return other
  const { version, service = false } = running
  return { ...other, older: { version, service, handOver: () => other.handOver() } }
}

/** null: it is asked to hand over */
function whyItStays(running: EngineInfo, own: string): string | null {
  if (isNewer(running.version, own))
    return 'the running engine is newer and stays: this one may not understand its files'
  // It would have to be started again when the desktop ends, and no one is there then to do it.
  if (running.service) return 'the running engine is a service of the system and stays'
  return null
}

/** the home, or the port: that a service's systemd has before the service is there */
const heldByAnother: ReadonlySet<string> = new Set(['root-locked', 'port-in-use'])

async function startOwn(deps: ConnectDeps, port: number | null): Promise<EngineLink> {
  try {
    return await deps.startOwn(port)
  } catch (error) {
    if (!OnwardError.isInstance(error) || !heldByAnother.has(error.code)) throw error
    // Another one was quicker, as a supervised `serve` is that comes back the moment it ended: it is left in peace.
    const quicker = await announced(deps)
    // It was one that ended.
    if (!quicker && error.code === 'root-locked') return deps.startOwn(port)
    if (!quicker) throw error
    const link = await reach(deps, quicker)
    if (!link) throw error
    return staying(deps, quicker, link)
  }
}

/** A link to an engine that answers to the token; null where it does not. */
async function reach(deps: ConnectDeps, running: EngineInfo): Promise<AttachedEngine | null> {
  const other = await deps.attach(running)
  if (!other || (await within(deps.clock, answersWithinMs, other.answers()))) return other
  deps.log.warn({ pid: running.pid, port: running.port }, 'the engine of this home does not answer')
  void other.dispose()
  return null
}

/** An engine holds its home a moment before it says where it is. */
async function announced({ clock, findRunning }: ConnectDeps): Promise<EngineInfo | null> {
  for (let waited = 0; waited < answersWithinMs; waited += pollMs) {
    const info = await findRunning()
    if (info) return info
    await pause(clock, pollMs)
  }
  return null
}

/** true: it has ended, home and port are free. */
async function handsOver(
  { clock, log, findRunning, alive }: ConnectDeps,
  running: EngineInfo,
  other: AttachedEngine,
): Promise<boolean> {
  const refused = new AbortController()
  const withoutWait = async () => {
    const found = await findRunning()
    if (found?.endsBy !== undefined) refused.abort()
    return found
  }
  void other.handOver().then((agreed) => {
    if (!agreed) refused.abort()
  })
  if (await hasEnded(running.pid, handsOverWithinMs, { clock, alive, findRunning: withoutWait }, refused.signal))
    return true
  log.info({ pid: running.pid }, 'the running engine does not hand over')
  return false
}

function within(clock: Clock, ms: number, work: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const late = clock.after(ms, () => resolve(false))
    work
      .then(
        () => resolve(true),
        () => resolve(false),
      )
      .finally(() => late.dispose())
  })
}
