import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { OnwardError } from '../../base/errors.ts'
import { fairShare } from '../../base/fair-share.ts'
import { Frame, mostFrameValues, type AnswerForm } from '../../protocol/answer/frame.ts'
import { holdsMoreValues } from '../../protocol/json-bytes/count-values.ts'
import { withoutBom } from '../../base/without-bom.ts'
import type { UpstreamCall, UpstreamHandler } from '../../providers/types.ts'
import { parseObject, parseObjects } from '../../protocol/values.ts'
import { beginsWith } from './begins-with.ts'
import { framed, tellBody, type FramedAnswer } from './framed.ts'
import { endedEarly, holdBeginning, type HeldBeginning, type HoldInput } from './hold-beginning.ts'
import { watchSilence, type SilenceInput } from './watch-silence.ts'
import type { Headers, ReadingStep } from './step.ts'

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
/** A longer body is joined in pieces: its fresh memory takes longer than other work may be kept waiting. */
const joinedAtOnce = 1024 * 1024
/** A body is converted in one piece: beyond this it is refused rather than held. */
const mostConvertedBytes = 64 * 1024 * 1024
/**
 * A whole answer is over when nothing came for this long, though the provider did not end its body: counts and sources
 * come right after a finish, and some servers never end what they keep open.
 */
const QUIET_MS = 2_000
/** What a provider sends after the protocol's last word (comments, `[DONE]` in Responses) comes at once, if at all. */
const REST_MS = 50

/**
 * Keeps back from the client what another candidate may answer better. Nothing goes on before a stream's first content
 * and before a body's last byte; from there on there is no way back.
 */
export function retryGate(input: GateInput, { converts, passesRest, onNothing }: GateEnds, next: ReadingStep): Gate {
  const arrived: Arrived = { status: 0, headers: {}, firstByteAt: null, errorBody: null }
  const held = heldBytes()
  let state: State = { kind: 'waiting' }
  let call: Ends | null = null
  let quiet: Disposable | null = null
  /** a refusal's body is still on its way */
  let refusal: Disposable | null = null
  /** the answer was over before its call was known */
  let dumped = false
  let beginning: HeldBeginning | null = null
  /** no content yet */
  let unsaid = true
  const silence = watchSilence(input, {
    isSending: () => call?.sending?.() ?? false,
    onLate(error) {
      handler.onError(error)
      call?.abort()
    },
    onAlone: () => beginning?.passOn(),
  })

  function whenQuiet(then: () => void, ms = QUIET_MS): void {
    quiet?.dispose()
    quiet = input.clock.after(ms, then)
  }
  /** The end of this body is not waited for. */
  function dump(): void {
    dumped = true
    call?.dump()
  }

  function push(answer: FramedAnswer, chunk: Buffer): boolean {
    const room = answer.push(chunk)
    const progress = state.kind === 'open' ? next.progress() : 'under-way'
    if (progress === 'whole' && answer.said)
      whenQuiet(() => {
        state = { kind: 'over' }
        answer.error(new OnwardError('upstream-timeout', 'The provider did not end its answer.', { status: 504 }))
        dump()
      })
    if (progress !== 'over') return room
    const end = () => {
      over()
      answer.end()
      dump()
    }
    if (passesRest) {
      whenQuiet(end, REST_MS)
      return room
    }
    end()
    return true
  }

  function said(): void {
    unsaid = false
    silence.dispose()
  }
  function over(): void {
    said()
    quiet?.dispose()
    refusal?.dispose()
    state = { kind: 'over' }
  }

  function nothing(outcome: NoAnswer): void {
    if (state.kind === 'over') return
    over()
    onNothing(outcome)
  }
  const unreachable = (error: OnwardError): void => onNothing({ kind: 'unreachable', error })
  const refused = (): void =>
    nothing({ kind: 'refused', status: arrived.status, headers: arrived.headers, body: held.take() })
  const redirected = (): void =>
    nothing({ kind: 'unreachable', error: input.redirected(String(arrived.headers['location'] ?? '')) })

  /** Unreadable bytes go to the client as they are; of any other answer the beginning is checked. */
  function open(form: Exclude<AnswerForm, 'body'>): FramedAnswer {
    const begin = () => {
      const { status, headers } = arrived
      input.onBegins(status)
      next.head({ status, headers: input.filterHeaders(headers), form })
    }
    if (form === 'bytes') {
      said()
      begin()
    } else {
      const heard = {
        beginning: input.beginning,
        clock: input.clock,
        onSaid() {
          said()
          input.onSaid()
        },
      }
      const ends = { begin, onFailed: failed, onNothing: unreachable, mayWait: silence.mayEnd }
      beginning = holdBeginning(heard, ends, next)
    }
    const answer = framed(form, beginning ?? next)
    state = { kind: 'open', answer }
    return answer
  }

  /** @returns true if another candidate is to answer instead */
  function failed(status: number, body: Buffer): boolean {
    if (!input.isNoAnswer(status, body) && !input.mayRefuse(status, arrived.headers)) return false
    arrived.status = status
    nothing({ kind: 'refused', status, headers: arrived.headers, body })
    // Nothing more is needed from it: whatever its body does, another may answer.
    dump()
    return true
  }

  function openWhole(): void {
    if (held.length > joinedAtOnce && arrived.status < 400) {
      over()
      return held.takeByTurns(tellWhole)
    }
    const body = converts ? withoutBom(held.take()) : held.take()
    const { headers } = arrived
    if (arrived.status >= 400 && input.isNoAnswer(arrived.status, body))
      return nothing({ kind: 'refused', status: arrived.status, headers, body })
    const frame = new Frame(body, 0, body.length, 0, body.length)
    const status = arrived.status < 400 && mayTellOfError(body) ? input.beginning(frame) : 'says'
    if (typeof status === 'number') {
      if (failed(status, body)) return
      if (isBareError(frame)) arrived.status = status
    }
    if (arrived.status >= 400) arrived.errorBody = body
    over()
    tellWhole(body)
  }
  function tellWhole(body: Buffer): void {
    const { status, headers } = arrived
    input.onBegins(status)
    next.head({ status, headers: input.filterHeaders(headers), form: 'body' })
    tellBody(next, converts ? withoutBom(body) : body)
  }

  /** Takes the part of a refusal that came as all of it. */
  function cutRefusal(): void {
    if (state.kind === 'refusing') refused()
    else if (state.kind === 'holding') openWhole()
    else handler.onEnd()
    dump()
  }

  function stateOf(status: number, headers: Headers): State {
    if (input.mayRefuse(status, headers)) return { kind: 'refusing' }
    if (status >= 400) return { kind: 'holding' }
    if (/^\s*text\/event-stream\b/i.test(String(headers['content-type'] ?? ''))) return { kind: 'beginning' }
    return { kind: input.streaming || converts ? 'unlabelled' : 'holding' }
  }

  /** A JSON body whose end does not come is over with its last bracket. */
  function endsWhenQuiet(): true {
    quiet?.dispose()
    if (held.endsAsJson())
      whenQuiet(() => {
        if (!held.isJson()) return
        openWhole()
        dump()
      })
    return true
  }

  function hold(chunk: Buffer): boolean {
    held.add(chunk)
    if (unsaid && beginsWith(chunk) !== 'blanks') said()
    if (arrived.status >= 400 && held.length > mostErrorBytes) return holdNoMore()
    if (held.length <= (converts ? mostConvertedBytes : mostHeldBytes)) return endsWhenQuiet()
    if (!converts) {
      const answer = open('bytes')
      return held.takePieces().reduce((_, piece) => push(answer, piece), true)
    }
    call?.abort()
    nothing({ kind: 'unreachable', error: tooLarge() })
    return true
  }

  /** A refusal this long names nothing that can be left out; a client of its protocol gets it as it comes. */
  function holdNoMore(): boolean {
    if (converts) {
      cutRefusal()
      return true
    }
    arrived.errorBody = held.take()
    quiet?.dispose()
    return push(open('bytes'), arrived.errorBody)
  }

  const handler: UpstreamHandler = {
    onHead(status, headers) {
      arrived.status = status
      arrived.headers = headers
      state = stateOf(status, headers)
      if (unsaid) silence.touch()
      if (status >= 400) {
        said()
        refusal = input.clock.after(ERROR_BODY_MS, cutRefusal)
      }
      if (state.kind === 'refusing') return
      if (status >= 300 && status < 400) {
        redirected()
        return dump()
      }
      if (state.kind !== 'beginning') input.onHead()
    },
    onData(chunk) {
      arrived.firstByteAt ??= input.clock.monotonic()
      if (unsaid) silence.touch()
      if (state.kind === 'open') return push(state.answer, chunk)
      switch (state.kind) {
        case 'beginning':
          input.onHead()
          return push(open('events'), chunk)
        case 'unlabelled': {
          const found = beginsWith(chunk)
          const form = found === 'other' ? 'events' : found === 'list' && input.readsLists ? 'list' : 'body'
          if (form !== 'body') {
            held.add(chunk)
            return push(open(form), held.take())
          }
          if (found !== 'blanks') state = { kind: 'holding' }
          return hold(chunk)
        }
        case 'refusing':
          held.add(chunk)
          if (held.length > mostErrorBytes) cutRefusal()
          return true
        case 'holding':
          return hold(chunk)
        default:
          return true
      }
    },
    onEnd() {
      switch (state.kind) {
        case 'open': {
          const { answer } = state
          over()
          return answer.end()
        }
        case 'refusing':
          return refused()
        case 'beginning':
          return nothing({ kind: 'unreachable', error: endedEarly() })
        case 'unlabelled':
        case 'holding':
          return openWhole()
        case 'waiting':
        case 'over':
          return
      }
    },
    onError(error) {
      switch (state.kind) {
        case 'open': {
          const { answer } = state
          over()
          return answer.error(error)
        }
        case 'refusing':
          return refused()
        case 'holding':
          // The body of a refusal is mostly here, enough for the client's protocol.
          if ((converts && arrived.status >= 400) || (held.endsAsJson() && held.isJson())) return openWhole()
          return nothing({ kind: 'unreachable', error })
        case 'waiting':
        case 'beginning':
        case 'unlabelled':
          return nothing({ kind: 'unreachable', error })
        case 'over':
          return
      }
    },
  }
  return {
    handler,
    arrived,
    attach(newCall) {
      call = newCall
      if (dumped) newCall.dump()
    },
  }
}

/** The chunks of a body, joined once. */
function heldBytes() {
  let chunks: Buffer[] = []
  const held = {
    length: 0,
    endsAsJson: (): boolean => /[}\]]\s*$/.test(chunks.at(-1)?.toString('latin1', -16) ?? ''),
    isJson(): boolean {
      const whole = Buffer.concat(chunks)
      if (holdsMoreValues(whole, mostFrameValues)) return false
      return parseObject(whole) !== null || parseObjects(whole) !== null
    },
    add(chunk: Buffer) {
      chunks.push(chunk)
      held.length += chunk.length
    },
    take() {
      const all = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
      chunks = []
      held.length = 0
      return all
    },
    /** A reader recognises a body by the first sign of its first piece, and blanks may have come first. */
    takePieces(): Buffer[] {
      const blanks = chunks.findIndex((chunk) => beginsWith(chunk) !== 'blanks')
      const pieces = blanks > 0 ? [Buffer.concat(chunks.slice(0, blanks + 1)), ...chunks.slice(blanks + 1)] : chunks
      chunks = []
      held.length = 0
      return pieces
    },
    /** for a body that is joined in turns of the event loop */
    takeByTurns(then: (all: Buffer) => void) {
      const all = Buffer.allocUnsafeSlow(held.length)
      const pieces = chunks
      chunks = []
      held.length = 0
      const join = (from: number, to: number): void => {
        let at = to
        for (const [i, piece] of pieces.slice(from).entries()) {
          if (!fairShare.hasTime()) return fairShare.wait(() => join(from + i, at))
          all.set(piece, at)
          at += piece.length
        }
        then(all)
      }
      join(0, 0)
    },
  }
  return held
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
