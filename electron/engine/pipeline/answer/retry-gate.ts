import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { OnwardError } from '../../base/errors.ts'
import { Frame, type AnswerForm } from '../../protocol/answer/frame.ts'
import { withoutBom } from '../../protocol/json-bytes/bytes.ts'
import type { UpstreamCall, UpstreamHandler } from '../../providers/types.ts'
import {
  beginsWith,
  heldBytes,
  joinedAtOnce,
  type HeldBytes,
  endedEarly,
  holdBeginning,
  type HeldBeginning,
  type HoldInput,
  watchSilence,
  type SilenceInput,
  type SilenceWatch,
} from './hold-beginning.ts'
import { framed, tellBody, type FramedAnswer, type Headers, type ReadingStep } from './framed.ts'

export interface GateInput extends HoldInput, SilenceInput {
  /** the client asked for a stream: an answer that is not JSON counts as one, whatever its label */
  streaming: boolean
  /** ... and so does a JSON list that grows */
  readsLists: boolean
  /** true: this status is not for the client if another candidate exists; its body is collected instead */
  mayRefuse(status: number, headers: Headers): boolean
  /**
   * true: the refusal is about something that can be left out, and the same candidate is asked again without it; or the
   * context window is full, and the sender says so in the client's words, or finds a larger one
   */
  isNoAnswer(status: number, body: Buffer): boolean
  /** the provider lives elsewhere: a client that followed the redirection would bypass Onward */
  redirected(location: string): OnwardError
  filterHeaders(headers: Headers): Headers
  clock: Pick<Clock, 'monotonic' | 'after'>
  /** something came, though another candidate may still give the answer */
  onHead(): void
  /** the client gets this answer */
  onBegins(status: number): void
}

export interface GateEnds {
  /** the client speaks another protocol, so an unreadable answer is none for it */
  converts: boolean
  /** the client also gets what the provider sends after the last word */
  passesRest: boolean
  /** nothing reached the client: another candidate may be tried */
  onNothing(outcome: NoAnswer): void
}

export type NoAnswer =
  | { kind: 'refused'; status: number; headers: Headers; body: Buffer }
  | { kind: 'unreachable'; error: OnwardError }

/** The provider's response so far, whatever the outcome. */
export interface Arrived {
  status: number
  headers: Headers
  firstByteAt: number | null
  /** the body of a status of 400 and above */
  errorBody: Buffer | null
}

type State =
  | { kind: 'waiting' }
  | { kind: 'refusing' }
  /** a stream that is still empty */
  | { kind: 'beginning' }
  /** the head does not show if a stream follows, and only blanks came since */
  | { kind: 'unlabelled' }
  /** a body that is not whole yet */
  | { kind: 'holding' }
  | { kind: 'open'; answer: FramedAnswer }
  | { kind: 'over' }

type Ends = Pick<UpstreamCall, 'abort' | 'dump' | 'sending'>

interface GateContext extends GateEnds {
  input: GateInput
  next: ReadingStep
  arrived: Arrived
  held: HeldBytes
  silence: SilenceWatch
  state: State
  call: Ends | null
  quiet: Disposable | null
  /** a refusal's body is still on its way */
  refusal: Disposable | null
  /** the answer was over before its call was known */
  dumped: boolean
  beginning: HeldBeginning | null
  /** no content yet */
  unsaid: boolean
}

export interface Gate {
  handler: UpstreamHandler
  readonly arrived: Readonly<Arrived>
  /** the call that answers */
  attach(call: Ends): void
}

/** A refusal gives its reason in less, and sooner; the rest of it is not waited for. */
const mostErrorBytes = 64 * 1024
const ERROR_BODY_MS = 5_000
/** A body larger than this is passed on as it comes; below, a break-off can still become a proper error. */
export const mostHeldBytes = 5 * 1024 * 1024
/** A body is converted in one piece: beyond this it is refused rather than held. */
const mostConvertedBytes = 64 * 1024 * 1024
/**
 * A whole answer is over when nothing came for this long, though the provider did not end its body: counts and sources
 * come right after a finish, and some servers never end what they keep open.
 */
const QUIET_MS = 2_000
/** A provider's bytes after the protocol's last event (comments, `[DONE]` in Responses) come at once, if at all. */
const REST_MS = 50

/**
 * Keeps back from the client what another candidate may answer better. Nothing goes on before a stream's first content
 * and before a body's last byte; from there on there is no way back.
 */
export function retryGate(input: GateInput, { converts, passesRest, onNothing }: GateEnds, next: ReadingStep): Gate {
  const arrived: Arrived = { status: 0, headers: {}, firstByteAt: null, errorBody: null }
  const silence = watchSilence(input, {
    isSending: () => gate.call?.sending?.() ?? false,
    onLate(error) {
      failed(gate, error)
      gate.call?.abort()
    },
    onAlone: () => gate.beginning?.passOn(),
  })
  const gate: GateContext = {
    input,
    converts,
    passesRest,
    onNothing,
    next,
    arrived,
    held: heldBytes(),
    silence,
    state: { kind: 'waiting' },
    call: null,
    quiet: null,
    refusal: null,
    dumped: false,
    beginning: null,
    unsaid: true,
  }
  return {
    handler: {
      onHead: (status, headers) => headCame(gate, status, headers),
      onData: (chunk) => dataCame(gate, chunk),
      onEnd: () => ended(gate),
      onError: (error) => failed(gate, error),
    },
    arrived,
    attach(call) {
      gate.call = call
      if (gate.dumped) call.dump()
    },
  }
}

function headCame(gate: GateContext, status: number, headers: Headers): void {
  gate.arrived.status = status
  gate.arrived.headers = headers
  gate.state = stateOf(gate, status, headers)
  if (gate.unsaid) gate.silence.touch()
  if (status >= 400) {
    said(gate)
    gate.refusal = gate.input.clock.after(ERROR_BODY_MS, () => cutRefusal(gate))
  }
  if (gate.state.kind === 'refusing') return
  if (status >= 300 && status < 400) {
    nothing(gate, { kind: 'unreachable', error: gate.input.redirected(String(headers['location'] ?? '')) })
    return dump(gate)
  }
  if (gate.state.kind !== 'beginning') gate.input.onHead()
}

function stateOf({ input, converts }: GateContext, status: number, headers: Headers): State {
  if (input.mayRefuse(status, headers)) return { kind: 'refusing' }
  if (status >= 400) return { kind: 'holding' }
  if (/^\s*text\/event-stream\b/i.test(String(headers['content-type'] ?? ''))) return { kind: 'beginning' }
  return { kind: input.streaming || converts ? 'unlabelled' : 'holding' }
}

function dataCame(gate: GateContext, chunk: Buffer): boolean {
  const { arrived, input, held, state } = gate
  arrived.firstByteAt ??= input.clock.monotonic()
  if (gate.unsaid) gate.silence.touch()
  switch (state.kind) {
    case 'open':
      return push(gate, state.answer, chunk)
    case 'beginning':
      input.onHead()
      return push(gate, open(gate, 'events'), chunk)
    case 'unlabelled': {
      const found = beginsWith(chunk)
      const form = found === 'other' ? 'events' : found === 'list' && input.readsLists ? 'list' : 'body'
      if (form !== 'body') {
        held.add(chunk)
        return push(gate, open(gate, form), held.take())
      }
      if (found !== 'blanks') gate.state = { kind: 'holding' }
      return hold(gate, chunk)
    }
    case 'refusing':
      held.add(chunk)
      if (held.length > mostErrorBytes) cutRefusal(gate)
      return true
    case 'holding':
      return hold(gate, chunk)
    default:
      return true
  }
}

function ended(gate: GateContext): void {
  const { state } = gate
  switch (state.kind) {
    case 'open':
      over(gate)
      return state.answer.end()
    case 'refusing':
      return refused(gate)
    case 'beginning':
      return nothing(gate, { kind: 'unreachable', error: endedEarly() })
    case 'unlabelled':
    case 'holding':
      return openWhole(gate)
    case 'waiting':
    case 'over':
      return
  }
}

function failed(gate: GateContext, error: OnwardError): void {
  const { state, arrived, held } = gate
  if (state.kind === 'open') {
    over(gate)
    return state.answer.error(error)
  }
  if (state.kind === 'refusing') return refused(gate)
  // The body of a refusal is mostly here, enough for the client's protocol.
  if (state.kind === 'holding' && ((gate.converts && arrived.status >= 400) || (held.endsAsJson() && held.isJson())))
    return openWhole(gate)
  nothing(gate, { kind: 'unreachable', error })
}

function whenQuiet(gate: GateContext, then: () => void, ms = QUIET_MS): void {
  gate.quiet?.dispose()
  gate.quiet = gate.input.clock.after(ms, then)
}

/** The end of this body is not waited for. */
function dump(gate: GateContext): void {
  gate.dumped = true
  gate.call?.dump()
}

function push(gate: GateContext, answer: FramedAnswer, chunk: Buffer): boolean {
  const room = answer.push(chunk)
  const progress = gate.state.kind === 'open' ? gate.next.progress() : 'under-way'
  if (progress === 'whole' && answer.said)
    whenQuiet(gate, () => {
      gate.state = { kind: 'over' }
      answer.error(new OnwardError('upstream-timeout', 'The provider did not end its answer.', { status: 504 }))
      dump(gate)
    })
  if (progress !== 'over') return room
  const end = () => {
    over(gate)
    answer.end()
    dump(gate)
  }
  if (gate.passesRest) {
    whenQuiet(gate, end, REST_MS)
    return room
  }
  end()
  return true
}

function said(gate: GateContext): void {
  gate.unsaid = false
  gate.silence.dispose()
}

function over(gate: GateContext): void {
  said(gate)
  gate.quiet?.dispose()
  gate.refusal?.dispose()
  gate.state = { kind: 'over' }
}

function nothing(gate: GateContext, outcome: NoAnswer): void {
  if (gate.state.kind === 'over') return
  over(gate)
  gate.onNothing(outcome)
}

const refused = (gate: GateContext): void => {
  const { status, headers } = gate.arrived
  nothing(gate, { kind: 'refused', status, headers, body: gate.held.take() })
}

/** Unreadable bytes go to the client as they are; of any other answer the beginning is checked. */
function open(gate: GateContext, form: Exclude<AnswerForm, 'body'>): FramedAnswer {
  const { input, next } = gate
  const begin = () => beginAnswer(gate, form)
  if (form === 'bytes') {
    said(gate)
    begin()
  } else {
    const heard = {
      beginning: input.beginning,
      clock: input.clock,
      onSaid() {
        said(gate)
        input.onSaid()
      },
    }
    gate.beginning = holdBeginning(
      heard,
      {
        begin,
        onFailed: (status, body) => leftToAnother(gate, status, body),
        onNothing: (error) => gate.onNothing({ kind: 'unreachable', error }),
        mayWait: gate.silence.mayEnd,
      },
      next,
    )
  }
  const answer = framed(form, gate.beginning ?? next)
  gate.state = { kind: 'open', answer }
  return answer
}

function beginAnswer({ input, next, arrived: { status, headers } }: GateContext, form: AnswerForm): void {
  input.onBegins(status)
  next.head({ status, headers: input.filterHeaders(headers), form })
}

/** @returns true if another candidate is to answer instead of this failure */
function leftToAnother(gate: GateContext, status: number, body: Buffer): boolean {
  const { input, arrived } = gate
  if (!input.isNoAnswer(status, body) && !input.mayRefuse(status, arrived.headers)) return false
  arrived.status = status
  nothing(gate, { kind: 'refused', status, headers: arrived.headers, body })
  // Nothing more is needed from it: whatever its body does, another may answer.
  dump(gate)
  return true
}

function openWhole(gate: GateContext): void {
  const { input, arrived, held } = gate
  if (held.length > joinedAtOnce && arrived.status < 400) {
    over(gate)
    return held.takeByTurns((all) => tellWhole(gate, all))
  }
  const body = gate.converts ? withoutBom(held.take()) : held.take()
  const { headers } = arrived
  if (arrived.status >= 400 && input.isNoAnswer(arrived.status, body))
    return nothing(gate, { kind: 'refused', status: arrived.status, headers, body })
  const frame = new Frame(body, 0, body.length, 0, body.length)
  const status = arrived.status < 400 && mayTellOfError(body) ? input.beginning(frame) : 'says'
  if (typeof status === 'number') {
    if (leftToAnother(gate, status, body)) return
    if (isBareError(frame)) arrived.status = status
  }
  if (arrived.status >= 400) arrived.errorBody = body
  over(gate)
  tellWhole(gate, body)
}

function tellWhole(gate: GateContext, body: Buffer): void {
  beginAnswer(gate, 'body')
  tellBody(gate.next, gate.converts ? withoutBom(body) : body)
}

/** Takes the part of a refusal that came as all of it. */
function cutRefusal(gate: GateContext): void {
  ended(gate)
  dump(gate)
}

/** A JSON body whose end does not come is over with its last bracket. */
function endsWhenQuiet(gate: GateContext): true {
  gate.quiet?.dispose()
  if (gate.held.endsAsJson())
    whenQuiet(gate, () => {
      if (!gate.held.isJson()) return
      openWhole(gate)
      dump(gate)
    })
  return true
}

function hold(gate: GateContext, chunk: Buffer): boolean {
  gate.held.add(chunk)
  if (gate.unsaid && beginsWith(chunk) !== 'blanks') said(gate)
  if (gate.arrived.status >= 400 && gate.held.length > mostErrorBytes) return holdNoMore(gate)
  if (gate.held.length <= (gate.converts ? mostConvertedBytes : mostHeldBytes)) return endsWhenQuiet(gate)
  if (!gate.converts) {
    const answer = open(gate, 'bytes')
    return gate.held.takePieces().reduce((_, piece) => push(gate, answer, piece), true)
  }
  gate.call?.abort()
  nothing(gate, { kind: 'unreachable', error: tooLarge() })
  return true
}

/** A refusal this long names nothing that can be left out; a client of its protocol gets it as it comes. */
function holdNoMore(gate: GateContext): boolean {
  if (gate.converts) {
    cutRefusal(gate)
    return true
  }
  gate.arrived.errorBody = gate.held.take()
  gate.quiet?.dispose()
  return push(gate, open(gate, 'bytes'), gate.arrived.errorBody)
}

const errorSigns = new RegExp(
  [
    '"error"\\s*:\\s*(?!null|\\s)',
    ':\\s*"error"',
    '"(?:status_code|error_code)"\\s*:\\s*[1-9]',
    '"success"\\s*:\\s*false',
    '^\\s*\\{\\s*"code"',
  ].join('|'),
)

/** True for few bodies, so the others are not parsed for an error. */
function mayTellOfError(body: Buffer): boolean {
  if (body.length > mostErrorBytes) return false
  return errorSigns.test(body.toString('latin1'))
}

/** True for the body of an error status, not for an answer that reports its own failure, as a failed response does. */
const isBareError = (frame: Frame): boolean =>
  ['choices', 'content', 'output', 'candidates'].every((name) => !Array.isArray(frame.value()?.[name]))

const tooLarge = (): OnwardError =>
  new OnwardError('answer-too-large', 'The answer of the provider is too large to be converted.', { status: 502 })
