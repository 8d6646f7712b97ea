import { type IncomingMessage, type ServerResponse, validateHeaderName, validateHeaderValue } from 'node:http'
import type { EntryProtocol } from '../../../shared/words.ts'
import { OnwardError, messageOf } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import type { Mutable } from '../base/mutable.ts'
import type { Reply } from '../pipeline/turn.ts'
import { limitHeaders, type UsageLimit } from '../protocol/failures/usage-limit.ts'
import type { Refusal } from './access/authenticate.ts'
import { answerError } from './answer.ts'
import type { Connections } from './connections.ts'
import type { Address } from './paths.ts'
import type { GatewayDeps } from './types.ts'

/** One request on its way through the gateway. */
export interface HttpCall {
  req: IncomingMessage
  res: ServerResponse
  requestId: string
  receivedAt: number
  address: Address
  headers: Record<string, string>
  shape: EntryProtocol
}

/** Says no before the body is read. */
export function refuse(
  deps: GatewayDeps,
  call: HttpCall,
  refusal: Refusal,
  headers: Record<string, string> = {},
): void {
  const { requestId, req, res, shape } = call
  deps.log.info({ requestId, code: refusal.code, status: refusal.status }, 'a request was refused')
  answerError(deps, req, res, shape, { ...refusal, requestId, headers })
}

/** The last stop of every error: answered in the entry's shape, or broken off where an answer has begun. */
export function fail(deps: GatewayDeps, call: HttpCall, reply: OpenReply | null, error: unknown): void {
  const known = OnwardError.isInstance(error)
    ? error
    : new OnwardError('internal-error', 'Something went wrong inside Onward. Its log has the request id.', {
        cause: error,
      })
  const { requestId, req, res, shape } = call
  const fields = { requestId, code: known.code, status: known.status, error: messageOf(error) }
  if (known.status >= 500)
    deps.log.error({ ...fields, stack: error instanceof Error ? error.stack : undefined }, 'a request failed')
  else deps.log.info(fields, 'a request was refused')
  if (reply?.left || reply?.ended || res.destroyed) return
  if (reply?.headSent) return reply.abort()
  if (res.headersSent) return void req.socket.destroy()
  const limit = usageLimit(known, deps.clock.now())
  const facts = {
    status: known.status,
    code: known.code,
    message: known.message,
    requestId,
    ...(limit ? { limit } : {}),
  }
  const headers = { ...retryAfter(known), ...(limit ? limitHeaders(shape, limit) : {}) }
  if (!reply) return answerError(deps, req, res, shape, { ...facts, headers })
  const body = deps.errorBody(shape, facts)
  reply.head(known.status, {
    'content-type': 'application/json',
    'content-length': String(body.length),
    'x-request-id': requestId,
    ...headers,
  })
  reply.end(body)
}

/** `details.retryAfter` of an error: seconds, or the very text an upstream sent. */
function retryAfter(error: OnwardError): Record<string, string> {
  const value = error.details['retryAfter']
  if (typeof value === 'number' && Number.isFinite(value))
    return { 'retry-after': String(Math.max(0, Math.ceil(value))) }
  return typeof value === 'string' && /^[\x20-\x7e]+$/.test(value) ? { 'retry-after': value } : {}
}

/** `details.limit` of an error: everything that was asked, or would be, is at a limit. */
function usageLimit({ details }: OnwardError, now: number): UsageLimit | null {
  const { limit, window } = details
  if (typeof limit !== 'object' || limit === null || !('lifts' in limit)) return null
  const { lifts } = limit
  return {
    window: typeof window === 'string' ? window : null,
    lifts: typeof lifts === 'number' ? lifts : null,
    now,
  }
}

/** Lower-case names with one text each. node:http has joined what came more than once; only set-cookie is a list. */
export function flatHeaders(req: IncomingMessage): Record<string, string> {
  const cookies = req.headers['set-cookie']
  // The type allows lists and undefined for every name; node:http makes neither for a request, set-cookie apart.
  const headers = req.headers as Record<string, string>
  if (cookies) headers['set-cookie'] = cookies.join(', ')
  return headers
}

const nothing = Buffer.alloc(0)

/** Bytes collected within one turn before they are written anyway. */
const flushBytes = 16 * 1024

export interface OpenReply extends Reply {
  /** `end` was called; the rest may still be on its way */
  readonly ended: boolean
}

/**
 * The client's response. Chunks written while one read of the upstream's socket is handled leave as one write: on a
 * burst of small events the system call is what costs. They leave before the next socket is read, for an event that has
 * come should not wait for those of other streams. One exchange closes when its answer was handed over whole or the
 * client's socket closed, whichever is first; a kept-alive connection lives on.
 */
export function openReply(
  req: IncomingMessage,
  res: ServerResponse,
  requestId: string,
  connections: Connections,
  log: Log,
): OpenReply {
  const { socket } = req
  const unsent = collected()
  let scheduled = false
  let closed = false
  let announcedBytes: number | null = null
  const drained = new Set<() => void>()
  const onClosed: (() => void)[] = []

  const close = () => {
    if (closed) return
    closed = true
    reply.left = !reply.finished
    connections.release(socket, close)
    for (const listener of onClosed.splice(0)) listener()
  }
  connections.hold(socket, close)
  // First in line: node's own listener may close the socket after the last response. A destroyed socket's buffered
  // writes also end in 'finish', though no client got them.
  res.prependListener('finish', () => {
    reply.finished = !socket.destroyed
    if (reply.finished) reply.left = false
  })
  res.on('close', close)
  res.on('drain', () => {
    for (const listener of drained) listener()
  })

  const flush = () => {
    scheduled = false
    if (closed || reply.ended || !reply.headSent) return
    const data = unsent.take()
    // With no data yet an empty write: flushHeaders() would write header bytes above ASCII as UTF-8, twice encoded.
    res.write(data ?? nothing)
  }
  const schedule = () => {
    if (scheduled) return
    scheduled = true
    process.nextTick(flush)
  }
  /** the end, which may leave with those of others */
  let ending: (() => void) | null = null
  const writeEnd = () => {
    const write = ending
    ending = null
    write?.()
  }

  const reply: Mutable<OpenReply> = {
    headSent: false,
    ended: false,
    finished: false,
    left: false,
    head(status, headers) {
      if (reply.headSent) throw new OnwardError('reply-head-twice', 'The head of this reply was already sent.')
      reply.headSent = true
      if (closed) return
      const length = headers['content-length']
      announcedBytes = length === undefined ? null : Number(length)
      writeHead(res, status, headerLines(headers, requestId), log)
      schedule()
    },
    write(chunk) {
      mustHaveHead(reply)
      // No client is there to drain for; onClose has told the writer.
      if (closed || reply.ended || chunk.length === 0) return true
      unsent.add(chunk)
      if (unsent.bytes >= flushBytes) flush()
      else schedule()
      return !res.writableNeedDrain
    },
    end(chunk) {
      mustHaveHead(reply)
      if (closed || reply.ended) return
      if (chunk && chunk.length > 0) unsent.add(chunk)
      reply.ended = true
      const data = unsent.take()
      ending = () => {
        if (closed) return
        if (data) res.end(data)
        else res.end()
        const sentBytes = unsent.total
        if (announcedBytes === null || announcedBytes === sentBytes || req.method === 'HEAD') return
        // A client would wait for the rest for ever, or take what is too much for its next answer's head.
        log.error({ requestId, toldBytes: announcedBytes, sentBytes }, 'an answer was not as long as its head said')
        socket.destroySoon()
      }
      connections.writeTogether(writeEnd)
    },
    onDrain(listener) {
      drained.add(listener)
    },
    onClose(listener) {
      if (closed) queueMicrotask(listener)
      else onClosed.push(listener)
    },
    abort() {
      if (closed || reply.finished) return
      writeEnd()
      flush()
      reply.ended = true
      // Written bytes still arrive. Without a length or chunks, in HTTP/1.0, only a reset shows that more was to come.
      if (req.httpVersionMinor === 0) socket.resetAndDestroy()
      else socket.destroySoon()
    },
  }
  return reply
}

type Header = string | string[]

/** The chunks of the next write. */
function collected() {
  let chunks: Uint8Array[] = []
  const unsent = {
    bytes: 0,
    /** of all chunks so far */
    total: 0,
    add(chunk: Uint8Array): void {
      chunks.push(chunk)
      unsent.bytes += chunk.length
      unsent.total += chunk.length
    },
    take(): Uint8Array | undefined {
      const data = chunks.length > 1 ? Buffer.concat(chunks, unsent.bytes) : chunks[0]
      chunks = []
      unsent.bytes = 0
      return data
    },
  }
  return unsent
}

function mustHaveHead({ headSent }: OpenReply): void {
  if (!headSent) throw new OnwardError('reply-without-head', 'A body was written before its head.')
}

/** Names and values in turn, as node:http takes them without making an object of its own. */
function headerLines(headers: Readonly<Record<string, Header>>, requestId: string): Header[] {
  const lines: Header[] = []
  for (const name of Object.keys(headers)) if (name !== 'x-content-type-options') lines.push(name, headers[name] ?? '')
  // A provider's own id is kept for its support; ours, by which the turn is recorded, then stands beside it.
  lines.push(headers['x-request-id'] === undefined ? 'x-request-id' : 'x-onward-request-id', requestId)
  // And whatever a model wrote is no page, should a browser come to show it.
  lines.push('x-content-type-options', 'nosniff')
  return lines
}

/** An upstream's header that HTTP does not allow is left out rather than costing the whole answer. */
function writeHead(res: ServerResponse, status: number, lines: readonly Header[], log: Log): void {
  try {
    res.writeHead(status, [...lines])
  } catch (error) {
    const refused: string[] = []
    const good: Header[] = []
    for (let i = 0; i < lines.length; i += 2) {
      const [name, value] = [String(lines[i]), lines[i + 1] ?? '']
      if (isLegal(name, value)) good.push(name, value)
      else refused.push(name)
    }
    if (refused.length === 0) throw error
    log.warn({ headers: refused }, 'left out response headers that HTTP does not allow')
    res.writeHead(status, good)
  }
}

function isLegal(name: string, value: string | string[]): boolean {
  try {
    validateHeaderName(name)
    for (const one of Array.isArray(value) ? value : [value]) validateHeaderValue(name, one)
    return true
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}
