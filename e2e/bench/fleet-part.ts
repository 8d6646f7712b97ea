/** Members of a fleet, each with sessions of its own and the engine's own connection; bundled for the bench. */
import { sampleSession, sampleStatus, fakeControlApi } from '../../electron/engine/control/testing/fake-control-api.ts'
import { systemClock } from '../../electron/engine/base/clock.ts'
import { systemRandom } from '../../electron/engine/base/ids.ts'
import { silentLog } from '../../electron/engine/base/log.ts'
import { fleetPolicy } from '../../electron/engine/config/policy/fleet-policy.ts'
import { createFleet, type Fleet } from '../../electron/engine/fleet/fleet.ts'
import { fleetMachines } from '../../electron/engine/fleet/fleet-machines.ts'
import { memoryFiles } from '../../electron/engine/store/testing/memory-files.ts'
import { configSchema } from '../../shared/config/schema.ts'
import type { EngineUpdate, SessionView } from '../../shared/state.ts'

export interface BenchMember {
  fleet: Fleet
  /** something happens in one of its sessions, now */
  change(n: number): void
}

export function member(url: string, engine: string, sessions: number): BenchMember {
  const viewOf = (n: number): SessionView =>
    sampleSession({ id: `${engine}-${n}`, name: `work ${n}`, lastActivityAt: Date.now() })
  const waiting: EngineUpdate[] = []
  let wake: () => void = () => undefined
  const push = (update: EngineUpdate) => {
    waiting.push(update)
    wake()
  }
  async function* follow(signal: AbortSignal): AsyncIterable<EngineUpdate> {
    const views = Array.from({ length: sessions }, (_, n) => viewOf(n))
    yield { type: 'snapshot', status: sampleStatus(), sessions: views, terminals: [] }
    while (!signal.aborted) {
      for (let next = waiting.shift(); next; next = waiting.shift()) yield next
      await new Promise<void>((resolve) => {
        wake = resolve
        signal.addEventListener('abort', () => resolve(), { once: true })
      })
    }
  }
  const config = configSchema.parse({ fleet: { url, engine, name: 'bench' } })
  const clock = systemClock('awake')
  const fleet = createFleet({
    machines: fleetMachines(clock),
    config: {
      current: () => config,
      edit: async () => undefined,
      onChange: () => ({ dispose: () => undefined }),
      policies: () => null,
    },
    policy: fleetPolicy('/home', memoryFiles()),
    api: fakeControlApi({ follow, status: async () => sampleStatus() }),
    version: '0.1.0',
    platform: process.platform,
    clock,
    random: systemRandom(),
    log: silentLog,
    orders: async () => ({ document: inMemory(), isDone: () => false }),
    lend: async () => undefined,
    problem: ({ message }) => process.stderr.write(`${message}\n`),
  })
  return { fleet, change: (n) => push({ type: 'session', session: viewOf(n) }) }
}

function inMemory<T>() {
  let kept: T | null = null
  const set = async (value: T) => {
    kept = value
  }
  const update = async (change: (now: T | null) => T | null) => (kept = change(kept))
  return { get: () => kept, set, update, remove: async () => undefined }
}
