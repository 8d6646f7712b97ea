import { OnwardError } from '../../base/errors.ts'
import type { BodyConverter, StreamConverter } from '../../protocol/canonical/index.ts'
import type { ResponseObserver } from '../../protocol/types.ts'
import type { UpstreamCall, UpstreamHandler } from '../../providers/types.ts'
import { beginsWith } from './begins-with.ts'
import type { TurnConversion } from '../request/convert-turn.ts'
import { earlyError } from './early-error.ts'
import { endedEarly, type RelayInput } from './relay.ts'

/** A whole answer is converted in one piece: beyond this it is refused rather than held. */
const mostBodyBytes = 64 * 1024 * 1024
const mostErrorBytes = 64 * 1024

/** What a client is told of an answer's headers; the rest tells of a protocol it does not speak. */
const passed = new Set(['retry-after', 'retry-after-ms', 'x-onward-tried'])

export interface ConvertedRelayInput extends Omit<RelayInput, 'errorEvent'> {
  conversion: TurnConversion
  /** an error body in the client's shape */
  errorBody(status: number, code: string, message: string): Buffer
}

type State =
  | { kind: 'waiting' }
  | { kind: 'refusing' | 'refused-by-provider'; body: Buffer[]; bytes: number }
  | { kind: 'redirected' }
  /** a stream of which nothing has come: another candidate may still answer */
  | { kind: 'beginning' }
  /** the head came without saying whether a stream follows, and nothing but blanks since */
  | { kind: 'unlabelled' }
  | { kind: 'stream'; converter: StreamConverter; observer: ResponseObserver }
  /** the provider streams, the client wants one body */
  | { kind: 'gather'; converter: BodyConverter }
  | { kind: 'hold'; body: Buffer[]; bytes: number }
  | { kind: 'done' }

/** Hands an upstream response of another protocol to the client, converted: streams event by event, bodies whole. */
export function relayConverted(input: ConvertedRelayInput): {
  handler: UpstreamHandler
  attach(call: UpstreamCall): void
} {
  const { reply, conversion } = input
  let state: State = { kind: 'waiting' }
  let call: UpstreamCall | null = null
  let status = 0
  let headers: Record<string, string | string[]> = {}
  let observer: ResponseObserver | null = null
  let firstByteAt: number | null = null
  let bytesOut = 0

  const done: RelayInput['onDone'] = (outcome) => {
    if (state.kind === 'done') return
    state = { kind: 'done' }
    input.onDone(outcome, observer)
  }
  const answered = (brokenOff: OnwardError | null, errorBody: Buffer | null = null) =>
    done({ kind: 'answered', status, headers, errorBody, firstByteAt, bytesOut, brokenOff }, observer)
  const unreachable = (error: OnwardError) => done({ kind: 'unreachable', error }, observer)
  const kept = () =>
    Object.fromEntries(Object.entries(input.filterHeaders(headers)).filter(([name]) => passed.has(name)))
  const observe = (type: string): ResponseObserver => {
    observer = input.observerFor(type, status)
    input.onHead(observer, status)
    return observer
  }

  const beginStream = (): State => {
    const type = conversion.streamType
    if (!input.streaming) {
      return { kind: 'gather', converter: conversion.toBody() }
    }
    const seen = observe(type)
    reply.head(200, { ...kept(), 'content-type': type, 'cache-control': 'no-cache' })
    const converter = conversion.toStream()
    input.onCommitted()
    return { kind: 'stream', converter, observer: seen }
  }
  const sendWhole = (whole: Buffer, type: string, errorBody: Buffer | null = null) => {
    const seen = observe(type)
    seen.push(whole)
    const body = seen.failed ? input.redact(whole) : whole
    bytesOut += body.length
    reply.head(status, { ...kept(), 'content-type': type, 'content-length': String(body.length) })
    input.onCommitted()
    reply.end(body)
    answered(null, errorBody)
  }
  const sendBody = (answer: ReturnType<BodyConverter['end']>) => {
    if (answer.kind === 'body') return sendWhole(answer.body, 'application/json')
    unreachable(new OnwardError(answer.code, answer.message, { status: 502, retryable: true }))
  }
  const endStream = (converter: StreamConverter, seen: ResponseObserver, rest: Buffer, whole: boolean) => {
    // What says that the provider broke off is ours: the record tells of a break-off, not of an error the provider
    // sent.
    if (whole || converter.ended === 'finish') seen.push(rest)
    bytesOut += rest.length
    reply.end(seen.failed ? input.redact(rest) : rest)
  }
  const refuse = (body: readonly Buffer[]) => {
    const whole = Buffer.concat(body)
    const { code, message } = conversion.errorOf(whole)
    sendWhole(
      input.errorBody(status, code ?? `http-${status}`, message ?? `The provider answered with status ${status}.`),
      'application/json',
      whole,
    )
  }

  const handler: UpstreamHandler = {
    onHead(newStatus, newHeaders) {
      status = newStatus
      headers = newHeaders
      if (input.mayRefuse(status, headers)) {
        state = { kind: 'refusing', body: [], bytes: 0 }
        return
      }
      if (status >= 300 && status < 400) {
        state = { kind: 'redirected' }
        return
      }
      if (status >= 400) {
        state = { kind: 'refused-by-provider', body: [], bytes: 0 }
        return
      }
      state = /^\s*text\/event-stream\b/i.test(String(headers['content-type'] ?? ''))
        ? { kind: 'beginning' }
        : { kind: 'unlabelled' }
    },
    onData(chunk) {
      firstByteAt ??= input.now()
      if (state.kind === 'beginning') {
        const failed = earlyError(chunk)
        if (failed !== null && input.mayRefuse(failed, headers)) {
          status = failed
          state = { kind: 'refusing', body: [], bytes: 0 }
        } else state = beginStream()
      }
      if (state.kind === 'unlabelled') {
        const found = beginsWith(chunk)
        if (found === 'blanks') return true
        state = found === 'other' ? beginStream() : { kind: 'hold', body: [], bytes: 0 }
      }
      switch (state.kind) {
        case 'stream': {
          const out = state.converter.push(chunk)
          if (out.length === 0) return true
          state.observer.push(out)
          bytesOut += out.length
          return reply.write(state.observer.failed ? input.redact(out) : out)
        }
        case 'gather':
          state.converter.push(chunk)
          return true
        case 'refusing':
        case 'refused-by-provider':
          if (state.bytes < mostErrorBytes) {
            state.body.push(chunk)
            state.bytes += chunk.length
          }
          return true
        case 'hold':
          state.body.push(chunk)
          state.bytes += chunk.length
          if (state.bytes > mostBodyBytes) {
            call?.abort()
            unreachable(
              new OnwardError('answer-too-large', 'The answer of the provider is too large to be converted.', {
                status: 502,
              }),
            )
          }
          return true
        default:
          return true
      }
    },
    onEnd() {
      switch (state.kind) {
        case 'stream': {
          const { converter, observer: seen } = state
          const whole = converter.ended !== null
          endStream(converter, seen, converter.end(), whole)
          return answered(null)
        }
        case 'gather':
          return sendBody(state.converter.end())
        case 'hold':
          return endHeld(Buffer.concat(state.body))
        case 'beginning':
          return unreachable(endedEarly())
        case 'unlabelled':
          return endHeld(Buffer.alloc(0))
        case 'refusing':
          return done({ kind: 'refused', status, headers, body: Buffer.concat(state.body) }, observer)
        case 'refused-by-provider':
          return refuse(state.body)
        case 'redirected':
          return unreachable(input.redirected(String(headers['location'] ?? '')))
        case 'waiting':
        case 'done':
          return
      }
    },
    onError(error) {
      switch (state.kind) {
        case 'stream': {
          const { converter, observer: seen } = state
          // After the terminal event the client has everything; only the connection's end was rough.
          const whole = converter.ended !== null
          endStream(converter, seen, converter.fail({ code: error.code, message: error.message }), whole)
          return answered(whole ? null : error)
        }
        case 'refusing':
          return done({ kind: 'refused', status, headers, body: Buffer.concat(state.body) }, observer)
        case 'refused-by-provider':
          return refuse(state.body)
        case 'redirected':
          return unreachable(input.redirected(String(headers['location'] ?? '')))
        case 'done':
          return
        default:
          return unreachable(error)
      }
    },
  }

  function endHeld(body: Buffer): void {
    if (!input.streaming) return sendBody(conversion.toBody().whole(body))
    const converter = conversion.toStream()
    const out = converter.whole(body)
    if (converter.ended === 'error') {
      const answer = conversion.toBody().whole(body)
      if (answer.kind === 'failed')
        return unreachable(new OnwardError(answer.code, answer.message, { status: 502, retryable: true }))
    }
    sendWhole(out, conversion.streamType)
  }

  return {
    handler,
    attach(newCall) {
      call = newCall
      reply.onDrain(() => call?.resume())
    },
  }
}
