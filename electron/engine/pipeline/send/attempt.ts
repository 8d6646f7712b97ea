import { OnwardError } from '../../base/errors.ts'
import type { Redactor } from '../../secrets/redact.ts'
import { encodingsIn } from '../../base/network/unpack.ts'
import { once } from '../../base/work.ts'
import { frameBytes, type Frame } from '../../protocol/answer/frame.ts'
import { beginningOf } from '../../protocol/beginning.ts'
import { overflowCode } from '../../protocol/failures/failure-kinds.ts'
import { isInWords } from '../../protocol/failures/overflow.ts'
import type { ResponseObserver } from '../../protocol/types.ts'
import { limitHeaders } from '../../protocol/failures/usage-limit.ts'
import { parseObject } from '../../protocol/values.ts'
import type { SilenceLimits } from '../../providers/time-limits.ts'
import type { UpstreamCall, UpstreamHandler } from '../../providers/types.ts'
import { unreadableError } from '../../providers/transport.ts'
import type { LongestSilence } from '../../router/health/silences.ts'
import { readLimit } from '../../router/limits/read-limit.ts'
import type { LimitedAnswer } from '../../router/limits/types.ts'
import { providerProtocol } from '../../router/prepared.ts'
import type { RouteAsk, RouteChoice, Tried } from '../../router/types.ts'
import { answerChain, type AnswerOutcome, type BrokenAt } from '../answer/chain.ts'
import type { AnswerHead, AnswerStep, Headers } from '../answer/framed.ts'
import type { TurnConversion, PreparedRequest } from '../request/upstream-request.ts'
import { releaseRequest, type Sending, type Turn, type Reply } from '../turn.ts'
import type { AnswerClient, SendDeps } from './deps.ts'
import { clientsWords, overflowRefused, tooSmall, triedHeader } from './full-window.ts'

/** One upstream's answer, or the lack of one. */
export interface Attempted {
  outcome: AnswerOutcome
  observer: ResponseObserver | null
  conversion: TurnConversion | null
  headAt: number | null
  redactor: () => Redactor
  /** the client closed its connection after it had all of the answer */
  hadAll: boolean
  /** of a stream that had content, or was given up for its silence; else null */
  longest: LongestSilence | null
}

/** The choices after a refusal. */
interface Again {
  /** `full`: the tokens for which its window is too small, as far as known */
  mayTryNext(failure: string, full?: number | null): boolean
  /** true: the refusal is about thinking, and the same candidate is asked again without it */
  mends(status: number, body: Buffer): boolean
  /** it is silent: another candidate could be asked now */
  mayAskAnother(): boolean
  tried: readonly Tried[]
}

export function attempt(
  turn: Sending,
  ask: RouteAsk,
  choice: RouteChoice,
  deps: SendDeps,
  client: AnswerClient,
  again: Again,
): Promise<Attempted> {
  const preparing = deps.prepare(turn, choice)
  // The sending has a function of its own: a variable of this one, or of `send`, would keep its bytes until the end.
  const sendIt = (prepared: PreparedRequest) =>
    new Promise<Attempted>((resolve) => sendPrepared(turn, ask, choice, prepared, deps, client, again, resolve))
  // A request that is ready is sent at once.
  return preparing instanceof Promise ? preparing.then(sendIt) : sendIt(preparing)
}

function sendPrepared(
  turn: Sending,
  ask: RouteAsk,
  choice: RouteChoice,
  { request, conversion, silence }: PreparedRequest,
  deps: SendDeps,
  client: AnswerClient,
  { mayTryNext, mends, mayAskAnother, tried }: Again,
  resolve: (attempted: Attempted) => void,
): void {
  let headAt: number | null = null
  let upstream: UpstreamCall | null = null
  let hadAll = false
  /** up to the first content */
  let silentMs: number | null = null
  let released = false
  // Retries are over: the request's bytes may go, as the stream may last an hour.
  const letGo = () => {
    ask.needs = nothingAsked
    if (released || client.keepsRequest) return
    released = true
    releaseRequest(turn)
    turn.call.bodyReleased?.()
  }
  const { reply } = turn.call
  const { headers } = request
  const redactor = once(() => deps.redactor(headers))
  const chain = answerChain(
    {
      client,
      rounds: client.rounds,
      streaming: turn.draft.lens.stream,
      readsLists: conversion === null && turn.draft.lens.streamForm === 'json-array',
      conversion: conversion && {
        conversion,
        error: (refused, code, message) =>
          ownError(turn, { ...refused, model: choice.upstreamModel, now: deps.clock.now() }, { code, message }),
      },
      redact: (bytes) => redactor().bytes(bytes),
      mayRefuse: (status) => lacksCount(turn, status) || (isRetryableStatus(status) && mayTryNext(String(status))),
      filterHeaders: (headers) =>
        tried.length === 0
          ? deps.responseHeaders(headers)
          : { ...deps.responseHeaders(headers), 'x-onward-tried': triedHeader(tried) },
      observerFor: (form, status) => turn.codec.observe(form, status),
      isNoAnswer(status, body) {
        if (mends(status, body)) return true
        const overflow = overflowRefused(status, body)
        if (!overflow) return false
        // The client acts on these words, and no other model has a larger window: it gets them as they came.
        const isSaid = conversion === null && isInWords(ask.entry, parseObject(body), status)
        return !isSaid || mayTryNext(overflowCode, tooSmall(choice, overflow))
      },
      inClientsWords: conversion ? undefined : (frame) => clientsWords(ask.entry, frame),
      redirected: (location) =>
        new OnwardError(
          'upstream-redirected',
          `The provider ${choice.providerId} sends its callers on` +
            `${elsewhere(location)}. Put that address into its baseUrl.`,
          { status: 502 },
        ),
      lastWord: turn.codec.lastWord,
      // A converter ends its streams itself.
      errorFrame: conversion
        ? undefined
        : (error, place) =>
            turn.codec.errorEvent({
              code: error?.code ?? 'upstream-broke-off',
              message: error?.message ?? `The provider ${choice.providerId} ended its answer in the middle.`,
              streamForm: place.form === 'list' ? 'json-array' : 'sse',
              ...placeOf(turn, deps, place),
            }),
      failedFrame: conversion
        ? undefined
        : (place) =>
            (place.seen.error &&
              turn.codec.failedEvent?.({ ...redactor().value(place.seen.error), ...placeOf(turn, deps, place) })) ??
            null,
      clock: deps.clock,
      beginning: beginningOf((conversion && providerProtocol(choice.type)) ?? turn.codec.protocol),
      silence: silenceOf(turn, silence),
      mayAskAnother,
      onSaid() {
        silentMs = upstream?.mayBeSilent?.(silence.idleMs) ?? null
      },
      onHead() {
        headAt = deps.clock.monotonic()
      },
      onBegins(status) {
        if (status < 400) deps.report(ask, choice, { kind: 'began' })
      },
      onCommitted: letGo,
      onDone(outcome, observer) {
        if (conversion) turn.dropped = conversion.dropped()
        // An answer in one piece has no earlier moment: until its end another candidate may be tried.
        if (outcome.kind === 'answered') letGo()
        const longest = longestSilence(silentMs, upstream?.longestSilence?.() ?? null, outcome)
        resolve({ outcome: withoutSecrets(outcome, redactor), observer, conversion, headAt, redactor, hadAll, longest })
      },
    },
    writeAnswer(reply),
  )
  const call = deps.transport.send(request, redactErrors(chain.handler, redactor))
  upstream = call
  chain.attach(call)
  client.onClose(() => {
    if (reply.finished) return
    hadAll = (chain.observer()?.ended ?? false) && !client.lacksEnd?.()
    call.abort()
  })
}

/** A refusal in the client's protocol, with the limit that the provider told of. */
function ownError(
  { codec, call: { requestId } }: Turn,
  refused: LimitedAnswer,
  { code, message }: { code: string; message: string },
): { body: Buffer; headers: Record<string, string> } {
  const report = readLimit(refused)
  const limit = report?.kind === 'limit' ? { ...report, now: refused.now } : null
  return {
    body: codec.error({ status: refused.status, code, message, requestId, limit }),
    headers: limit ? limitHeaders(codec.protocol, limit) : {},
  }
}

/**
 * A body is silent until its answer is complete. Onward's own calls have a time limit, half of which is left for
 * another candidate.
 */
function silenceOf({ call, draft }: Turn, silence: SilenceLimits): SilenceLimits {
  if (call.internal && silence.silentMs > 0)
    return { ...silence, silentMs: call.internal.withinMs / 2, evenAlone: false }
  return draft.lens.stream ? silence : { ...silence, silentMs: 0 }
}

/** An answer that was given up counts as well: a model that is only slow must not be given up for ever. */
function longestSilence(
  silentMs: number | null,
  sinceMs: number | null,
  outcome: AnswerOutcome,
): LongestSilence | null {
  if (silentMs !== null) return { silentMs, idleMs: sinceMs }
  const error = outcome.kind === 'unreachable' ? outcome.error : null
  return error?.code === 'upstream-silent' ? { silentMs: Number(error.details['waitedMs']), idleMs: null } : null
}

/** Statuses that another key or provider may answer better. Other 4xx never; 402 is an account that is empty. */
const isRetryableStatus = (status: number): boolean =>
  status === 401 ||
  status === 402 ||
  status === 403 ||
  status === 408 ||
  status === 409 ||
  status === 425 ||
  status === 429 ||
  status >= 500

/** True if the status says that the provider lacks the endpoint, or does not count for this model. */
export const lacksCount = ({ call }: Pick<Turn, 'call'>, status: number | null): boolean =>
  call.endpoint === 'count' && (status === 400 || status === 404 || status === 405 || status === 501)

const nothingAsked: RouteAsk['needs'] = {
  tokens: () => 0,
  image: () => false,
  webSearch: () => false,
  thinking: () => false,
}

const placeOf = ({ call }: Turn, { clock }: SendDeps, { last, seen }: BrokenAt) => ({
  requestId: call.requestId,
  sequence: nextNumber(last),
  responseId: seen.responseId,
  model: seen.model,
  nowMs: clock.now(),
})

/** Responses numbers its events, and ours goes on from the last one. */
const nextNumber = (last: Frame | null): number =>
  Number([...(last?.latin1.matchAll(/"sequence_number"\s*:\s*(\d+)/g) ?? [])].at(-1)?.[1] ?? -1) + 1

/** A provider's failure within an answer of another protocol becomes our own error, without secrets. */
function withoutSecrets(outcome: AnswerOutcome, redactor: () => Redactor): AnswerOutcome {
  if (outcome.kind !== 'unreachable') return outcome
  const { error } = outcome
  const message = redactor().text(error.message)
  if (message === error.message) return outcome
  const { code, status, retryable, details } = error
  return { kind: 'unreachable', error: new OnwardError(code, message, { status, retryable, details }) }
}

/** Without path and query, which may hold secrets. */
const elsewhere = (location: string): string => (URL.canParse(location) ? ` to ${new URL(location).origin}` : '')

/** Built member by member: in Node 20, V8 takes a microsecond to add a member to a spread copy. */
function withLength(headers: Headers, length: number): Headers {
  const whole: Headers = { 'content-length': String(length) }
  for (const name of Object.keys(headers)) if (name !== 'content-length') whole[name] = headers[name] ?? ''
  return whole
}

/** The last step: writes to the client, neighbours together. A body goes out with its length. */
export function writeAnswer(reply: Reply): AnswerStep {
  const bytes = frameBytes()
  let body: AnswerHead | null = null

  function flush(): boolean {
    const whole = bytes.take()
    return whole.length === 0 || reply.write(whole)
  }

  return {
    head(head) {
      if (head.form === 'body') body = head
      else reply.head(head.status, head.headers)
    },
    frame: (frame) => bytes.add(frame),
    flush: () => body !== null || flush(),
    end(rest) {
      bytes.addBytes(rest)
      const last = bytes.take()
      if (body) reply.head(body.status, withLength(body.headers, last.length))
      reply.end(last)
    },
    error(_error, rest) {
      bytes.addBytes(rest)
      if (!body) flush()
      reply.abort()
    },
  }
}

/**
 * Takes secrets out of an upstream's answers with a status of 400 and above, head and body, before they are read,
 * recorded or relayed. Other answers go by untouched. `redactor` is called at the first error.
 */
export function redactErrors(handler: UpstreamHandler, redactor: () => Redactor): UpstreamHandler {
  let body: ErrorBody | null = null
  return {
    onHead(status, headers) {
      if (status < 400) return handler.onHead(status, headers)
      const { 'content-encoding': encoding, 'content-length': _length, ...rest } = redactor().value(headers)
      body = encodingsIn(String(encoding ?? '')).length === 0 ? redactor().stream() : unreadable
      handler.onHead(status, rest)
    },
    onData(chunk) {
      if (body === null) return handler.onData(chunk)
      const clean = body.push(chunk)
      return clean.length === 0 || handler.onData(clean)
    },
    onEnd() {
      end()
      handler.onEnd()
    },
    onError(error) {
      end()
      handler.onError(error)
    },
  }
  function end(): void {
    const rest = body?.end()
    if (rest && rest.length > 0) handler.onData(rest)
  }
}

type ErrorBody = ReturnType<Redactor['stream']>

/** A body that can't be read may contain anything. */
const unreadable: ErrorBody = { push: () => Buffer.alloc(0), end: () => unreadableError }
