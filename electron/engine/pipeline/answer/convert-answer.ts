import { messageOf, OnwardError } from '../../base/errors.ts'
import { fairShare } from '../../base/work.ts'
import type { Framer } from '../../protocol/answer/frame.ts'
import type { BodyConverter, StreamConverter } from '../../protocol/canonical/convert-answer.ts'
import type { TurnConversion } from '../request/upstream-request.ts'
import { convertWhole, type ConvertedWhole } from '../conversion-thread/convert.ts'
import { framerOf, tellBody, type AnswerStep, type Headers, type ReadingStep } from './framed.ts'
import { mostHeldBytes } from './retry-gate.ts'

/** A provider's refusal. */
interface Refused {
  status: number
  headers: Headers
  body: string
}

export interface ConvertInput {
  conversion: TurnConversion
  /** a refusal in the client's shape, with the headers that belong to it */
  error(refused: Refused, code: string, message: string): { body: Buffer; headers: Record<string, string> }
}

export interface ConvertEnds {
  streaming: boolean
  /** it can't be said in the client's protocol, and nothing was sent: another candidate may answer */
  onFailed(error: OnwardError): void
}

/** The headers of an answer that its client gets; the others belong to a protocol it does not speak. */
const passed = new Set(['retry-after', 'retry-after-ms', 'x-onward-tried'])

type State =
  /** a body follows */
  | { kind: 'body' }
  | { kind: 'stream'; converter: StreamConverter; client: Framer }
  /** the provider streams, the client wants one body */
  | { kind: 'gather'; converter: BodyConverter }

/** Writes an answer in the client's protocol: a stream event by event, a body whole. */
export function convertAnswer(
  { conversion, error }: ConvertInput,
  { streaming, onFailed }: ConvertEnds,
  next: AnswerStep,
): ReadingStep {
  const { streamType } = conversion
  const streamForm = streamType.startsWith('text/event-stream') ? 'events' : 'list'
  let state: State = { kind: 'body' }
  let status = 0
  let kept: Headers = {}
  let all: Headers = {}

  function beginStream(): Framer {
    next.head({
      status: 200,
      headers: { ...kept, 'content-type': streamType, 'cache-control': 'no-cache' },
      form: streamForm,
    })
    return framerOf(streamForm, (frame) => next.frame(frame), longestEvent)
  }
  function tellJson(body: Buffer): void {
    const headers = { ...kept, 'content-type': 'application/json' }
    // A size that is not held for a client of the provider's own protocol is not read here either.
    if (body.length > mostHeldBytes) {
      next.head({ status, headers: { ...headers, 'content-length': String(body.length) }, form: 'bytes' })
      return tellPieces(
        body,
        framerOf('bytes', (frame) => next.frame(frame)),
      )
    }
    next.head({ status, headers, form: 'body' })
    tellBody(next, body)
  }
  function tellAnswer(answer: ConvertedWhole): void {
    if (answer.kind === 'body') tellJson(answer.body)
    else if (answer.kind === 'stream') tellPieces(answer.bytes, beginStream())
    else onFailed(new OnwardError(answer.code, answer.message, { status: 502, retryable: true }))
  }
  function refuse(body: Buffer): void {
    const { code, message } = conversion.errorOf(body)
    const refused = { status, headers: all, body: body.toString('utf8', 0, errorTextBytes) }
    const told = error(refused, code ?? `http-${status}`, message ?? `The provider answered with status ${status}.`)
    kept = { ...kept, ...told.headers }
    tellJson(told.body)
  }
  /** So that other work has its turns between the pieces of a long answer. */
  function tellPieces(bytes: Buffer, client: Framer): void {
    const tell = (from: number): void => {
      for (let at = from; at < bytes.length; at += PIECE_BYTES) {
        if (at > 0 && !fairShare.hasTime()) return fairShare.wait(() => tell(at))
        client.push(bytes.subarray(at, at + PIECE_BYTES))
        if (at > 0) next.flush()
      }
      next.end(client.rest())
    }
    tell(0)
  }
  /** The provider answered in one body. */
  function tellWhole(body: Buffer): void {
    const converting = conversion.inThread(body, streaming)
    if (converting === null) return tellAnswer(convertWhole(conversion, body, streaming))
    converting
      .then(tellAnswer)
      .catch((error: unknown) => onFailed(OnwardError.isInstance(error) ? error : unsaid(error)))
  }

  const step: ReadingStep = {
    head(head) {
      status = head.status
      all = head.headers
      kept = Object.fromEntries(Object.entries(head.headers).filter(([name]) => passed.has(name)))
      if (head.form === 'body') return
      state = streaming
        ? { kind: 'stream', converter: conversion.toStream(), client: beginStream() }
        : { kind: 'gather', converter: conversion.toBody() }
    },
    frame(frame) {
      if (state.kind === 'stream') state.client.push(state.converter.frame(frame))
      else if (state.kind === 'gather') state.converter.frame(frame)
      else if (status >= 400) refuse(frame.raw)
      else tellWhole(frame.raw)
    },
    flush: () => state.kind !== 'stream' || next.flush(),
    progress: () => (state.kind === 'body' ? 'under-way' : state.converter.progress()),
    end() {
      if (state.kind === 'gather') return tellAnswer(state.converter.end())
      if (state.kind !== 'stream') return
      const { converter, client } = state
      const isWhole = converter.ended !== null
      const last = converter.end()
      // The error event is ours: the record shows that the provider broke off, not an error that it sent.
      if (!isWhole && converter.ended === 'error') return next.end(last)
      client.push(last)
      next.end(client.rest())
    },
    error(error) {
      if (state.kind === 'body') return
      // The answer is whole; only the connection's end was rough.
      if (state.converter.progress() !== 'under-way') return step.end(nothing)
      if (state.kind === 'gather') return onFailed(error)
      const { converter, client } = state
      const isWhole = converter.ended !== null
      const last = converter.fail({ code: error.code, message: error.message })
      if (!isWhole) return next.error(error, last)
      client.push(last)
      next.end(client.rest())
    },
  }
  return step
}

const unsaid = (cause: unknown): OnwardError =>
  new OnwardError('bad-answer', `The answer of the provider could not be converted: ${messageOf(cause)}`, {
    cause,
    status: 502,
  })
const nothing = Buffer.alloc(0)
const PIECE_BYTES = 32 * 1024
/** Only an event that repeats a long text is longer; it was read in the provider's protocol. */
const longestEvent = 1024 * 1024
/** Bytes of an error's body that are read for a limit. */
const errorTextBytes = 16_384
