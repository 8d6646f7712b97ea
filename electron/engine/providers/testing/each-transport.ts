import type { Socket } from 'node:net'
import { afterEach } from 'vitest'
import { systemClock } from '../../base/clock.ts'
import type { Transport } from '../types.ts'
import { undiciTransport } from '../undici/transport.ts'
import { rawServer, type RawServer } from './wire.ts'

/** Makes transports and raw servers that end with the test that made them. */
export function eachTransport() {
  const open: { dispose(): Promise<void> }[] = []
  afterEach(async () => {
    for (const one of open.splice(0).reverse()) await one.dispose()
  })
  return {
    transport(clock = systemClock()): Transport {
      const made = undiciTransport({ clock, env: {} })
      open.push(made)
      return made
    },
    async server(onConnection: (socket: Socket, index: number) => void): Promise<RawServer> {
      const made = await rawServer(onConnection)
      open.push({ dispose: () => made.close() })
      return made
    },
  }
}
