import type { OnwardError } from '../../base/errors.ts'
import type { ResponseObserver } from '../../protocol/types.ts'
import type { UpstreamCall, UpstreamHandler } from '../../providers/types.ts'
import { convertAnswer, type ConvertInput } from './convert-answer.ts'
import { observeAnswer, type ObserveInput } from './observe-answer.ts'
import { retryGate, type Arrived, type GateInput, type NoAnswer } from './retry-gate.ts'
import type { AnswerStep } from './step.ts'
import type { Reply } from '../types.ts'

/** The outcome of one upstream response. Exactly one of these per attempt. */
export type AnswerOutcome =
  | (Arrived & { kind: 'answered'; bytesOut: number; brokenOff: OnwardError | null })
  /** nothing reached the client: another candidate may be tried */
  | NoAnswer

/** The steps of a turn whose answer may be made of several rounds, for the round under way. */
export interface RoundSteps {
  /** takes out calls of Onward's own, and the parts of the answer that repeat them */
  hide(next: AnswerStep): AnswerStep
  /** joins all rounds into one answer */
  join(next: AnswerStep): AnswerStep
}

export interface ChainInput extends GateInput, ObserveInput {
  /** set when the provider speaks another protocol than the client */
  conversion: ConvertInput | null
  /** absent: the turn has one round, and none of Onward's tools */
  rounds?: RoundSteps | undefined
  /** the client's connection: when it has room again, the upstream goes on */
  client: Pick<Reply, 'onDrain'>
  onDone(outcome: AnswerOutcome, observer: ResponseObserver | null): void
}

export interface AnswerChain {
  handler: UpstreamHandler
  /** null before there is an answer for the client */
  observer(): ResponseObserver | null
  attach(call: UpstreamCall): void
}

const answeredWith = (
  { status, headers, firstByteAt, errorBody }: Arrived,
  bytesOut: number,
  brokenOff: OnwardError | null,
): AnswerOutcome => ({ kind: 'answered', status, headers, firstByteAt, errorBody, bytesOut, brokenOff })

/**
 * The way of one upstream response to the client: retry gate → frames → convert? → observe → hide our calls → join
 * rounds → `write`. Frames that no step changes leave as they came, neighbours in one write.
 */
export function answerChain(input: ChainInput, write: AnswerStep): AnswerChain {
  const { conversion, rounds, streaming } = input
  let over = false
  const done = (outcome: AnswerOutcome): void => {
    if (over) return
    over = true
    input.onDone(outcome, observe.observer())
  }
  const answered = (brokenOff: OnwardError | null, bytesOut: number): void =>
    done(answeredWith(gate.arrived, bytesOut, brokenOff))
  const unreachable = (error: OnwardError): void => done({ kind: 'unreachable', error })

  // Each step needs the next one, so they are made from the last to the first.
  const join = rounds ? rounds.join(write) : write
  const hide = rounds ? rounds.hide(join) : join
  const observe = observeAnswer(input, answered, hide)
  const convert = conversion && convertAnswer(conversion, { streaming, onFailed: unreachable }, observe)
  const converts = conversion !== null
  const gate = retryGate(input, { converts, passesRest: !converts && !rounds, onNothing: done }, convert ?? observe)

  return {
    handler: gate.handler,
    observer: observe.observer,
    attach(call) {
      gate.attach(call)
      input.client.onDrain(() => call.resume())
    },
  }
}
