import type { Dispatcher } from 'undici'
import type { Clock } from '../../base/clock.ts'
import { OnwardError } from '../../base/errors.ts'
import type { UpstreamCall, UpstreamHandler, UpstreamRequest } from '../types.ts'
import { watch } from '../watch.ts'
import { delivery } from '../delivery.ts'
import { gather, type Gather } from '../gather.ts'
import { aborted, isHangUp, lateError, upstreamError, type Place } from './errors.ts'
import { takenBy, type KeptConnection, type TakenBy } from './kept-client.ts'
import { outgoing } from './outgoing.ts'
import { parseHeaders } from './parts.ts'
import type { Pools } from './pools.ts'

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

/** One request and its answer. Bytes pass as they come; the handler hears head, data and exactly one end or error. */
export function upstreamCall(
  deps: { clock: Clock; pools: Pools },
  request: UpstreamRequest,
  handler: UpstreamHandler,
): UpstreamCall {
  // The closures that live while the answer streams must not hold the request, which has its bytes.
  const { url, method, headers: own, timeouts } = request
  const { connectMs, firstByteMs, idleMs } = timeouts
  const body = request.body === null ? null : outgoing(request.body)
  const place: Place = { phase: 'connecting', host: 'the provider', proxy: null }
  let abort: ((reason?: Error) => void) | null = null
  let connection: KeptConnection | null = null
  /** the connection has served before and has not answered yet: it may be stale */
  let maybeStale = false
  let secondTry = false
  let sent = false
  let settled = false

  const patience = watch(deps.clock, (what, ms) => stop(lateError(what, ms, place)))
  const answer = delivery(handler, {
    hold() {
      patience.hold()
      connection?.hold()
    },
    read() {
      patience.release()
      connection?.read()
    },
  })
  /** for an answer that comes in events */
  let pieces: Gather | null = null
  const seeSent = () => {
    // After a failed first try it is unknown when its broken connection has let go of the bytes.
    sent ||= !secondTry && (connection?.written ?? false)
  }
  const settle = () => {
    settled = true
    patience.dispose()
    body?.drop()
  }

  /** we end it, not the upstream */
  function stop(error: OnwardError): void {
    settle()
    pieces?.dispose()
    answer.cut(error)
    abort?.(error)
  }
  function failed(cause: unknown): void {
    settle()
    pieces?.end()
    const error = OnwardError.isInstance(cause) ? cause : upstreamError(cause, place)
    // Before the head nothing waits; reported later, because the caller may not have its UpstreamCall yet.
    if (place.phase === 'answering') answer.end(error)
    else answer.cut(error)
  }

  // In the form that undici's core itself calls (7.30). It wraps any other form, which for each piece of many slow
  // streams costs a twentieth of all work on it: by then the wrapper's fields are in no cache of the processor.
  const listener: Dispatcher.DispatchHandler = {
    onConnect(given) {
      abort = given
      if (answer.over) {
        given(aborted('The request was given up before a connection stood.'))
        return
      }
      maybeStale = connection?.used ?? false
      place.phase = 'sent'
      patience.waitFor('first-byte', firstByteMs)
    },
    onResponseStarted() {
      maybeStale = false
    },
    onHeaders(status, lines) {
      if (answer.over || status < 200) return true
      place.phase = 'answering'
      seeSent()
      body?.drop()
      patience.waitFor('idle', idleMs)
      const headers = parseHeaders(lines)
      if (connection?.reads && isEventStream(headers['content-type']))
        pieces = gather(deps.clock, connection.reads, answer.data)
      answer.head(status, headers)
      return true
    },
    onData(chunk) {
      if (answer.over) return true
      patience.touch()
      if (pieces) pieces.data(chunk)
      else answer.data(chunk)
      return true
    },
    onComplete() {
      seeSent()
      settle()
      pieces?.end()
      connection?.answered()
      connection?.left()
      answer.end(null)
    },
    onError(cause) {
      connection?.left()
      if (answer.over) return settle()
      const again =
        maybeStale && !secondTry && place.phase === 'sent' && (body === null || body.whole) && isHangUp(cause)
      if (!again) return failed(cause)
      secondTry = true
      dispatch()
    },
  }

  function dispatch(): void {
    place.phase = 'connecting'
    abort = null
    try {
      const route = deps.pools.route(url, connectMs)
      place.host = route.host
      place.proxy = route.proxy
      patience.waitFor('connect', connectMs)
      const options: Dispatcher.DispatchOptions & TakenBy = {
        origin: route.origin,
        path: route.path,
        method,
        headers: headerLines(own, route.headers, body),
        // undici takes any iterable of buffers; its types name only the usual bodies.
        body: (body === null || body.length === 0 ? null : (body.small ?? body)) as unknown as Buffer | null,
        [takenBy]: (by) => {
          connection = by
        },
      }
      route.dispatcher.dispatch(options, listener)
    } catch (error) {
      failed(error)
    }
  }
  dispatch()

  return {
    abort() {
      stop(aborted('The request was aborted: the client left.'))
    },
    dump() {
      if (settled) return
      pieces?.dispose()
      pieces = null
      answer.cut(aborted('The answer was whole before its body ended.'))
      connection?.read()
      patience.release()
      patience.waitFor('idle', DUMP_MS)
    },
    resume() {
      answer.resume()
    },
    sent: () => sent,
    sending: () => place.phase === 'connecting' || (place.phase === 'sent' && connection?.written === false),
    mayBeSilent(ms) {
      if (!settled) patience.limit(ms)
      return patience.longest()
    },
    longestSilence: () => patience.longest(),
  }
}

const isEventStream = (type: string | string[] | undefined): boolean =>
  typeof type === 'string' && /^text\/event-stream\b/i.test(type)
