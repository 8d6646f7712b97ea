import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Disposable } from '../base/disposable.ts'
import type { Duplex } from 'node:stream'
import { systemCodeOf } from '../base/errors.ts'
import { endRaw } from './answer.ts'
import type { GatewayDeps } from './types.ts'

/**
 * The open sockets and the HTTP calls on each: node:http emits nothing on a pipelined, still waiting response when its
 * client leaves.
 */
export interface Connections extends Disposable {
  /** `gone` runs when the socket closes, unless released before */
  hold(socket: Socket, gone: () => void): void
  release(socket: Socket, gone: () => void): void
  /**
   * Writes the end of an answer: at once where no other call is open, else with those of others when this turn of the
   * event loop ends. Who waits for several of them is woken once: with 64 calls at a time the wake-ups took a fifth of
   * each (Redis writes its replies so, in beforeSleep).
   */
  writeTogether(write: () => void): void
  /**
   * Resolves when a call to a model may begin; null: at once. While connections come in it waits, for half a second at
   * most; then one call begins in each turn of the event loop.
   *
   * A turn of the loop accepts one connection (libuv 1.45). After a restart all clients are back at once, and the first
   * calls take long: pages and health checks after them would wait for all.
   */
  calm(): Promise<void> | null
  /** an answer is under way on this socket */
  isBusy(socket: Socket): boolean
  /** to the last request on this socket, of whatever kind, while any answer on it is not out yet; else null */
  openAnswer(socket: Socket): ServerResponse | null
  /** requests whose answer is not out yet, of whatever kind */
  open(): number
  /**
   * From here on a connection ends with its answer, and `ended` runs whenever one has ended. The server no longer
   * listens; connections that are no longer HTTP are left to who took them over.
   */
  finish(ended: () => void): void
}

const LONGEST_WAIT_MS = 500

export function trackConnections(server: Server): Connections {
  const open = new Map<Socket, Set<() => void>>()
  /** calls on all of them */
  let calls = 0
  let writes: (() => void)[] = []
  const writeAll = () => {
    const all = writes
    writes = []
    for (const write of all) write()
  }
  /** connections since the last look */
  let came = 0
  const waitingCalls: (() => void)[] = []
  let calmBy = 0
  function beginNext(): void {
    if (came === 0 || performance.now() > calmBy) waitingCalls.shift()?.()
    came = 0
    if (waitingCalls.length > 0) setImmediate(beginNext)
  }
  server.on('connection', (socket: Socket) => {
    came += 1
    // A connection handed back after an upgrade we don't do comes by a second time.
    if (open.has(socket)) return
    const exchanges = new Set<() => void>()
    open.set(socket, exchanges)
    socket.once('close', () => {
      open.delete(socket)
      calls -= exchanges.size
      for (const gone of exchanges) gone()
    })
  })
  // By socket, and let go of at once. A map of answers at the pace of requests leaves tables that keep answers from
  // being collected, and so does an answer that is known until the next one: a third of what a small request takes.
  const unanswered = new WeakMap<Socket, { count: number; last: ServerResponse | null }>()
  let allUnanswered = 0
  let finishing: (() => void) | null = null
  const count = ({ socket }: IncomingMessage, res: ServerResponse) => {
    const answers = unanswered.get(socket) ?? { count: 0, last: null }
    if (answers.count === 0) unanswered.set(socket, answers)
    answers.count += 1
    answers.last = res
    allUnanswered += 1
    res.once('close', () => {
      allUnanswered -= 1
      answers.count -= 1
      if (answers.count === 0) answers.last = null
      if (!finishing) return
      // No head says "connection: close": undici then takes an answer that is cut off for a whole one.
      if (answers.count === 0) socket.destroySoon()
      finishing()
    })
  }
  server.on('request', count)
  server.on('checkContinue', count)
  return {
    hold(socket, gone) {
      if (open.get(socket)?.add(gone)) calls += 1
    },
    release(socket, gone) {
      if (open.get(socket)?.delete(gone)) calls -= 1
    },
    writeTogether(write) {
      if (calls < 2) write()
      else if (writes.push(write) === 1) setImmediate(writeAll)
    },
    calm() {
      if (came === 0 && waitingCalls.length === 0) return null
      return new Promise((begin) => {
        if (waitingCalls.push(begin) > 1) return
        calmBy = performance.now() + LONGEST_WAIT_MS
        setImmediate(beginNext)
      })
    },
    openAnswer: (socket) => unanswered.get(socket)?.last ?? null,
    open: () => allUnanswered,
    finish(ended) {
      finishing = ended
      server.closeIdleConnections()
    },
    isBusy: (socket) => (open.get(socket)?.size ?? 0) > 0,
    dispose() {
      writeAll()
      for (const socket of open.keys()) socket.destroy()
    },
  }
}

/** Answers bytes that are no HTTP request, endless headers and requests that never end with the reason, then cuts. */
export function brokenRequestHandler(
  deps: GatewayDeps,
  connections: Connections,
): (error: Error, socket: Duplex) => void {
  return (error, socket) => {
    const systemCode = systemCodeOf(error) ?? 'unknown'
    deps.log.debug({ code: systemCode }, 'a connection sent no readable request')
    // node:http types the socket as any Duplex; its servers only have net.Sockets. An answer under way must not be
    // mixed with ours.
    if (!socket.writable || connections.isBusy(socket as Socket) || systemCode === 'ECONNRESET')
      return void socket.destroy()
    const { status, code, message } = explain(systemCode)
    const requestId = `req_${deps.random.uuid()}`
    const body = deps.errorBody('chat', { status, code, message, requestId })
    endRaw(deps.clock, socket, status, body, { 'x-request-id': requestId })
  }
}

function explain(systemCode: string): { status: number; code: string; message: string } {
  switch (systemCode) {
    case 'HPE_HEADER_OVERFLOW':
      return {
        status: 431,
        code: 'headers-too-large',
        message: 'The headers of this request are larger than Onward takes.',
      }
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { status: 408, code: 'request-too-slow', message: 'This request did not arrive whole in time.' }
    default:
      return { status: 400, code: 'bad-http', message: 'This is not a readable HTTP/1.1 request.' }
  }
}
