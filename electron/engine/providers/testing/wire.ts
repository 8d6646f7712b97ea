/** Helpers of the transport's tests: raw servers, and a handler that remembers its calls. Not product code. */
import { createServer, type Server, type Socket } from 'node:net'
import type { OnwardError } from '../../base/errors.ts'
import type { Transport, UpstreamCall, UpstreamHandler, UpstreamRequest } from '../types.ts'

export interface RawServer {
  port: number
  url: string
  connections: Socket[]
  close(): Promise<void>
}

/** A TCP server that does to each connection what the test says. */
export async function rawServer(onConnection: (socket: Socket, index: number) => void): Promise<RawServer> {
  const connections: Socket[] = []
  const server: Server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    connections.push(socket)
    onConnection(socket, connections.length - 1)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    port: address.port,
    url: `http://127.0.0.1:${address.port}`,
    connections,
    close: () =>
      new Promise((resolve) => {
        for (const socket of connections) socket.destroy()
        server.close(() => resolve())
      }),
  }
}

/** Calls back for each complete request (head, and body by content-length) of a connection. */
export function onRequests(socket: Socket, onRequest: (head: string, body: Buffer, count: number) => void): void {
  let held = Buffer.alloc(0)
  let count = 0
  socket.on('data', (chunk) => {
    held = Buffer.concat([held, chunk])
    for (;;) {
      const end = held.indexOf('\r\n\r\n')
      if (end < 0) return
      const head = held.subarray(0, end).toString('latin1')
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
      if (held.length < end + 4 + length) return
      const body = Buffer.from(held.subarray(end + 4, end + 4 + length))
      held = Buffer.from(held.subarray(end + 4 + length))
      onRequest(head, body, count++)
    }
  })
}

export interface Heard {
  status: number
  headers: Record<string, string | string[]>
  chunks: Buffer[]
  body: Buffer
  error: OnwardError | null
  order: string[]
}

/** Sends, and waits for the one end or error; after each event `during` gets the call and what came so far. */
export function ask(
  transport: Transport,
  request: Partial<UpstreamRequest> & { url: string },
  during?: (event: string, call: UpstreamCall, told: Heard) => boolean | void,
): Promise<Heard> {
  return new Promise((resolve, reject) => {
    const told: Heard = { status: 0, headers: {}, chunks: [], body: Buffer.alloc(0), error: null, order: [] }
    let ended = false
    let call: UpstreamCall | null = null
    const tell = (event: string): boolean => {
      told.order.push(event)
      if (ended) {
        reject(new Error(`told ${event} after the end`))
        return true
      }
      return (call && during?.(event, call, told)) !== false
    }
    const end = (event: string) => {
      tell(event)
      ended = true
      told.body = Buffer.concat(told.chunks)
      // Waits a few more turns: a second end would be noticed, and the connection is free again.
      setImmediate(() => setImmediate(() => setImmediate(() => resolve(told))))
    }
    const handler: UpstreamHandler = {
      onHead(status, headers) {
        told.status = status
        told.headers = headers
        tell('head')
      },
      onData(chunk) {
        told.chunks.push(chunk)
        return tell('data')
      },
      onEnd() {
        end('end')
      },
      onError(error) {
        told.error = error
        end('error')
      },
    }
    call = transport.send(
      {
        method: 'POST',
        headers: {},
        body: Buffer.from('{}'),
        timeouts: { connectMs: 5000, firstByteMs: 5000, idleMs: 5000 },
        ...request,
      },
      handler,
    )
  })
}

export const answer = (body: string, extra = ''): string =>
  `HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${extra}\r\n${body}`
