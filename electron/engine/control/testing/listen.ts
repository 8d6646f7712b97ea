/** Real HTTP servers with only the control API on them, as in the engine: one over TCP, one on a socket of its own. */
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ControlApi } from '../../../../shared/operations/index.ts'
import { systemClock, type Clock } from '../../base/clock.ts'
import { silentLog, type Log } from '../../base/log.ts'
import { homeId, programOf } from '../../../../shared/control/proof.ts'
import type { Keys } from '../../base/network/admit.ts'
import type { Programs } from '../programs.ts'
import { createControlServer, type ControlServer, type ServedDevices } from '../server.ts'

export interface ListeningControl {
  host: string
  port: number
  /** takes the token as the home's key */
  socket: string
  token: string
  control: ControlServer
  close(): Promise<void>
}

export async function listenControl(
  api: ControlApi,
  more: {
    token?: string
    keys?: Keys
    devices?: ServedDevices
    programs?: Programs
    clock?: Clock
    log?: Log
    maxBufferedBytes?: number
  } = {},
): Promise<ListeningControl> {
  const token = more.token ?? 'test-token-'.padEnd(43, '0')
  const control = createControlServer({
    api,
    keys: more.keys ?? { keyOf: (id) => (id === homeId || programOf(id) ? token : null) },
    ...(more.devices ? { devices: more.devices } : {}),
    ...(more.programs ? { programs: more.programs } : {}),
    log: more.log ?? silentLog,
    clock: more.clock ?? systemClock(),
    maxBufferedBytes: more.maxBufferedBytes,
  })
  const folder = await mkdtemp(join(tmpdir(), 'onward-socket-'))
  const socket = join(folder, 'engine.sock')
  const listen = async (at: { port: number; host: string } | { path: string }) => {
    const http = createServer((_request, response) => response.writeHead(404).end())
    http.on('upgrade', (request, plain, head) => {
      if (!control.handleUpgrade(request, plain, head)) plain.destroy()
    })
    await new Promise<void>((resolve) => http.listen(at, resolve))
    return http
  }
  const servers = [await listen({ port: 0, host: '127.0.0.1' }), await listen({ path: socket })] as const
  const { port } = servers[0].address() as AddressInfo
  return {
    host: '127.0.0.1',
    port,
    socket,
    token,
    control,
    async close() {
      control.dispose()
      for (const http of servers)
        await new Promise<void>((resolve) => {
          http.close(() => resolve())
          http.closeAllConnections()
        })
      await rm(folder, { recursive: true, force: true })
    },
  }
}
