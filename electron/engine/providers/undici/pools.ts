import type { Socket } from 'node:net'
import { rootCertificates } from 'node:tls'
import type { Client as UndiciClient, Dispatcher, buildConnector } from 'undici'
import { OnwardError } from '../../base/errors.ts'
import { proxyFor } from '../proxy-env.ts'
import { Pool, Client } from './parts.ts'
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

/** Goes with the dispatch options through undici's pools, so that an upstream call learns which connection took it. */
export const takenBy = Symbol('onward.taken-by')
export interface TakenBy {
  [takenBy]?: (connection: KeptConnection) => void
}

/** One kept-alive connection, seen from the request that has it. */
export interface KeptConnection {
  /** an answer has come over the connection that is open now */
  readonly used: boolean
  answered(): void
  /** the request that has it is over, however it went: no request waits for this connection any more */
  left(): void
  /** no written bytes wait for the system */
  readonly written: boolean
  /** stops reading from the socket, so that the upstream is held back; undone by `read` */
  hold(): void
  read(): void
  /** how the socket of the coming answer is read */
  readonly reads: PacedReads | null
}

interface KeptClientOptions extends UndiciClient.Options {
  connect: buildConnector.connector
}

/** An undici client that remembers whether its open connection has served before, and can leave its socket unread. */
class KeptClient extends Client implements KeptConnection {
  #opened = 0
  #servedOn = 0
  readonly #line: Line
  readonly #asking: { requests: number }

  constructor(origin: URL, options: KeptClientOptions) {
    const current: Line = { socket: null, reads: null, readers: [] }
    const asking = { requests: 0 }
    super(origin, {
      ...options,
      connect: (target, callback) => {
        // undici takes an aborted request for one that waits, and would connect for it again (seen with 7.30). The
        // callback comes later, as undici would still be in the middle of asking.
        if (asking.requests === 0) return queueMicrotask(() => callback(new Error('No request waits.'), null))
        options.connect(target, (...[error, socket]) => {
          if (error) return callback(error, null)
          current.socket = socket
          current.reads = pacedReads(socket)
          current.readers = []
          callback(null, socket)
        })
      },
    })
    this.#line = current
    this.#asking = asking
    this.on('connect', () => {
      this.#opened++
    })
  }

  get used(): boolean {
    return this.#opened > 0 && this.#servedOn === this.#opened
  }
  answered(): void {
    this.#servedOn = this.#opened
  }
  get reads(): PacedReads | null {
    return this.#line.reads
  }
  get written(): boolean {
    return this.#line.socket?.writableLength === 0
  }
  left(): void {
    this.#asking.requests--
  }

  /**
   * Instead of undici's own pause: its parser asserts that it is not paused when the other side ends or resets a
   * `connection: close` answer, and a failed assertion in a socket event ends the process (seen with undici 7.30).
   * A socket without `readable` listeners reads up to its high-water mark and then lets the kernel push back.
   */
  hold(): void {
    const { socket, readers } = this.#line
    if (!socket || readers.length > 0) return
    // Node types listeners as bare functions; undici's take no arguments.
    readers.push(...(socket.listeners('readable') as Reader[]))
    for (const reader of readers) socket.removeListener('readable', reader)
  }

  read(): void {
    const { socket, readers } = this.#line
    for (const reader of readers.splice(0)) socket?.on('readable', reader)
  }

  override dispatch(options: Dispatcher.DispatchOptions & TakenBy, handler: Dispatcher.DispatchHandler): boolean {
    if (options[takenBy]) this.#asking.requests++
    options[takenBy]?.(this)
    return super.dispatch(options, handler)
  }
}

type Reader = () => void
interface Line {
  socket: Socket | null
  reads: PacedReads | null
  readers: Reader[]
}

/** Reads of a socket, one at a time where its reader asks for that. */
interface PacedReads {
  /** from now on the socket is read once for each `next` */
  pace(): void
  next(): void
  /** the socket is read freely */
  free(): void
}

/**
 * Leaves arriving data in the kernel without waking the process. A socket's own `pause` goes on reading up to its
 * high-water mark, one system call and one turn of the event loop for each piece. So this stands between the socket and
 * Node's stream, at the two methods that Node documents for implementers of a stream: a `push` that answers false stops
 * the reading, and `_read` starts it.
 */
export function pacedReads(socket: Socket): PacedReads {
  const push = socket.push.bind(socket)
  const read = socket._read.bind(socket)
  let paced = false
  /** the stream wants data */
  let wanted = false
  /** it may read once more */
  let allowed = false
  let size = 0

  socket.push = (chunk: unknown, encoding?: BufferEncoding) => {
    const more = push(chunk, encoding)
    return paced ? false : more
  }
  socket._read = (bytes) => {
    if (paced && !allowed) {
      wanted = true
      size = bytes
      return
    }
    allowed = false
    read(bytes)
  }
  const start = () => {
    if (!wanted) return
    wanted = false
    read(size)
  }
  return {
    pace() {
      paced = true
    },
    next() {
      if (!paced) return
      allowed = !wanted
      start()
    },
    free() {
      paced = false
      allowed = false
      start()
    },
  }
}
