import type { Dispatcher } from 'undici'
import type { Clock } from '../../base/clock.ts'
import { OnwardError } from '../../base/errors.ts'
import { ownShare } from '../../base/work.ts'
import type { Mutable } from '../../base/mutable.ts'
import { delivery, type Delivery, gather, type Gather } from '../delivery.ts'
import { watch, type Watch } from '../time-limits.ts'
import type { Transport, UpstreamCall, UpstreamHandler, UpstreamRequest } from '../types.ts'
import { aborted, isHangUp, lateError, upstreamError, type Place } from './errors.ts'
import { parseHeaders } from './parts.ts'
import { pools, type PoolOptions, takenBy, type KeptConnection, type TakenBy, type Pools } from './pools.ts'

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

/**
 * Returns names and values in turn, as undici takes them without making an object of its own; of two with one name the
 * later counts.
 */
function headerLines(
  own: Readonly<Record<string, string>>,
  ofRoute: Readonly<Record<string, string>> | undefined,
  body: { length: number } | null,
): string[] {
  const lines: string[] = []
  for (const name of Object.keys(own))
    if (ofRoute?.[name] === undefined && !(body && name === 'content-length')) lines.push(name, own[name] ?? '')
  if (ofRoute) for (const name of Object.keys(ofRoute)) lines.push(name, ofRoute[name] ?? '')
  if (body) lines.push('content-length', String(body.length))
  return lines
}

/** How long to wait for the end of a body whose answer is whole. */
const DUMP_MS = 1_000

interface Call {
  deps: { clock: Clock; pools: Pools }
  how: Pick<UpstreamRequest, 'url' | 'method' | 'headers'> & { connectMs: number }
  body: Outgoing | null
  place: Place
  patience: Watch
  answer: Delivery
  abort: ((reason?: Error) => void) | null
  connection: KeptConnection | null
  secondTry: boolean
  settled: boolean
  /** for an answer that comes in events */
  pieces: Gather | null
}

/** One request and its answer. Bytes pass as they come; the handler hears head, data and exactly one end or error. */
function upstreamCall(deps: Call['deps'], request: UpstreamRequest, handler: UpstreamHandler): UpstreamCall {
  // The closures that live while the answer streams must not hold the request, which has its bytes.
  const { url, method, headers, timeouts } = request
  const { connectMs, firstByteMs, idleMs } = timeouts
  const body = request.body === null ? null : outgoing(request.body)
  const place: Place = { phase: 'connecting', host: 'the provider', proxy: null }
  /** the connection has served before and has not answered yet: it may be stale */
  let maybeStale = false

  const patience = watch(deps.clock, (what, ms) => stop(call, lateError(what, ms, place)))
  const answer = delivery(handler, {
    hold() {
      patience.hold()
      call.connection?.hold()
    },
    read() {
      patience.release()
      call.connection?.read()
    },
  })
  const call: Call = {
    deps,
    how: { url, method, headers, connectMs },
    body,
    place,
    patience,
    answer,
    abort: null,
    connection: null,
    secondTry: false,
    settled: false,
    pieces: null,
  }

  // In the form that undici's core itself calls (7.30). It wraps any other form, which for each piece of many slow
  // streams costs a twentieth of all work on it: by then the wrapper's fields are in no cache of the processor.
  const listener: Dispatcher.DispatchHandler = {
    onConnect(given) {
      call.abort = given
      if (answer.over) {
        given(aborted('The request was given up before a connection stood.'))
        return
      }
      maybeStale = call.connection?.used ?? false
      place.phase = 'sent'
      patience.waitFor('first-byte', firstByteMs)
    },
    onResponseStarted() {
      maybeStale = false
    },
    onHeaders(status, lines) {
      if (answer.over || status < 200) return true
      place.phase = 'answering'
      body?.drop()
      patience.waitFor('idle', idleMs)
      const headers = parseHeaders(lines)
      if (call.connection?.reads && isEventStream(headers['content-type']))
        call.pieces = gather(deps.clock, call.connection.reads, answer.data)
      answer.head(status, headers)
      return true
    },
    onData(chunk) {
      if (answer.over) return true
      patience.touch()
      if (call.pieces) call.pieces.data(chunk)
      else answer.data(chunk)
      return true
    },
    onComplete() {
      settle(call)
      call.pieces?.end()
      call.connection?.answered()
      call.connection?.left()
      answer.end(null)
    },
    onError(cause) {
      call.connection?.left()
      if (answer.over) return settle(call)
      const again =
        maybeStale && !call.secondTry && place.phase === 'sent' && (body === null || body.whole) && isHangUp(cause)
      if (!again) return failed(call, cause)
      call.secondTry = true
      dispatch(call, listener)
    },
  }
  dispatch(call, listener)

  return {
    abort() {
      stop(call, aborted('The request was aborted: the client left.'))
    },
    dump() {
      if (call.settled) return
      call.pieces?.dispose()
      call.pieces = null
      answer.cut(aborted('The answer was whole before its body ended.'))
      call.connection?.read()
      patience.release()
      patience.waitFor('idle', DUMP_MS)
    },
    resume() {
      answer.resume()
    },
    sending: () => place.phase === 'connecting' || (place.phase === 'sent' && call.connection?.written === false),
    mayBeSilent(ms) {
      if (!call.settled) patience.limit(ms)
      return patience.longest()
    },
    longestSilence: () => patience.longest(),
  }
}

function settle(call: Call) {
  call.settled = true
  call.patience.dispose()
  call.body?.drop()
}

/** we end it, not the upstream */
function stop(call: Call, error: OnwardError): void {
  settle(call)
  call.pieces?.dispose()
  call.answer.cut(error)
  call.abort?.(error)
}

function failed(call: Call, cause: unknown): void {
  settle(call)
  call.pieces?.end()
  const error = OnwardError.isInstance(cause) ? cause : upstreamError(cause, call.place)
  // Before the head nothing waits; reported later, because the caller may not have its UpstreamCall yet.
  if (call.place.phase === 'answering') call.answer.end(error)
  else call.answer.cut(error)
}

function dispatch(call: Call, listener: Dispatcher.DispatchHandler): void {
  const { body, place } = call
  const { url, method, headers, connectMs } = call.how
  place.phase = 'connecting'
  call.abort = null
  try {
    const route = call.deps.pools.route(url, connectMs)
    place.host = route.host
    place.proxy = route.proxy
    call.patience.waitFor('connect', connectMs)
    const options: Dispatcher.DispatchOptions & TakenBy = {
      origin: route.origin,
      path: route.path,
      method,
      headers: headerLines(headers, route.headers, body),
      // undici takes any iterable of buffers; its types name only the usual bodies.
      body: (body === null || body.length === 0 ? null : (body.small ?? body)) as unknown as Buffer | null,
      [takenBy]: (by) => {
        call.connection = by
      },
    }
    route.dispatcher.dispatch(options, listener)
  } catch (error) {
    failed(call, error)
  }
}

const isEventStream = (type: string | string[] | undefined): boolean =>
  typeof type === 'string' && /^text\/event-stream\b/i.test(type)

/**
 * A request body on its way: undici keeps the body object until the answer has ended, so it gets this one, and the
 * bytes themselves can go as soon as the answer begins. 512 slow streams must not keep 512 request bodies in memory.
 */
export interface Outgoing extends AsyncIterable<Buffer> {
  readonly length: number
  /** the bytes are still here and can be sent again */
  readonly whole: boolean
  /**
   * a body so small that it may stay as long as the answer lasts, and is written with the head in one go; null: it is
   * larger
   */
  readonly small: Buffer | null
  drop(): void
}

const smallBytes = 8 * 1024
/** Bytes that a socket gets at once: the system copies all that it takes of them before other work has its turn. */
const pieceBytes = 1024 * 1024

export function outgoing(body: Buffer | readonly Buffer[]): Outgoing {
  let pieces: readonly Buffer[] | null = (Buffer.isBuffer(body) ? [body] : body).filter((piece) => piece.length > 0)
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  const joined = length > smallBytes ? null : pieces.length === 1 ? (pieces[0] ?? null) : Buffer.concat(pieces)
  const outgoing: Mutable<Outgoing> = {
    length,
    whole: true,
    small: joined,
    drop() {
      pieces = null
      outgoing.whole = false
      outgoing.small = null
    },
    async *[Symbol.asyncIterator]() {
      // Indexed, so that a drop in the middle of sending ends it at once.
      for (let i = 0; pieces && i < pieces.length; i++) {
        const { length = 0 } = pieces[i] ?? {}
        for (let at = 0; at < length; at += pieceBytes) {
          // A socket with room takes one piece after the other within one turn of the loop.
          if (at > 0) await ownShare()
          const piece = pieces?.[i]
          if (!piece) return
          yield piece.subarray(at, at + pieceBytes)
        }
      }
    },
  }
  return outgoing
}
