import type { ClockSync } from '../../../../../shared/alarms/alarms.ts'
import type { Config } from '../../../../../shared/config/schema.ts'
import type { Clock } from '../../../base/clock.ts'
import type { Log } from '../../../base/log.ts'
import { virtualClock } from '../../../base/testing/virtual-clock.ts'
import { createStore } from '../../../store/create-store.ts'
import { faultyFiles } from '../../../store/testing/faulty-files.ts'
import { memoryFiles } from '../../../store/testing/memory-files.ts'
import { createTimeSync } from '../../time-sync.ts'
import { fakeServers, type FakeServer } from './fake-servers.ts'

export const minute = 60_000
export const hour = 60 * minute
export const noon = Date.UTC(2026, 10, 22, 12)

export interface SyncWorldOptions {
  env?: Record<string, string>
  config?: Partial<Config['clock']['ntp']>
  disk?: ReturnType<typeof memoryFiles>
  start?: number
}

/** A time sync among servers, on a disk and a clock of the test's own. */
export function syncWorld(
  servers: Record<string, FakeServer>,
  { env = {}, config: given, disk = memoryFiles(), start = noon }: SyncWorldOptions = {},
) {
  const clock = virtualClock(start)
  let set = 0
  const wall: Clock = { now: () => clock.now() + set, monotonic: clock.monotonic, after: clock.after }
  const config: Config['clock']['ntp'] = {
    enabled: true,
    servers: Object.keys(servers),
    timeoutMs: 800,
    refreshMs: hour,
    ...given,
  }
  const files = faultyFiles(disk)
  const warnings: string[] = []
  const log: Log = {
    debug() {},
    info() {},
    warn: (_, message) => {
      warnings.push(message)
    },
    error: (_, message) => {
      warnings.push(`error: ${message}`)
    },
    child: () => log,
  }
  const net = fakeServers(clock, servers)
  let tokens = 0
  const chance = { fraction: 0.5 }
  const random = {
    uuid: () => 'u',
    token: () => Buffer.from(`nonce${String(tokens++).padStart(3, '0')}`).toString('base64url'),
    fraction: () => chance.fraction,
  }
  const store = createStore({ root: '/r', files, clock: wall, log, onProblem: () => undefined })
  const sync = createTimeSync({ store, clock: wall, random, log, env, config: () => config, udp: net })
  const told: ClockSync[] = []
  sync.onChange((state) => {
    told.push(state)
  })
  return {
    sync,
    clock,
    config,
    net,
    told,
    files,
    disk,
    warnings,
    store,
    chance,
    /** A person sets the computer's time. */
    setWall(byMs: number) {
      set += byMs
    },
    /**
     * how far the corrected clock is from what the servers' clock says, if that is `offsetMs` before the first wall
     * time
     */
    wrongBy: (offsetMs: number) => sync.clock.now() - (clock.now() + offsetMs),
    kept: (): unknown => JSON.parse(disk.content.get('/r/clock/ntp-state.json') ?? 'null'),
    async start() {
      await sync.start()
      await clock.advance(0)
    },
  }
}
