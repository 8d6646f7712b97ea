import { createSocket } from 'node:dgram'
import { answerTo, type Saying } from './answer-to.ts'

export interface SntpResponder {
  /** `127.0.0.1:<port>` */
  readonly address: string
  readonly requests: readonly Uint8Array[]
  close(): Promise<void>
}

/** A time server on this computer whose clock is off by `offsetMs`. `says`: null is no answer */
export async function startSntpResponder({
  offsetMs = 0,
  says = () => ({}),
}: {
  offsetMs?: number
  says?: (request: Uint8Array, port: number) => Partial<Saying> | null
} = {}): Promise<SntpResponder> {
  const socket = createSocket('udp4')
  const requests: Uint8Array[] = []
  socket.on('message', (request, from) => {
    requests.push(request)
    const now = Date.now() + offsetMs
    const saying = says(request, from.port)
    if (saying !== null)
      socket.send(answerTo(request, { received: now, answered: now, ...saying }), from.port, from.address)
  })
  await new Promise<void>((done) => {
    socket.bind(0, '127.0.0.1', done)
  })
  return {
    address: `127.0.0.1:${socket.address().port}`,
    requests,
    close: () =>
      new Promise((done) => {
        socket.close(() => done())
      }),
  }
}
