import { OnwardError } from '../../base/errors.ts'
import type { AnswerForm } from '../../protocol/answer/frame.ts'
import type { UpstreamCall, UpstreamHandler } from '../../providers/types.ts'
import { beginsWith } from './begins-with.ts'
import { isEncoded } from './body-facts.ts'
import { earlyError } from './early-error.ts'
import { framed, tellBody, type FramedAnswer } from './framed.ts'
import type { AnswerStep, Headers } from './step.ts'

export interface GateInput {
  /** the client asked for a stream: an answer that is no JSON is one, whatever it is labelled */
  streaming: boolean
  /** ... and a JSON list that grows is one */
  readsLists: boolean
  /** true: this status is not for the client if another candidate exists; its body is collected instead */
  mayRefuse(status: number, headers: Headers): boolean
  /** the provider lives elsewhere: followed by the client, a redirection would lead past Onward */
  redirected(location: string): OnwardError
  filterHeaders(headers: Headers): Headers
  now(): number
  /** an answer for the client begins, though another candidate may still give one */
  onHead(status: number): void
}

export interface GateEnds {
  /** the client speaks another protocol: what nobody can read is no answer for it */
  converts: boolean
  /** nothing reached the client: another candidate may be tried */
  onNothing(outcome: NoAnswer): void
}

export type NoAnswer =
  | { kind: 'refused'; status: number; headers: Headers; body: Buffer }
  | { kind: 'unreachable'; error: OnwardError }

/** What came, whatever becomes of it. */
export interface Arrived {
  status: number
  headers: Headers
  firstByteAt: number | null
  /** what a status of 400 and above came with */
  errorBody: Buffer | null
}

type State =
  | { kind: 'waiting' }
  | { kind: 'refusing' }
  | { kind: 'redirected' }
  /** a stream of which nothing has come */
  | { kind: 'beginning' }
  /** the head came without saying whether a stream follows, and nothing but blanks since */
  | { kind: 'unlabelled' }
  /** a body that is not whole yet */
  | { kind: 'holding' }
  | { kind: 'open'; answer: FramedAnswer }
  | { kind: 'over' }

export interface Gate {
  handler: UpstreamHandler
  readonly arrived: Readonly<Arrived>
  /** the call that answers, for a body that gets too large */
  attach(call: Pick<UpstreamCall, 'abort'>): void
}

/** A refusal says what it has to say in less. */
const mostErrorBytes = 64 * 1024
/** A body larger than this is passed on as it comes; below, a break-off can still become a proper error. */
const mostHeldBytes = 8 * 1024 * 1024
/** A body is converted in one piece: beyond this it is refused rather than held. */
const mostConvertedBytes = 64 * 1024 * 1024

/**
 * Keeps from the client what another candidate may answer better. Nothing goes on before the first byte of a stream and
 * before the last one of a body; from there on there is no way back.
 */
export function retryGate(input: GateInput, { converts, onNothing }: GateEnds, next: AnswerStep): Gate {
  const arrived: Arrived = { status: 0, headers: {}, firstByteAt: null, errorBody: null }
  const held = heldBytes()
  let state: State = { kind: 'waiting' }
  let call: Pick<UpstreamCall, 'abort'> | null = null

  function nothing(outcome: NoAnswer): void {
    if (state.kind === 'over') return
    state = { kind: 'over' }
    onNothing(outcome)
  }
  const refused = (): void =>
    nothing({ kind: 'refused', status: arrived.status, headers: arrived.headers, body: held.take() })
  const redirected = (): void =>
    nothing({ kind: 'unreachable', error: input.redirected(String(arrived.headers['location'] ?? '')) })

  function open(form: Exclude<AnswerForm, 'body'>): FramedAnswer {
    next.head({ status: arrived.status, headers: input.filterHeaders(arrived.headers), form })
    const answer = framed(form, next)
    state = { kind: 'open', answer }
    return answer
  }

  function openWhole(): void {
    const body = held.take()
    const { status, headers } = arrived
    if (status >= 400) arrived.errorBody = body
    state = { kind: 'over' }
    next.head({ status, headers: input.filterHeaders(headers), form: 'body' })
    tellBody(next, body)
  }

  function stateOf(status: number, headers: Headers): State {
    if (input.mayRefuse(status, headers)) return { kind: 'refusing' }
    if (status >= 300 && status < 400) return { kind: 'redirected' }
    if (status >= 400) return { kind: 'holding' }
    if (/^\s*text\/event-stream\b/i.test(String(headers['content-type'] ?? ''))) return { kind: 'beginning' }
    return { kind: input.streaming || converts ? 'unlabelled' : 'holding' }
  }

  function hold(chunk: Buffer): boolean {
    const isConvertedError = converts && arrived.status >= 400
    if (isConvertedError && held.length >= mostErrorBytes) return true
    held.add(chunk)
    if (held.length <= (converts ? mostConvertedBytes : mostHeldBytes)) return true
    // In one piece: by its first sign whoever reads it knows what it is, and blanks may have come first.
    if (!converts) return open('bytes').push(held.take())
    call?.abort()
    nothing({ kind: 'unreachable', error: tooLarge() })
    return true
  }

  const handler: UpstreamHandler = {
    onHead(status, headers) {
      arrived.status = status
      arrived.headers = headers
      state = stateOf(status, headers)
      if (state.kind === 'refusing' || state.kind === 'redirected') return
      const passesThrough = !converts && isEncoded(headers)
      if (state.kind !== 'beginning' || passesThrough) input.onHead(status)
      if (passesThrough) open('bytes')
    },
    onData(chunk) {
      arrived.firstByteAt ??= input.now()
      if (state.kind === 'open') return state.answer.push(chunk)
      switch (state.kind) {
        case 'beginning': {
          const failed = earlyError(chunk)
          if (failed === null || !input.mayRefuse(failed, arrived.headers)) {
            input.onHead(arrived.status)
            return open('events').push(chunk)
          }
          state = { kind: 'refusing' }
          arrived.status = failed
          held.add(chunk)
          return true
        }
        case 'unlabelled': {
          const found = beginsWith(chunk)
          const form = found === 'other' ? 'events' : found === 'list' && input.readsLists ? 'list' : 'body'
          if (form !== 'body') {
            held.add(chunk)
            return open(form).push(held.take())
          }
          if (found !== 'blanks') state = { kind: 'holding' }
          return hold(chunk)
        }
        case 'refusing':
          if (held.length < mostErrorBytes) held.add(chunk)
          return true
        case 'holding':
          return hold(chunk)
        default:
          return true
      }
    },
    onEnd() {
      switch (state.kind) {
        case 'open':
          return state.answer.end()
        case 'refusing':
          return refused()
        case 'redirected':
          return redirected()
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
        case 'open':
          return state.answer.error(error)
        case 'refusing':
          return refused()
        case 'redirected':
          return redirected()
        case 'holding':
          // What a refusal had to say for the client's protocol is mostly there.
          if (converts && arrived.status >= 400) return openWhole()
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
    },
  }
}

/** Chunks of a body, joined once. */
function heldBytes(): { readonly length: number; add(chunk: Buffer): void; take(): Buffer } {
  let chunks: Buffer[] = []
  const held = {
    length: 0,
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
  }
  return held
}

/** A stream without a single byte is no answer. */
const endedEarly = (): OnwardError =>
  new OnwardError('upstream-broke-off', 'The provider ended its answer before it began.', {
    status: 502,
    retryable: true,
  })

const tooLarge = (): OnwardError =>
  new OnwardError('answer-too-large', 'The answer of the provider is too large to be converted.', { status: 502 })
