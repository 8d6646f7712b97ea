/** A bare server in front of a transport, so that official SDKs can call it in tests. Not product code. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Transport } from '../types.ts'

export interface Bridge {
  url: string
  aborted: number
  close(): Promise<void>
}

export async function bridge(transport: Transport, prefix: string): Promise<Bridge> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
      const call = transport.send(
        {
          url: prefix + request.url,
          method: request.method === 'GET' ? 'GET' : 'POST',
          headers,
          body: parts.length === 0 ? null : parts,
          timeouts: { connectMs: 5000, firstByteMs: 20_000, idleMs: 20_000 },
        },
        {
          onHead: (status, answered) => {
            response.writeHead(status, answered)
          },
          onData: (chunk) => response.write(chunk),
          onEnd: () => {
            response.end()
          },
          onError: (error) => {
            state.aborted += error.code === 'upstream-aborted' ? 1 : 0
            response.destroy()
          },
        },
      )
      response.on('drain', () => call.resume())
      response.on('close', () => {
        if (!response.writableFinished) call.abort()
      })
    })
  })
  const state: Bridge = {
    url: '',
    aborted: 0,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A listening TCP server has an address with a port.
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return state
}
