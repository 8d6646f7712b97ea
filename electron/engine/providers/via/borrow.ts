/**
 * The transport for providers of another engine (`via`), which has their keys: it gets the request byte for byte over a
 * line, asks the provider, and sends what comes as it comes.
 */
import { hostname } from 'node:os'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { messageOf, OnwardError } from '../../base/errors.ts'
import { delivery } from '../delivery.ts'
import { viaParts } from '../prepare.ts'
import { watch } from '../time-limits.ts'
import type { Transport, UpstreamCall, UpstreamHandler, UpstreamRequest } from '../types.ts'
import { aborted, lateError, type Place } from '../undici/errors.ts'
import { decode, encode, frameHead, pieces, roomBytes, type Ask, type Failure, type Frame } from './frames.ts'
import type { Line, OpenLine } from './line.ts'

export interface BorrowDeps {
  clock: Clock
  open: OpenLine
  /** what this engine is called, for the records of the other */
  name?: string
}

/** A line without a call is kept for the next turn of an agent that thinks, tests and compiles. */
const idleMs = 5 * 60_000

export function borrowTransport(deps: BorrowDeps): Transport {
  const lines = new Map<string, Promise<Shared>>()
  const lineTo = (engine: string): Promise<Shared> => {
    const known = lines.get(engine)
    if (known) return known
    const fresh = deps.open(engine).then((line) => share(line, deps.clock))
    lines.set(engine, fresh)
    const forget = () => {
      if (lines.get(engine) === fresh) lines.delete(engine)
    }
    void fresh.then(({ line }) => line.lost.then(forget), forget)
    return fresh
  }
  return {
    send: (request, handler) => borrowedCall(deps, lineTo, request, handler),
    async dispose() {
      const all = [...lines.values()]
      lines.clear()
      // one that is being opened may take long, and nobody waits for it
      for (const opening of all) void opening.then(({ line }) => line.close()).catch(() => undefined)
    },
  }
}

interface Taker {
  take(frame: Frame): void
  lost(why: Error): void
}

/** One line and the calls on it. */
interface Shared {
  line: Line
  /** @returns its number, and what it is told by */
  begin(taker: Taker): { call: number; over(): void }
}

function share(line: Line, clock: Clock): Shared {
  const open = new Map<number, Taker>()
  let last = 0
  let idle: Disposable | null = null
  line.onMessage((message) => {
    const frame = decode(message)
    if (frame) open.get(frame.call)?.take(frame)
  })
  void line.lost.then((why) => {
    idle?.dispose()
    const all = [...open.values()]
    open.clear()
    for (const taker of all) taker.lost(why)
  })
  return {
    line,
    begin(taker) {
      idle?.dispose()
      last = (last % 0xffff_ffff) + 1
      const call = last
      open.set(call, taker)
      return {
        call,
        over() {
          if (!open.delete(call) || open.size > 0) return
          idle = clock.after(idleMs, () => line.close())
        },
      }
    },
  }
}

/** One request over a line. The handler hears head, data and exactly one end or error. */
function borrowedCall(
  { clock, name = hostname() }: BorrowDeps,
  lineTo: (engine: string) => Promise<Shared>,
  request: UpstreamRequest,
  handler: UpstreamHandler,
): UpstreamCall {
  const { method, headers, timeouts } = request
  const { engine, provider, type, path } = viaParts(request.url)
  const place: Place = { phase: 'connecting', host: engine, proxy: null }
  /** the request as far as it has not gone yet; null: all of it went, and may be at the provider */
  let body: ReturnType<typeof pieces> | null = null
  let say: (frame: Frame) => void = () => undefined
  let on: { call: number; over(): void } | null = null
  let held = false
  let owed = 0

  const patience = watch(clock, (what, ms) => {
    leave(false)
    answer.cut(lateError(what, ms, place))
  })
  const answer = delivery(handler, {
    hold() {
      held = true
      patience.hold()
    },
    read() {
      held = false
      patience.release()
      giveRoom()
    },
  })
  const giveRoom = () => {
    if (held || owed < roomBytes || !on) return
    say({ kind: 'room', call: on.call, bytes: owed })
    owed = 0
  }
  const over = () => {
    patience.dispose()
    body?.drop()
    on?.over()
    on = null
  }
  const leave = (whole: boolean) => {
    if (on) say({ kind: 'leave', call: on.call, whole })
    over()
  }
  const failed = (error: OnwardError) => {
    over()
    if (place.phase === 'answering') answer.end(error)
    else answer.cut(error)
  }
  const take = (frame: Frame) => {
    switch (frame.kind) {
      case 'room':
        return body?.room(frame.bytes)
      case 'head':
        place.phase = 'answering'
        patience.waitFor('idle', timeouts.idleMs)
        return answer.head(frame.is.status, frame.is.headers)
      case 'data':
        patience.touch()
        owed += frame.bytes.length
        answer.data(frame.bytes)
        return giveRoom()
      case 'end':
        over()
        return answer.end(null)
      case 'error':
        return failed(asHere(engine, frame.is))
      default:
    }
  }
  const begin = ({ line, begin: join }: Shared) => {
    const took = join({ take, lost: (why) => failed(lost(engine, why, place, body?.isGone() === false)) })
    const { call } = took
    on = took
    say = (frame) => line.send(encode(frame))
    place.phase = 'sent'
    patience.waitFor('first-byte', timeouts.firstByteMs)
    const chunks = request.body === null ? [] : Buffer.isBuffer(request.body) ? [request.body] : request.body
    const bytes = chunks.reduce((sum, { length }) => sum + length, 0)
    const is: Ask = { provider, type, method, path, headers, timeouts, from: name, bytes }
    say({ kind: 'ask', call, is })
    body = pieces((piece) => say({ kind: 'data', call, bytes: piece }), line.most - frameHead)
    for (const chunk of chunks) body.add(chunk)
  }
  patience.waitFor('connect', timeouts.connectMs)
  lineTo(engine).then(
    (shared) => {
      if (!answer.over) begin(shared)
    },
    (error: unknown) => {
      if (!answer.over) failed(away(engine, error))
    },
  )
  return {
    abort() {
      leave(false)
      answer.cut(aborted('The request was aborted: the client left.'))
    },
    dump() {
      leave(true)
      answer.cut(aborted('The answer was whole before its body ended.'))
    },
    resume: () => answer.resume(),
    sending: () => place.phase === 'connecting' || (place.phase === 'sent' && body?.isGone() === false),
    mayBeSilent(ms) {
      if (on) patience.limit(ms)
      return patience.longest()
    },
    longestSilence: () => patience.longest(),
  }
}

/** Nothing of the request left this engine, or not all of it, so that no provider can have got it. */
const away = (engine: string, why: unknown): OnwardError =>
  new OnwardError('via-away', `${engine}, which has the key of this provider, can’t be reached: ${messageOf(why)}`, {
    cause: why,
    status: 502,
    retryable: true,
    details: { engine, phase: 'connecting' },
  })

function lost(engine: string, why: Error, { phase }: Place, unsent: boolean): OnwardError {
  if (phase === 'sent' && unsent) return away(engine, why)
  return new OnwardError(
    'via-lost',
    phase === 'sent'
      ? `The line to ${engine} broke before an answer came: it is not known whether the provider got the request.`
      : `The line to ${engine} broke in the middle of the answer.`,
    { cause: why, status: 502, retryable: phase === 'sent', details: { engine, phase, why: messageOf(why) } },
  )
}

/** An end of that engine is none of this one. */
function asHere(engine: string, { code, message, status, retryable, details }: Failure): OnwardError {
  return new OnwardError(code === 'engine-ending' ? 'via-away' : code, `On ${engine}: ${message}`, {
    status,
    retryable,
    details: { ...details, engine },
  })
}
