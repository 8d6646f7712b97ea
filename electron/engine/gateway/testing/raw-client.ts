import { connect } from 'node:net'

/** What a new piece is looked at with: the whole of a long answer at each piece would take a minute. */
const TAIL = 64 * 1024

/** A plain socket to a server, for requests that no HTTP library would send. */
export interface RawClient {
  send(...parts: (string | Uint8Array)[]): void
  /** resolves when what was received matches; rejects when the server closes first */
  until(pattern: RegExp): Promise<string>
  /** resolves with everything received when the server has closed */
  closed: Promise<string>
  received(): string
  pause(): void
  resume(): void
  destroy(): void
}

export function rawClient(port: number): RawClient {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  let tail = ''
  const waiting = new Set<(received: string) => void>()
  const wake = () => {
    for (const look of waiting) look(tail)
  }
  let open = true
  socket.on('data', (chunk: Buffer) => {
    const piece = chunk.toString('latin1')
    text += piece
    tail = tail.slice(-TAIL) + piece
    wake()
  })
  // A reset is one of the ways a server closes; 'close' follows.
  socket.on('error', wake)
  const closed = new Promise<string>((resolve) =>
    socket.on('close', () => {
      open = false
      resolve(text)
      wake()
    }),
  )
  return {
    closed,
    received: () => text,
    send(...parts) {
      for (const part of parts) socket.write(part)
    },
    pause: () => {
      socket.pause()
    },
    resume: () => {
      socket.resume()
    },
    destroy: () => {
      socket.destroy()
    },
    until: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (received: string) => {
          if (pattern.test(received)) resolve(text)
          else if (!open) reject(new Error(`closed before ${pattern}: ${text.slice(0, 500)}`))
          else return
          waiting.delete(look)
        }
        waiting.add(look)
        look(text)
      }),
  }
}

/** A whole POST of JSON as bytes. */
export function post(path: string, body: string | Buffer, headers: readonly string[] = []): Buffer {
  const data = Buffer.from(body)
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Content-Type: application/json',
    `Content-Length: ${data.length}`,
    ...headers,
  ]
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), data])
}
