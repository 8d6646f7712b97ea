import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Canned {
  status?: number
  contentType: string
  body: Buffer
  chunkBytes?: number
}

/** Serves the same answer to every request on a free loopback port while `use` runs. */
export async function withServer<T>(canned: Canned, use: (origin: string) => Promise<T>): Promise<T> {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(canned.status ?? 200, { 'content-type': canned.contentType, 'x-should-retry': 'false' })
    const size = canned.chunkBytes ?? canned.body.length
    for (let i = 0; i < canned.body.length; i += size) response.write(canned.body.subarray(i, i + size))
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a TCP server's address is one
  try {
    return await use(`http://127.0.0.1:${port}`)
  } finally {
    server.closeAllConnections()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }
}
