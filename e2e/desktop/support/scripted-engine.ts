/** An engine of another process as the desktop meets it: the real control server, and behind it what a spec says. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { systemClock } from '../../../electron/engine/base/clock.ts'
import { systemRandom } from '../../../electron/engine/base/ids.ts'
import { OnwardError } from '../../../electron/engine/base/errors.ts'
import { silentLog } from '../../../electron/engine/base/log.ts'
import { announceEngine } from '../../../electron/engine/control/attach.ts'
import { listenOwnSocket } from '../../../electron/engine/control/listen-own-socket.ts'
import { createControlServer } from '../../../electron/engine/control/server.ts'
import { fakeControlApi, sampleStatus } from '../../../electron/engine/control/testing/fake-control-api.ts'
import { controlTokenFile } from '../../../electron/engine/control/token.ts'
import { homeId } from '../../../shared/control/proof.ts'
import type { ControlApi } from '../../../shared/operations/index.ts'
import type { EngineStatus, EngineUpdate } from '../../../shared/state.ts'
import { newHome } from '../../support/engine-process.ts'

export interface ScriptedEngine {
  home: string
  /** to everybody who follows it, now and later */
  say(update: EngineUpdate): void
  status(more?: Partial<EngineStatus>): EngineStatus
  stop(): Promise<void>
}

const token = 'a'.repeat(43)

/** It does not hand over, so the desktop works with it as it is. */
export async function startScriptedEngine(api: Partial<ControlApi>): Promise<ScriptedEngine> {
  const home = newHome()
  const said: EngineUpdate[] = []
  const wakes = new Set<() => void>()
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<title>Onward</title>')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const status = (more: Partial<EngineStatus> = {}) => sampleStatus({ pid: process.pid, port, home, ...more })
  const control = createControlServer({
    keys: { keyOf: (id) => (id === homeId ? token : null) },
    log: silentLog,
    clock: systemClock(),
    api: fakeControlApi({
      status: async () => status(),
      dashboardLink: async () => `http://127.0.0.1:${port}/dashboard/#token=none.none`,
      handOver: async () => {
        throw new OnwardError('stays', 'This engine stays.')
      },
      async *follow(signal) {
        yield { type: 'snapshot', status: status(), sessions: [], terminals: [] }
        for (let next = 0; !signal.aborted;) {
          for (let update = said[next]; update; update = said[++next]) yield update
          await new Promise<void>((resolve) => {
            wakes.add(resolve)
            signal.addEventListener('abort', () => resolve(), { once: true })
          })
        }
      },
      ...api,
    }),
  })
  server.on('upgrade', (request, socket, head) => {
    if (!control.handleUpgrade(request, socket, head)) socket.destroy()
  })
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const own = await listenOwnSocket({
    home,
    env: {},
    random: systemRandom(),
    log: silentLog,
    upgrade: control.handleUpgrade,
  })
  writeFileSync(controlTokenFile(home), `${token}\n`, { mode: 0o600 })
  const announced = await announceEngine(home, {
    pid: process.pid,
    host: '127.0.0.1',
    port,
    socket: own.path,
    startedAt: Date.now(),
    version: '0.1.0',
  })
  return {
    home,
    status,
    say(update) {
      said.push(update)
      for (const wake of wakes) wake()
      wakes.clear()
    },
    async stop() {
      announced.dispose()
      control.dispose()
      own.dispose()
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
