import type { Server } from 'node:http'
import { join } from 'node:path'
import { systemClock } from '../engine/base/clock.ts'
import { silentLog, type Log } from '../engine/base/log.ts'
import { systemRandom } from '../engine/base/ids.ts'
import type { PolicySource } from '../engine/config/policy/source.ts'
import { startEngine, type Engine } from '../engine/engine.ts'
import { transportFor } from '../engine/providers/transport.ts'
import type { Transport } from '../engine/providers/types.ts'
import type { Keychain } from '../engine/secrets/keychain.ts'
import { diskFiles } from '../engine/store/disk-files.ts'
import type { Files } from '../engine/store/types.ts'

interface EngineInProcess {
  home: string
  files?: Files
  log?: Log
  env?: Readonly<Record<string, string>>
  keychain?: Keychain
  policies?: readonly PolicySource[]
  /** in place of the network */
  transport?: Transport
  /** 0: any free one; null: as the config says */
  port?: number | null
}

/** The whole engine in the process of a test: real disk, clock and network, no terminals and no notices. */
export async function engineInProcess({
  home,
  files = diskFiles(),
  log = silentLog,
  env: more = {},
  port = 0,
  keychain,
  policies = [],
  transport: own,
}: EngineInProcess): Promise<Engine> {
  const clock = systemClock()
  const env = { ROUTECODEX_SESSION_DIR: join(home, 'state'), ROUTECODEX_CLOCK_NTP: 'off', ...more }
  const transport = own ?? transportFor({ clock, env, home, files })
  const engine = await startEngine(
    {
      home,
      env,
      version: '0',
      clock,
      random: systemRandom(),
      log,
      files,
      transport,
      policies,
      ...(keychain ? { keychain } : {}),
      notify: async () => ({ kind: 'suppressed', why: 'a test' }),
      startPtyHost() {},
      findProgram: async () => null,
    },
    { port, onHandOver() {} },
  )
  return {
    ...engine,
    async dispose() {
      await engine.dispose()
      await transport.dispose()
    },
  }
}

/** Listens on a free port of loopback. @returns the address, and what ends it with all its connections */
export async function listenOnLoopback(server: Server): Promise<{ url: string; end(): Promise<void> }> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    end: () =>
      new Promise<void>((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}
