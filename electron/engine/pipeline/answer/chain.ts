import type { OnwardError } from '../../base/errors.ts'
import { Frame, type AnswerForm } from '../../protocol/answer/frame.ts'
import { listEnd } from '../../protocol/answer/list-frames.ts'
import { framesIn } from '../../protocol/answer/sse-frames.ts'
import type { ResponseObserver } from '../../protocol/types.ts'
import type { UpstreamCall, UpstreamHandler } from '../../providers/types.ts'
import type { Reply } from '../turn.ts'
import { convertAnswer, type ConvertInput } from './convert-answer.ts'
import { retryGate, type Arrived, type GateInput, type NoAnswer } from './retry-gate.ts'
import type { AnswerStep, ReadingStep } from './framed.ts'

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

interface ObserveInput {
  observerFor(form: AnswerForm, status: number): ResponseObserver
  /** takes secrets out of a provider's error within an answer that began well */
  redact(bytes: Buffer): Buffer
  /**
   * Returns the end of a stream that broke off, in the client's own error shape: an event, or an element. Absent: the
   * answer was converted, and ended by the converter.
   */
  errorFrame?: ((error: OnwardError | null, place: BrokenAt) => Buffer) | undefined
  /** puts a stream's error into words that the client acts on; absent: it has them */
  inClientsWords?: ((frame: Frame) => Frame) | undefined
  /** returns what has to follow an error that the provider sent; absent: nothing */
  failedFrame?: ((place: BrokenAt) => Buffer | null) | undefined
  /** the very last word of a stream, after its finish; absent: the finish is the last word itself */
  lastWord?: Buffer | undefined
  /** the client has the head of this answer: no other candidate can be tried any more */
  onCommitted(): void
}

/** The place where a stream stopped. */
export interface BrokenAt {
  form: 'events' | 'list'
  /** the last frame with content */
  last: Frame | null
  seen: ResponseObserver['seen']
}

/**
 * Watches an answer as its client gets it, and takes care of its end: one that broke off ends in an error of the
 * client's protocol, never in half an event. Everything goes on as it came except for secrets in errors.
 */
function observeAnswer(
  input: ObserveInput,
  onDone: (brokenOff: OnwardError | null, bytesOut: number) => void,
  next: AnswerStep,
): ReadingStep & { observer(): ResponseObserver | null } {
  let list: ReturnType<typeof listEnd> | null = null
  let observer: ResponseObserver | null = null
  let form: AnswerForm = 'bytes'
  let bytesOut = 0
  /** the last frame with content */
  let last: Frame | null = null

  const isWhole = (): boolean => observer?.ended ?? false
  const clean = (bytes: Buffer): Buffer => (observer?.failed && form !== 'bytes' ? input.redact(bytes) : bytes)

  function end(rest: Buffer, brokenOff: OnwardError | null): void {
    bytesOut += rest.length
    next.end(rest)
    onDone(brokenOff, bytesOut)
  }

  const inWords = (frame: Frame): Frame => (form === 'events' && input.inClientsWords?.(frame)) || frame

  function tell(frame: Frame): void {
    bytesOut += frame.to - frame.from
    next.frame(frame)
  }

  function errorEnd(error: OnwardError | null): Buffer {
    if (!input.errorFrame || !observer || form === 'body' || form === 'bytes') return nothing
    const bytes = input.errorFrame(error, { form, last, seen: observer.seen })
    return list ? list.endWith(bytes) : bytes
  }

  /** An error passed, but not the word after it that clients read: any part of that word is dropped. */
  function failedEnd(rest: Buffer): Buffer {
    const lacks = observer?.failed && observer.progress !== 'over' && form === 'events'
    return (lacks && observer && input.failedFrame?.({ form: 'events', last, seen: observer.seen })) || rest
  }

  return {
    observer: () => observer,
    progress: () => observer?.progress ?? 'under-way',
    head(head) {
      form = head.form
      if (form === 'list') list = listEnd()
      observer = input.observerFor(form, head.status)
      next.head(head)
      if (form !== 'body') input.onCommitted()
    },
    frame(frame) {
      list?.see(frame)
      if (frame.says) last = frame
      // No error is that large, and the client should not wait for it to be read.
      const later = form === 'body' && frame.raw.length > mostErrorBytes
      if (!later) observer?.frame(frame)
      const out = observer?.failed && form !== 'bytes' ? redacted(inWords(frame), input.redact) : frame
      tell(out)
      if (later) observer?.frame(frame)
    },
    flush: () => next.flush(),
    end(rest) {
      // A clean end of the connection without the terminal event is a break-off all the same.
      const broke = input.errorFrame && (form === 'events' || form === 'list') && !isWhole()
      end(broke ? errorEnd(null) : failedEnd(clean(rest)), null)
    },
    error(error, rest) {
      if (form === 'bytes') {
        next.error(error, rest)
        return onDone(error, bytesOut)
      }
      if (!input.errorFrame) return end(clean(rest), error)
      // After the terminal event the client has everything; only the connection's end was rough.
      if (!isWhole()) return end(errorEnd(error), error)
      if (list) return end(list.endOf(rest), null)
      const { lastWord } = input
      if (form !== 'events' || !lastWord || isLastWord(last, lastWord)) return end(failedEnd(rest), null)
      // A last word that was cut off is sent whole; the part that came is no event.
      for (const frame of framesIn(lastWord)) tell(frame)
      end(nothing, null)
    },
  }
}

/** larger than any error is */
const mostErrorBytes = 64 * 1024

function redacted(frame: Frame, redact: (bytes: Buffer) => Buffer): Frame {
  const bytes = redact(frame.raw)
  return bytes.equals(frame.raw)
    ? frame
    : Frame.of(bytes, frame.data && redact(frame.data), frame.name, frame.truncated)
}

const isLastWord = (last: Frame | null, lastWord: Buffer): boolean =>
  last !== null && words(last.raw.subarray(-64)).endsWith(words(lastWord))

const words = (bytes: Buffer): string => bytes.toString('latin1').replaceAll(/\s/g, '')
const nothing = Buffer.alloc(0)
