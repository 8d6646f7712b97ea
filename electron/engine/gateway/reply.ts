import { validateHeaderName, validateHeaderValue, type IncomingMessage, type ServerResponse } from 'node:http'
import { OnwardError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import type { Mutable } from '../base/mutable.ts'
import type { Reply } from '../pipeline/turn.ts'
import type { Connections } from './connections.ts'

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
