import type { Clock } from '../../base/clock.ts'
import type { Transport } from '../types.ts'
import { upstreamCall } from './upstream-call.ts'
import { pools, type PoolOptions } from './pools.ts'

export interface UndiciTransportOptions extends PoolOptions {
  clock: Clock
}

/**
 * HTTP and HTTPS upstreams over kept-alive connections. Nothing is decompressed, followed or retried beyond a stale
 * socket.
 */
export function undiciTransport(options: UndiciTransportOptions): Transport {
  const open = pools(options)
  return {
    send: (request, handler) => upstreamCall({ clock: options.clock, pools: open }, request, handler),
    dispose: () => open.dispose(),
  }
}
