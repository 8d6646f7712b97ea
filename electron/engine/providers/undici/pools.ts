import { rootCertificates } from 'node:tls'
import type { Client as UndiciClient, Dispatcher } from 'undici'
import { OnwardError } from '../../base/errors.ts'
import { proxyFor } from '../proxy-env.ts'
import { KeptClient, type KeptClientOptions } from './kept-client.ts'
import { Pool } from './parts.ts'
import { tunnelConnector } from './tunnel.ts'

/**
 * Kept open between the turns of an agent that thinks, tests and compiles for minutes. A server's own keep-alive hint
 * still shortens it; after a socket that went stale all the same, the call tries once more.
 */
const KEEP_ALIVE_MS = 5 * 60_000
/** Vendors send long rate-limit and policy headers; Node's own limit is 16 KiB. */
const MAX_HEADER_BYTES = 128 * 1024
const MOST_ROUTES = 500

export interface PoolOptions {
  env: Readonly<Record<string, string | undefined>>
  /** PEM certificates trusted in addition to the system's */
  ca?: string
}

/**
 * Where a request is dispatched: plain http through a proxy asks the proxy itself in absolute form, everything else is
 * a path.
 */
export interface Route {
  dispatcher: Dispatcher
  origin: string
  path: string
  headers: Readonly<Record<string, string>>
  /**
   * host and port of the upstream, and of the proxy in between: the only parts of an address that a message may contain
   */
  host: string
  proxy: string | null
}

export interface Pools {
  /**
   * @throws OnwardError `upstream-unreachable` for an address that is not http or https, or a proxy that can't be used
   */
  route(address: string, connectMs: number): Route
  dispose(): Promise<void>
}

/** One pool of kept-alive connections per origin and proxy: unbounded, one request at a time on each. */
export function pools(options: PoolOptions): Pools {
  const open = new Map<string, Dispatcher>()
  /** agents call the same few addresses again and again, so each is parsed once */
  const routes = new Map<string, Route>()
  const tls = options.ca === undefined ? {} : { ca: [...rootCertificates, options.ca] }

  const base = (connectMs: number): UndiciClient.Options => ({
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: 2 * KEEP_ALIVE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    // The call's own watch counts the time; undici's timers would take a paused client for a silent upstream.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { ...tls, timeout: connectMs },
  })
  const poolOf = (origin: string, clientOptions: UndiciClient.Options): Dispatcher =>
    new Pool(origin, {
      ...clientOptions,
      connections: null,
      // The pool has made `connect` a function by now.
      factory: (to, opts) => new KeptClient(to, opts as KeptClientOptions),
    })
  const kept = (key: string, create: () => Dispatcher): Dispatcher => {
    const known = open.get(key)
    if (known) return known
    const fresh = create()
    open.set(key, fresh)
    return fresh
  }

  const find = (url: URL, connectMs: number): Route => {
    const path = url.pathname + url.search
    const proxy = proxyFor(url, options.env)
    if (!proxy) {
      return {
        dispatcher: kept(`${url.origin} ${connectMs}`, () => poolOf(url.origin, base(connectMs))),
        origin: url.origin,
        path,
        headers: {},
        host: url.host,
        proxy: null,
      }
    }
    const authorization = proxyAuthorization(proxy)
    if (url.protocol === 'http:') {
      const headers = { host: url.host, ...(authorization === null ? {} : { 'proxy-authorization': authorization }) }
      return {
        dispatcher: kept(`via ${proxy.href} ${connectMs}`, () => poolOf(proxy.origin, base(connectMs))),
        origin: proxy.origin,
        path: url.origin + path,
        headers,
        host: url.host,
        proxy: proxy.host,
      }
    }
    const dispatcher = kept(`${url.origin} via ${proxy.href} ${connectMs}`, () =>
      poolOf(url.origin, { ...base(connectMs), connect: tunnelConnector({ proxy, authorization, tls, connectMs }) }),
    )
    return { dispatcher, origin: url.origin, path, headers: {}, host: url.host, proxy: proxy.host }
  }

  return {
    route(address, connectMs) {
      const key = `${connectMs} ${address}`
      const known = routes.get(key)
      if (known) return known
      if (routes.size >= MOST_ROUTES) routes.clear()
      const route = find(httpUrl(address), connectMs)
      routes.set(key, route)
      return route
    },
    async dispose() {
      const all = [...open.values()]
      open.clear()
      routes.clear()
      await Promise.all(all.map((dispatcher) => dispatcher.destroy()))
    },
  }
}

function httpUrl(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : null
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  // Scheme and host only: the rest of an address may hold secrets.
  const named = url ? `${url.protocol}//${url.host}` : 'What the provider names'
  throw new OnwardError(
    'upstream-unreachable',
    `${named} is not an http or https address. Look at the provider's baseUrl.`,
    { status: 502 },
  )
}

function proxyAuthorization(proxy: URL): string | null {
  if (proxy.username === '') return null
  return (
    'Basic ' +
    `${Buffer.from(`${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`).toString('base64')}`
  )
}
