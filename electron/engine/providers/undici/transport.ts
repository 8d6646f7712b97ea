import type { Clock } from '../../base/clock.ts'
import type { Transport } from '../types.ts'
import { exchange } from './exchange.ts'
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
    send: (request, handler) => exchange({ clock: options.clock, pools: open }, request, handler),
    dispose: () => open.dispose(),
  }
}
