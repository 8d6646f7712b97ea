/** A real HTTP server with only the control socket on it: what the gateway is in the engine. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ControlApi } from '../../../../shared/control/contract.ts'
import { systemClock, type Clock } from '../../base/clock.ts'
import { silentLog, type Log } from '../../base/log.ts'
import { createControlServer, type ControlServer } from '../server.ts'

export interface ListeningControl {
  host: string
  port: number
  token: string
  control: ControlServer
  close(): Promise<void>
}

export async function listenControl(
  api: ControlApi,
  more: { token?: string; clock?: Clock; log?: Log; maxBufferedBytes?: number } = {},
): Promise<ListeningControl> {
  const token = more.token ?? 'test-token-'.padEnd(43, '0')
  const control = createControlServer({
    api,
    token,
    log: more.log ?? silentLog,
    clock: more.clock ?? systemClock(),
    maxBufferedBytes: more.maxBufferedBytes,
  })
  const http = createServer((_request, response) => response.writeHead(404).end())
  http.on('upgrade', (request, socket, head) => {
    if (!control.handleUpgrade(request, socket, head)) socket.destroy()
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo
  return {
    host: '127.0.0.1',
    port,
    token,
    control,
    async close() {
      control.dispose()
      await new Promise<void>((resolve) => {
        http.close(() => resolve())
        http.closeAllConnections()
      })
    },
  }
}
