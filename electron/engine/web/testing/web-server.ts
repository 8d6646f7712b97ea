import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Heard {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
}
export interface WebServer {
  origin: string
  port: number
  heard: Heard[]
  close(): Promise<void>
}

/** A site on loopback for tests: records requests with their bodies, answers as the test wants. */
export async function webServer(
  answer: (heard: Heard, ...rest: Parameters<RequestListener>) => void,
  address = '127.0.0.1',
): Promise<WebServer> {
  const heard: Heard[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const one = {
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      }
      heard.push(one)
      answer(one, request, response)
    })
  })
  await new Promise<void>((ready, failed) => {
    server.once('error', failed).listen(0, address, ready)
  })
  // Listening on a port, so it has an address with one.
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://${address}:${port}`,
    port,
    heard,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}
