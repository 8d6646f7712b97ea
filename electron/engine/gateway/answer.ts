/** The gateway's own answers: small JSON pages, and errors in the shape the caller's library reads. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { EntryProtocol } from '../../../shared/words.ts'
import type { Clock } from '../base/clock.ts'
import type { ErrorInput } from '../protocol/types.ts'
import type { GatewayDeps } from './types.ts'
import { STATUS_CODES } from 'node:http'

/** How long a refused request may go on sending its body into the void before the connection is cut, in ms. */
export const lingerMs = 5000

/** The shape to use where the path names no entry. */
export function guessShape(path: string, headers: Readonly<Record<string, string>>): EntryProtocol {
  if (/^(?:\/v1)?\/v1(?:alpha|beta)/.test(path) || headers['x-goog-api-key'] !== undefined) return 'gemini'
  if (path.includes('/messages') || headers['anthropic-version'] !== undefined || headers['x-api-key'] !== undefined)
    return 'messages'
  return path.includes('/responses') ? 'responses' : 'chat'
}

export interface ErrorAnswer extends ErrorInput {
  headers?: Record<string, string>
}

/** Answers before the body was read or understood. A body still on its way is thrown away, for a bounded time. */
export function answerError(
  deps: Pick<GatewayDeps, 'errorBody' | 'clock'>,
  req: IncomingMessage,
  res: ServerResponse,
  shape: EntryProtocol,
  error: ErrorAnswer,
): void {
  answerBytes(
    req,
    res,
    error.status,
    deps.errorBody(shape, error),
    { 'x-request-id': error.requestId, ...error.headers },
    endAfterBody,
  )
  if (req.complete) return
  const cut = deps.clock.after(lingerMs, () => req.socket.destroy())
  req.once('close', () => cut.dispose())
}

export const answerJson = (req: IncomingMessage, res: ServerResponse, status: number, value: unknown): void =>
  answerBytes(req, res, status, Buffer.from(JSON.stringify(value)), {}, endNow)

export const answerText = (req: IncomingMessage, res: ServerResponse, text: string, type: string): void =>
  answerBytes(req, res, 200, Buffer.from(text), { 'content-type': type, 'cache-control': 'no-store' }, endNow)

type End = (req: IncomingMessage, res: ServerResponse, body: Buffer | undefined) => void

const endNow: End = (_req, res, body) => {
  res.end(body)
}

/**
 * A connection that closes after this answer is reset when it closes while the client still sends, and a reset takes
 * the answer with it (RFC 9112, 9.6): the answer goes out whole, the end waits for the rest of the body.
 */
const endAfterBody: End = (req, res, body) => {
  const sendsOn = !req.complete && req.headers.expect === undefined
  if (!sendsOn || res.shouldKeepAlive || body === undefined) return endNow(req, res, body)
  const end = () => {
    res.end()
  }
  res.write(body)
  req.once('end', end).once('close', end).resume()
}

function answerBytes(
  req: IncomingMessage,
  res: ServerResponse,
  status: number,
  body: Buffer,
  headers: Record<string, string>,
  end: End,
): void {
  // A client that waits for "100 Continue" sends no body after another answer: the connection can't be read on.
  const close: Record<string, string> = req.headers.expect !== undefined && !req.complete ? { connection: 'close' } : {}
  res.writeHead(status, {
    'content-type': 'application/json',
    'content-length': String(body.length),
    'x-content-type-options': 'nosniff',
    ...headers,
    ...close,
  })
  end(req, res, req.method === 'HEAD' ? undefined : body)
}

/** A whole JSON answer as bytes, for sockets that node:http has let go of. The connection ends with it. */
export function endRaw(
  clock: Clock,
  socket: Duplex,
  status: number,
  body: Buffer,
  headers: Record<string, string> = {},
): void {
  const all = {
    connection: 'close',
    'content-type': 'application/json',
    'content-length': String(body.length),
    ...headers,
  }
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...Object.entries(all).map(([name, value]) => `${name}: ${value}`),
  ].join('\r\n')
  socket.end(Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), body]))
  // The server forgot this connection; a client that neither reads nor leaves would have it for ever.
  socket.resume()
  const cut = clock.after(lingerMs, () => socket.destroy())
  socket.once('close', () => cut.dispose())
}
