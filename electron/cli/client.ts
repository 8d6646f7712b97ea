/** The command line's end of the control API: typed by the router both sides share. */
import type { Duplex } from 'node:stream'
import type { TRPCClient } from '@trpc/client'
import { controlPath } from '../../shared/control/address.ts'
import type { ControlRouter } from '../../shared/control/router.ts'
import { closeCodes, homeId } from '../../shared/control/proof.ts'
import { provenSocket } from '../../shared/control/proven-socket.ts'
import { messageOf, OnwardError } from '../engine/base/errors.ts'
import { CliError } from './exit.ts'

export type ControlCalls = TRPCClient<ControlRouter>

export interface EngineTarget {
  host: string
  port: number
  /** its own socket, over which it is spoken to; host and port are where clients find it */
  socket: string
  token: string
  /** the caller's id; left out: that of the home's owner */
  as?: string
}
/** the engine of another machine, which a line leads to */
export interface MachineTarget {
  machine: string
  socket: Duplex
  token: string
}
type Target = EngineTarget | MachineTarget
const whereOf = (target: Target): string =>
  'machine' in target ? `on ${target.machine}` : `at ${target.host}:${target.port}`

/** an engine that is not there refuses at once; a busy one takes the connection and answers later */
const openWithinMs = 30_000
/** between a call failing for its connection and the connection saying so */
const lostWithinMs = 500
/** one of the two does not hold the key of this home */
const tokenCodes = new Set<number>([closeCodes.refused, closeCodes.stranger])

/**
 * Runs `work` with one connection and closes it. A connection that breaks ends the work: a command never hangs on a
 * dead engine.
 */
export async function withControl<T>(
  target: Target,
  work: (calls: ControlCalls) => Promise<T>,
  withinMs = openWithinMs,
): Promise<T> {
  const { createTRPCClient, createWSClient, TRPCClientError, wsLink, socketAt } = await import('./client-parts.ts')
  const lost = settleable<never>()
  const opened = settleable<void>()
  const ended = (event: unknown, detail: string) => {
    // Too busy to read in time what was sent, the engine closes; the next connection is made by itself.
    // A line to another machine is good for one connection.
    if (!isRecord(event) || event.code !== closeCodes.late || 'machine' in target)
      lost.reject(why(target, event, detail))
  }
  const socket = createWSClient({
    url: `ws://onward${controlPath}`,
    WebSocket: provenSocket({
      // ws has everything of the browser's class that is used
      WebSocket: socketAt(target.socket) as unknown as typeof globalThis.WebSocket,
      credential: () => ({ id: ('as' in target ? target.as : undefined) ?? homeId, key: target.token }),
      path: controlPath,
      withinMs,
    }),
    onOpen: () => opened.resolve(),
    onError: (event) => ended(event, detailOf(event)),
    onClose: (cause) => ended(cause, 'the connection was closed'),
  })
  const late = setTimeout(() => lost.reject(busy(target, withinMs)), withinMs)
  try {
    await Promise.race([opened.promise, lost.promise])
    clearTimeout(late)
    const calls = createTRPCClient<ControlRouter>({ links: [wsLink({ client: socket })] })
    // a call that fails because the connection was lost says less than the connection does, and comes just before it
    const answer = work(calls).catch(async (error: unknown) => {
      if (!(error instanceof TRPCClientError)) throw error
      const own = ownErrorOf(error)
      if (own) throw own
      await Promise.race([
        lost.promise,
        new Promise((resolve) => {
          setTimeout(resolve, lostWithinMs)
        }),
      ])
      throw error
    })
    return await Promise.race([answer, lost.promise])
  } finally {
    clearTimeout(late)
    // no call waits for an answer any more; an open connection may not keep the process
    void socket.close()
    socket.connection?.ws?.close()
  }
}

/** Returns the engine's error on a call, as it was there; null when the connection failed. */
function ownErrorOf(error: { message: string; data?: unknown; shape?: unknown }): OnwardError | null {
  const data = isRecord(error.data) ? error.data : null
  if (!data) return null
  if (typeof data.onwardCode === 'string') return new OnwardError(data.onwardCode, error.message, { cause: error })
  if (data.code === 'BAD_REQUEST')
    return new CliError('usage', `The engine did not take that: ${issuesOf(error.message)}`, { cause: error })
  if (data.code === 'NOT_FOUND')
    return new CliError(
      'failed',
      'The engine does not know this command. It is of another version: stop it and start again.',
      { cause: error },
    )
  return new CliError('failed', `The engine failed: ${error.message}`, { cause: error })
}

/** zod's list of issues as one sentence. */
function issuesOf(message: string): string {
  try {
    const issues: unknown = JSON.parse(message)
    if (!Array.isArray(issues)) return message
    return issues
      .map((issue) =>
        isRecord(issue)
          ? [Array.isArray(issue.path) ? issue.path.join('.') : '', issue.message].filter(Boolean).join(': ')
          : String(issue),
      )
      .join('; ')
  } catch (error) {
    if (error instanceof SyntaxError) return message
    throw error
  }
}

const unreachable = (target: Target, why: string): CliError =>
  new CliError('noEngine', `No engine answers ${whereOf(target)} (${why}).`, {
    hint: 'Start one with `onward serve`, or see `onward doctor`.',
    code: 'engine-unreachable',
  })
const busy = (target: Target, ms: number): CliError =>
  new CliError('failed', `The engine ${whereOf(target)} runs, but did not answer within ${ms / 1000} s: it is busy.`, {
    hint: 'Try again in a moment; if it stays so, see `onward doctor`.',
    code: 'engine-busy',
  })
const notOurs = (target: Target): CliError =>
  new CliError('refused', `The engine ${whereOf(target)} does not accept this home’s control token.`, {
    hint: 'It belongs to another home: name that with --home.',
    code: 'control-refused',
  })

/** Both events carry the close code where the connection was refused. */
const why = (target: Target, event: unknown, detail: string): CliError =>
  isRecord(event) && typeof event.code === 'number' && tokenCodes.has(event.code)
    ? notOurs(target)
    : unreachable(target, detail)

function detailOf(event: unknown): string {
  const error = isRecord(event) && event.error instanceof Error ? event.error : null
  if (error && 'code' in error && (error.code === 'ECONNREFUSED' || error.code === 'ENOENT'))
    return 'connection refused'
  return error ? messageOf(error) : 'connection failed'
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function settleable<T>(): { promise: Promise<T>; resolve(value: T): void; reject(error: unknown): void } {
  let resolve: (value: T) => void = () => undefined
  let reject: (error: unknown) => void = () => undefined
  const promise = new Promise<T>((yes, no) => {
    resolve = yes
    reject = no
  })
  // raced, and then perhaps never looked at again
  promise.catch(() => undefined)
  return { promise, resolve, reject }
}
