import { pause, type Clock } from '../../../base/clock.ts'
import type { ServerAddress, Udp } from '../udp.ts'
import { answerTo, type Saying } from './answer-to.ts'

export interface FakeServer {
  /** how far its clock is before the virtual one, which is never set */
  offsetMs?: number
  /** of the request's way */
  thereMs?: number
  /** of the answer's way */
  backMs?: number
  /** between hearing and answering */
  thinkMs?: number
  says?: Partial<Saying>
  /** until a socket is open */
  openMs?: number
  /** nothing comes back */
  silent?: boolean
  /** refused by the system at once */
  unreachable?: boolean
  /** any datagrams besides the answer, before it */
  besides?: (request: Uint8Array) => readonly Uint8Array[]
  addresses?: readonly string[]
}

export interface FakeServers extends Udp {
  /** by host or address; change it at will */
  readonly servers: Record<string, FakeServer>
  /** every request: to whom */
  readonly asked: string[]
  /** sockets that are open now */
  openSockets(): number
}

/** Time servers on a virtual clock. Answers come also to closed sockets, as nothing promises that they don't. */
export function fakeServers(clock: Clock, servers: Record<string, FakeServer>): FakeServers {
  const asked: string[] = []
  let sockets = 0
  return {
    servers,
    asked,
    openSockets: () => sockets,
    async addresses(host, signal) {
      signal.throwIfAborted()
      return servers[host]?.addresses ?? [host]
    },
    async open({ host, port }: ServerAddress, heard) {
      const { openMs } = servers[host] ?? {}
      if (openMs !== undefined) await pause(clock, openMs)
      sockets++
      let open = true
      return {
        send(request) {
          asked.push(port === 123 ? host : `${host}:${port}`)
          const {
            offsetMs = 0,
            thereMs = 10,
            backMs = 10,
            thinkMs = 0,
            says,
            silent,
            unreachable,
            besides,
          } = servers[host] ?? { silent: true }
          if (unreachable) return heard.failed(Object.assign(new Error('nobody there'), { code: 'ECONNREFUSED' }))
          if (silent) return
          const there = clock.monotonic() + thereMs
          const received = clock.now() + thereMs + offsetMs
          const answer = answerTo(request, { received, answered: received + thinkMs, ...says })
          clock.after(there + thinkMs + backMs - clock.monotonic(), () => {
            for (const bytes of [...(besides?.(request) ?? []), answer, answer]) heard.datagram(bytes)
          })
        },
        close() {
          if (open) sockets--
          open = false
        },
      }
    },
  }
}
