import type { OnwardError } from '../../base/errors.ts'
import type { ResponseObserver } from '../../protocol/types.ts'
import type { UpstreamCall, UpstreamHandler } from '../../providers/types.ts'
import { convertAnswer, type ConvertInput } from './convert-answer.ts'
import { observeAnswer, type ObserveInput } from './observe-answer.ts'
import { retryGate, type Arrived, type GateInput, type NoAnswer } from './retry-gate.ts'
import type { AnswerStep } from './step.ts'
import type { Reply } from '../types.ts'

/** How one upstream response went by. Exactly one of these per attempt. */
export type AnswerOutcome =
  | (Arrived & { kind: 'answered'; bytesOut: number; brokenOff: OnwardError | null })
  /** nothing reached the client: another candidate may be tried */
  | NoAnswer

export interface ChainInput extends Omit<GateInput, 'converts' | 'onNothing'>, Omit<ObserveInput, 'onDone'> {
  /** the provider speaks another protocol than the client */
  conversion: Omit<ConvertInput, 'streaming' | 'onFailed'> | null
  /** the client's connection: when it has room again, the upstream goes on */
  client: Pick<Reply, 'onDrain'>
  onDone(outcome: AnswerOutcome, observer: ResponseObserver | null): void
}

export interface AnswerChain {
  handler: UpstreamHandler
  /** null before there is an answer for the client */
  readonly observer: ResponseObserver | null
  attach(call: UpstreamCall): void
}

/**
 * The way of one upstream response to the client: retry gate → frames → convert? → observe → `last`, which writes, or
 * joins the rounds of a turn first. Frames that nobody changes leave as they came, neighbours in one write.
 */
export function answerChain(input: ChainInput, last: AnswerStep): AnswerChain {
  const { conversion, streaming } = input
  let over = false
  const done = (outcome: AnswerOutcome): void => {
    if (over) return
    over = true
    input.onDone(outcome, observe.observer)
  }
  const answered = (brokenOff: OnwardError | null, bytesOut: number): void =>
    done({ kind: 'answered', ...gate.arrived, bytesOut, brokenOff })
  const unreachable = (error: OnwardError): void => done({ kind: 'unreachable', error })

  const observe = observeAnswer({ ...input, onDone: answered }, last)
  const convert = conversion && convertAnswer({ ...conversion, streaming, onFailed: unreachable }, observe)
  const gate = retryGate({ ...input, converts: conversion !== null, onNothing: done }, convert ?? observe)

  return {
    handler: gate.handler,
    get observer() {
      return observe.observer
    },
    attach(call) {
      gate.attach(call)
      input.client.onDrain(() => call.resume())
    },
  }
}
