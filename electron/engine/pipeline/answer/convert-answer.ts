import { OnwardError } from '../../base/errors.ts'
import type { Framer } from '../../protocol/answer/frame.ts'
import type { BodyConverter, StreamConverter, WholeAnswer } from '../../protocol/canonical/convert-answer.ts'
import type { TurnConversion } from '../request/convert-turn.ts'
import { framerOf, tellBody } from './framed.ts'
import type { AnswerStep, Headers, ReadingStep } from './step.ts'

/** What a provider refused with. */
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
  /** it can't be said in the client's protocol, and nothing was: another candidate may answer */
  onFailed(error: OnwardError): void
}

/** What a client is told of an answer's headers; the rest tells of a protocol it does not speak. */
const passed = new Set(['retry-after', 'retry-after-ms', 'x-onward-tried'])

type State =
  /** a body follows */
  | { kind: 'body' }
  | { kind: 'stream'; converter: StreamConverter; client: Framer }
  /** the provider streams, the client wants one body */
  | { kind: 'gather'; converter: BodyConverter }

/** Says an answer in the client's protocol: a stream event by event, a body whole. */
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
    return framerOf(streamForm, (frame) => next.frame(frame))
  }
  function tellJson(body: Buffer): void {
    next.head({ status, headers: { ...kept, 'content-type': 'application/json' }, form: 'body' })
    tellBody(next, body)
  }
  function tellAnswer(answer: WholeAnswer): void {
    if (answer.kind === 'body') tellJson(answer.body)
    else onFailed(new OnwardError(answer.code, answer.message, { status: 502, retryable: true }))
  }
  function refuse(body: Buffer): void {
    const { code, message } = conversion.errorOf(body)
    const refused = { status, headers: all, body: body.toString('utf8', 0, errorTextBytes) }
    const told = error(refused, code ?? `http-${status}`, message ?? `The provider answered with status ${status}.`)
    kept = { ...kept, ...told.headers }
    tellJson(told.body)
  }
  /** The provider answered in one body. */
  function convertWhole(body: Buffer): void {
    if (!streaming) return tellAnswer(conversion.toBody().whole(body))
    const converter = conversion.toStream()
    const out = converter.whole(body)
    if (converter.ended === 'error') {
      const answer = conversion.toBody().whole(body)
      if (answer.kind === 'failed') return tellAnswer(answer)
    }
    const client = beginStream()
    client.push(out)
    next.end(client.rest())
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
      else convertWhole(frame.raw)
    },
    flush: () => state.kind !== 'stream' || next.flush(),
    progress: () => (state.kind === 'body' ? 'under-way' : state.converter.progress()),
    end() {
      if (state.kind === 'gather') return tellAnswer(state.converter.end())
      if (state.kind !== 'stream') return
      const { converter, client } = state
      const isWhole = converter.ended !== null
      const last = converter.end()
      // What says that the provider broke off is ours: the record tells of a break-off, not of an error it sent.
      if (!isWhole && converter.ended === 'error') return next.end(last)
      client.push(last)
      next.end(client.rest())
    },
    error(error) {
      if (state.kind === 'body') return
      // Of a whole answer only the connection's end was rough.
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

const nothing = Buffer.alloc(0)
/** Of an error's body, what is read for a limit. */
const errorTextBytes = 16_384
