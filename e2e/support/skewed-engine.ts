/**
 * The engine in the test's own process, with the disk, network, terminals and agents it has outside, on a clock the
 * test can set.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { systemClock, type Clock } from '../../electron/engine/base/clock.ts'
import { startEngine } from '../../electron/engine/engine.ts'
import { createNodeHost } from '../../electron/hosts/node-host.ts'
import { connectForTest } from './control-client.ts'
import { evidence } from './evidence/evidence.ts'
import { cleanEnv, exhibitsOf, newHome, onwardBin, type EngineOptions, type RunningEngine } from './engine-process.ts'

/** The computer's clock as its owner may set it: durations and timers go on as if nothing had happened. */
export interface SkewedClock extends Clock {
  jump(ms: number): void
}

export interface SkewedEngine extends RunningEngine {
  clock: SkewedClock
}

/** Notices a clock that was set in a moment, and asks no time server. */
export const quickClock = { tickMs: 200, ntp: { enabled: false } }

export function skewedClock(): SkewedClock {
  const clock = systemClock()
  let ahead = 0
  return {
    ...clock,
    now: () => clock.now() + ahead,
    jump(ms) {
      ahead += ms
    },
  }
}

export async function startSkewedEngine({
  config = {},
  env = {},
  home = newHome(),
  port = 0,
}: Omit<EngineOptions, 'node'> = {}): Promise<SkewedEngine> {
  mkdirSync(home, { recursive: true, mode: 0o700 })
  writeFileSync(
    join(home, 'config.json'),
    JSON.stringify({ ...config, clock: { ...quickClock, ...(config['clock'] as object | undefined) } }, null, 2),
  )
  const clock = skewedClock()
  const { host, dispose } = await createNodeHost({ home, env: { ...cleanEnv(), ...env }, version: '0.1.0' })
  const engine = await startEngine(
    { ...host, clock, startPtyHost: (hostId) => startBuiltHost(home, hostId) },
    { port, onHandOver: () => undefined },
  )
  const { address } = engine
  const forget = evidence(() => exhibitsOf(home))
  const control = await connectForTest(home)
  return {
    clock,
    home,
    control,
    port: address.port,
    baseUrl: `http://127.0.0.1:${address.port}`,
    dashboard: async () => engine.dashboardLink(),
    async stop() {
      forget()
      control.dispose()
      await engine.dispose()
      await dispose()
    },
  }
}

/** Beside the command line as it is built; the sources can't be started by themselves. */
function startBuiltHost(home: string, hostId: string): void {
  const folder = dirname(realpathSync(onwardBin))
  const program = basename(folder) === 'bin' ? resolve(folder, '../out/main/pty-host.js') : join(folder, 'pty-host.js')
  spawn(process.execPath, [program, home, hostId], { detached: true, stdio: 'ignore', env: cleanEnv() }).unref()
}
