import type { FinishKind } from '../../../shared/events.ts'
import type { EntryProtocol } from '../../../shared/words.ts'
import type { RouteAttempt } from '../../../shared/routing.ts'
import { OnwardError } from '../base/errors.ts'
import type { Redactor } from '../base/redact.ts'
import type { Clock } from '../base/clock.ts'
import type { Frame } from '../protocol/answer/frame.ts'
import { beginningOf } from '../protocol/beginning.ts'
import { overflowCode } from '../protocol/failure-kinds.ts'
import { eventFrame } from '../protocol/join/event-bytes.ts'
import {
  inClientsWords,
  isInWords,
  overflowIn,
  overflowInValue,
  overflowOf,
  overflowWords,
  type Overflow,
} from '../protocol/overflow.ts'
import type { ResponseObserver } from '../protocol/types.ts'
import { limitHeaders } from '../protocol/usage-limit.ts'
import { recordedUsage } from '../protocol/usage-sums.ts'
import { parseObject } from '../protocol/values.ts'
import { isEngineEnding } from '../providers/engine-ending.ts'
import type { Transport, UpstreamCall, UpstreamRequest } from '../providers/types.ts'
import { readLimit } from '../router/limits/read-limit.ts'
import type { LimitReport } from '../router/limits/types.ts'
import { providerProtocol } from '../router/provider-protocol.ts'
import type { RouteAsk, RouteChoice, RouteOutcome, Tried } from '../router/types.ts'
import { complainsOfThinking } from '../protocol/canonical/index.ts'
import type { NoAnswer } from './answer/retry-gate.ts'
import { nameOf, type TurnConversion } from './request/convert-turn.ts'
import { redactErrors } from './answer/redact-errors.ts'
import { answerChain, type AnswerOutcome, type RoundSteps } from './answer/chain.ts'
import type { BrokenAt } from './answer/observe-answer.ts'
import { writeAnswer } from './answer/write-answer.ts'
import { giveBack, releaseRequest } from './request/release-request.ts'
import { emptySummary, type Turn, type TurnEnd } from './turn.ts'
import type { Reply } from './types.ts'
import { exhausted, triedHeader, type ReachedLimit } from './tried-in-vain.ts'

/** Where an answer goes. */
export interface AnswerClient extends Pick<Reply, 'onDrain' | 'onClose'> {
  /** absent: it is told the answer of one round */
  rounds?: RoundSteps
  /** the request is needed until the answer is over; absent: its bytes go once no other provider can be asked */
  keepsRequest?: true
  /** the end of what came was kept back from it; absent: it never is */
  lacksEnd?(): boolean
}

export interface SendDeps {
  clock: Clock
  transport: Transport
  /** `tried`: what failed in this turn. @throws OnwardError `no-route` | `all-resting` */
  choose(ask: RouteAsk, tried: readonly Tried[]): RouteChoice
  /** whether some provider could take it, after what failed; changes nothing */
  hasRoute(ask: RouteAsk, tried: readonly Tried[]): boolean
  /** images are described to a model that can't see them (vision_auto) */
  describesImages?(): boolean
  /** names the client's own credential for vendors of its protocol; null: it sends none but Onward's keys */
  credentialOf(turn: Turn): string | null
  /**
   * `conversion` is there when the provider speaks another protocol than the client. @throws OnwardError (400) for what
   * can't be said in it
   */
  prepare(turn: Turn, choice: RouteChoice): { request: UpstreamRequest; conversion: TurnConversion | null }
  /** takes out what Onward knows of secrets, and what these request headers hold of them */
  redactor(requestHeaders: Readonly<Record<string, string>>): Redactor
  responseHeaders(headers: Record<string, string | string[]>): Record<string, string | string[]>
  /** tells the router how a candidate did. @returns what a refusal told of a limit */
  report(ask: RouteAsk, choice: RouteChoice, outcome: RouteOutcome): LimitReport | null
}

/** Statuses that another key or provider may answer better. Other 4xx never; 402 is an account that is empty. */
export const isRetryableStatus = (status: number): boolean =>
  status === 401 ||
  status === 402 ||
  status === 403 ||
  status === 408 ||
  status === 409 ||
  status === 425 ||
  status === 429 ||
  status >= 500

/** A provider without the endpoint, or one that does not count for this model, says so in one of these ways. */
export const lacksCount = ({ call }: Pick<Turn, 'call'>, status: number | null): boolean =>
  call.endpoint === 'count' && (status === 400 || status === 404 || status === 405 || status === 501)

/**
 * Another candidate is tried until this is over, however many there are: clients wait a minute and longer. A key that
 * refuses says so at once, a provider that hangs takes its own time-out.
 */
const PATIENCE_MS = 60_000
/** A provider from which nothing came in this time is counted as hanging, when its client gives up. */
const SILENT_MS = 60_000
/** Of an error's body, what is read for the time a limit lifts. */
const errorTextBytes = 16_384

/** What was tried for a turn in vain; `attempts` is the same as a record keeps it. */
interface Trail {
  tried: Tried[]
  attempts: RouteAttempt[]
  limits: (ReachedLimit | null)[]
}

/**
 * Sends the turn upstream and its answer to the client; tries the next candidate until something of one is said.
 * @throws OnwardError when nothing could be sent to the client, with what was tried
 */
export async function send(turn: Turn, deps: SendDeps, client: AnswerClient = turn.call.reply): Promise<TurnEnd> {
  const ask = askOf(turn, deps)
  const trail: Trail = { tried: [], attempts: [], limits: [] }
  turn.tried = trail.attempts
  const begun = deps.clock.monotonic()
  const mayWait = () => !ask.test && deps.clock.monotonic() - begun < PATIENCE_MS
  for (let choice = deps.choose(ask, []); ;) {
    const now = choice
    const startedAt = deps.clock.now()
    // Looked for only when something failed: nearly always nothing does.
    const mayTryNext = (failure: string, full?: number | null) =>
      mayWait() &&
      deps.hasRoute(ask, [...trail.tried, { choice: now, failure, ...(full === undefined ? {} : { tooSmall: full }) }])
    let mended = false
    const mends = (status: number, body: Buffer): boolean => {
      mended = status === 400 && turn.thinkingOff !== nameOf(now) && complainsOfThinking(body.toString('utf8'))
      return mended
    }
    let done: Attempted
    try {
      done = await attempt(turn, ask, choice, deps, client, { mayTryNext, mends, tried: trail.tried })
    } catch (error) {
      // What can't be said in its protocol never went there: if it was the trial, another may try.
      deps.report(ask, now, { kind: 'left' })
      throw error
    }
    const { outcome, redactor, headAt } = done
    if (outcome.kind === 'unreachable' && isEngineEnding(outcome.error)) {
      deps.report(ask, choice, { kind: 'left' })
      throw outcome.error
    }
    const overflow = overflowBy(outcome)
    if (outcome.kind === 'answered') {
      const end = redactedEnd(endOf(turn, deps, choice, outcome, done), redactor)
      const limit = limitOf(choice, deps.report(ask, choice, answered(outcome, turn, end)), startedAt)
      return limit === null ? end : { ...end, limit }
    }
    if (turn.call.reply.left) {
      // Nobody waits that long for nothing to come: it hangs, though the client was the first to say so.
      const hangs = headAt === null && deps.clock.now() - startedAt >= SILENT_MS
      deps.report(ask, choice, hangs ? { kind: 'unreachable', code: 'upstream-timeout' } : { kind: 'left' })
      return leftEnd(turn, deps, choice)
    }
    if (mended) {
      // Its own thinking is not known, or is none: the session would never come out of it.
      turn.thinkingOff = nameOf(choice)
      deps.report(ask, choice, { kind: 'left' })
      trail.attempts.push(attemptOf(choice, outcome, startedAt, deps))
      continue
    }
    const report = deps.report(
      ask,
      choice,
      overflow
        ? { kind: 'answered', status: 400, headers: {}, body: null, ttfbMs: null, brokenOff: false, isFull: true }
        : outcome.kind === 'unreachable'
          ? { kind: 'unreachable', code: outcome.error.code }
          : {
              kind: 'refused',
              status: outcome.status,
              headers: outcome.headers,
              body: outcome.body.toString('utf8', 0, errorTextBytes),
            },
    )
    const attempted = attemptOf(choice, outcome, startedAt, deps)
    const failure = overflow ? overflowCode : attempted.code
    trail.tried.push({ choice, failure, ...(overflow ? { tooSmall: tooSmall(choice, overflow) } : {}) })
    const limit = limitOf(choice, report, startedAt)
    trail.limits.push(limit && report?.kind === 'limit' ? { limit, window: report.window } : null)
    trail.attempts.push({ ...attempted, code: failure })
    const next = mayWait() ? nextCandidate(deps, ask, trail.tried) : { choice: null, why: null }
    if (next.choice === null && overflow)
      throw new OnwardError(overflowCode, overflowWords(ask.entry, overflow), { status: 400 })
    if (next.choice === null) throw exhausted(outcome, trail.tried, next.why, trail.limits)
    choice = next.choice
  }
}

const attemptOf = (
  choice: RouteChoice,
  outcome: NoAnswer,
  startedAt: number,
  { clock }: Pick<SendDeps, 'clock'>,
): RouteAttempt => ({
  at: startedAt,
  provider: choice.providerId,
  model: choice.upstreamModel,
  keyAlias: choice.key?.alias ?? null,
  status: outcome.kind === 'refused' ? outcome.status : null,
  code: outcome.kind === 'refused' ? String(outcome.status) : outcome.error.code,
  durationMs: Math.max(0, clock.now() - startedAt),
})

/** What came says that the context window is full. */
function overflowBy(outcome: AnswerOutcome): Overflow | null {
  switch (outcome.kind) {
    case 'answered':
      return null
    case 'refused':
      return outcome.status === 429 ? null : overflowIn(outcome.body)
    case 'unreachable':
      return overflowOf(outcome.error)
  }
}

/** Tokens that it does not hold, as far as anybody knows. */
function tooSmall({ provider, upstreamModel }: RouteChoice, { input, limit }: Overflow): number | null {
  const known = [provider.models[upstreamModel]?.contextWindow, limit, input].filter(
    (tokens) => typeof tokens === 'number',
  )
  return known.length === 0 ? null : Math.max(...known)
}

function answered(
  { status, headers, errorBody, brokenOff }: Extract<AnswerOutcome, { kind: 'answered' }>,
  { call }: Turn,
  { summary, ttfbMs }: TurnEnd,
): RouteOutcome {
  // A client that leaves cuts its answer off itself, and so does Onward that ends.
  const cut = brokenOff !== null || (status < 400 && summary.finish === 'broken-off')
  return {
    kind: 'answered',
    status,
    headers,
    body: errorBody?.toString('utf8', 0, errorTextBytes) ?? null,
    ttfbMs,
    brokenOff: cut && !call.reply.left && !isEngineEnding(brokenOff),
    ...(errorBody && status !== 429 && overflowIn(errorBody) ? { isFull: true } : {}),
  }
}

/** The client got the refusal of a limit: its session may go on when that lifts. */
const limitOf = (
  { providerId }: RouteChoice,
  report: LimitReport | null,
  since: number,
): NonNullable<TurnEnd['limit']> | null =>
  report?.kind === 'limit' ? { provider: providerId, since, lifts: report.lifts } : null

/**
 * Several calls of Onward's own about one session stay with one model, as its own turns do, and apart from those:
 * thinking is sealed, and caches are warm.
 */
const ownConversation = ({ call }: Turn): string | null =>
  call.internal?.about === undefined ? null : `onward:${call.internal.about}`

export function askOf(turn: Turn, deps: Pick<SendDeps, 'credentialOf' | 'describesImages'>): RouteAsk {
  const { call, identity } = turn
  return {
    requestId: call.requestId,
    entry: call.entry,
    endpoint: call.endpoint,
    kind: identity.kind,
    model: turn.draft.lens.model,
    sessionId: identity.sessionId ?? ownConversation(turn),
    overrides: turn.overrides,
    needs: turn.codec.needs(turn.draft.lens, call.path),
    credential: once(() => deps.credentialOf(turn)),
    describesImages: deps.describesImages?.() ?? false,
    test: call.test,
  }
}

const nothingAsked: RouteAsk['needs'] = {
  tokens: () => 0,
  image: () => false,
  webSearch: () => false,
  thinking: () => false,
}

/** No provider at all can take this turn. */
export const hasNoRoute = (
  turn: Turn,
  deps: Pick<SendDeps, 'hasRoute' | 'credentialOf' | 'describesImages'>,
): boolean => !deps.hasRoute(askOf(turn, deps), [])

/** `why`: what the router said when it had none. */
function nextCandidate(
  deps: SendDeps,
  ask: RouteAsk,
  tried: readonly Tried[],
): { choice: RouteChoice | null; why: OnwardError | null } {
  try {
    return { choice: deps.choose(ask, tried), why: null }
  } catch (error) {
    if (OnwardError.isInstance(error)) return { choice: null, why: error }
    throw error
  }
}

function once<A extends unknown[], T>(make: (...input: A) => T): (...input: A) => T {
  let made: { value: T } | null = null
  return (...input) => (made ??= { value: make(...input) }).value
}

/** One upstream's answer, or that there is none. */
interface Attempted {
  outcome: AnswerOutcome
  observer: ResponseObserver | null
  conversion: TurnConversion | null
  headAt: number | null
  redactor: () => Redactor
  /** the client closed its connection when it had all of the answer */
  hadAll: boolean
}

/** What may follow a refusal. */
interface Again {
  /** `full`: so many tokens its window does not hold, as far as anybody knows */
  mayTryNext(failure: string, full?: number | null): boolean
  /** the refusal is of thinking, and the same candidate is asked again without it */
  mends(status: number, body: Buffer): boolean
  tried: readonly Tried[]
}

function attempt(
  turn: Turn,
  ask: RouteAsk,
  choice: RouteChoice,
  deps: SendDeps,
  client: AnswerClient,
  { mayTryNext, mends, tried }: Again,
): Promise<Attempted> {
  return new Promise((resolve) => {
    let headAt: number | null = null
    let upstream: UpstreamCall | null = null
    const seeSent = () => {
      if (!upstream?.sent?.()) turn.requestBytes.held = true
    }
    let hadAll = false
    let released = false
    // Retries are over: the request's bytes may go, the stream may last an hour.
    const letGo = () => {
      ask.needs = nothingAsked
      if (released || client.keepsRequest) return
      released = true
      seeSent()
      const { body } = turn.draft.lens
      releaseRequest(turn)
      giveBack(turn, body)
    }
    const { reply, requestId } = turn.call
    const { request, conversion } = deps.prepare(turn, choice)
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
          error(refused, code, message) {
            const { status } = refused
            const now = deps.clock.now()
            const report = readLimit({ ...refused, model: choice.upstreamModel, now })
            const limit = report?.kind === 'limit' ? { ...report, now } : null
            return {
              body: turn.codec.error({ status, code, message, requestId, limit }),
              headers: limit ? limitHeaders(turn.codec.protocol, limit) : {},
            }
          },
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
          const overflow = status === 429 ? null : overflowIn(body)
          if (!overflow) return false
          // The client acts on these words, and nobody holds more: it gets them as they came.
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
        onHead() {
          headAt = deps.clock.monotonic()
        },
        onBegins(status) {
          if (status < 400) deps.report(ask, choice, { kind: 'began' })
        },
        onCommitted: letGo,
        onDone(outcome, observer) {
          seeSent()
          if (conversion) turn.dropped = conversion.dropped()
          // An answer in one piece has no earlier moment: until its end another candidate may be tried.
          if (outcome.kind === 'answered') letGo()
          resolve({ outcome: withoutSecrets(outcome, redactor), observer, conversion, headAt, redactor, hadAll })
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
  })
}

/**
 * An error event that tells of a full context window, as the client's own vendor says it; one in a field that no client
 * reads (`error: {…}`), in one that all do.
 */
function clientsWords(entry: EntryProtocol, frame: Frame): Frame {
  const value = frame.value()
  if (!value) return frame
  const overflow = overflowInValue(value)
  if (overflow && !isInWords(entry, value, null))
    return eventFrame(frame, Buffer.from(JSON.stringify(inClientsWords(entry, value, overflow))))
  if (!/^error:/m.test(frame.raw.toString('latin1'))) return frame
  return eventFrame(frame, Buffer.from(JSON.stringify({ type: 'error', error: value['error'] ?? value })))
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

function endOf(
  turn: Turn,
  deps: SendDeps,
  choice: RouteChoice,
  outcome: Extract<AnswerOutcome, { kind: 'answered' }>,
  { observer, conversion, headAt, hadAll }: Attempted,
): TurnEnd {
  const started = turn.call.receivedAt
  const observed = observer?.finish(outcome.brokenOff !== null) ?? emptySummary('broken-off', null)
  const seen = { ...observed, usage: recordedUsage(conversion?.usage() ?? null) ?? observed.usage }
  const { brokenOff } = outcome
  const summary =
    brokenOff && seen.error === null && !turn.call.reply.left
      ? { ...seen, error: { code: brokenOff.code, message: brokenOff.message } }
      : seen
  const { reply } = turn.call
  return {
    summary,
    status: outcome.status,
    route: choice.fact,
    choice,
    ttfbMs: outcome.firstByteAt === null ? (headAt === null ? null : headAt - started) : outcome.firstByteAt - started,
    durationMs: deps.clock.monotonic() - started,
    bytesOut: outcome.bytesOut,
    clientLeft: reply.left && !hadAll,
  }
}

/** An event that tells of an error was observed as it came. */
function redactedEnd(end: TurnEnd, redactor: () => Redactor): TurnEnd {
  const { error } = end.summary
  return error === null ? end : { ...end, summary: { ...end.summary, error: redactor().value(error) } }
}

/** What a provider says of its failure within an answer of another protocol becomes our own error. */
function withoutSecrets(outcome: AnswerOutcome, redactor: () => Redactor): AnswerOutcome {
  if (outcome.kind !== 'unreachable') return outcome
  const { error } = outcome
  const message = redactor().text(error.message)
  if (message === error.message) return outcome
  const { code, status, retryable, details } = error
  return { kind: 'unreachable', error: new OnwardError(code, message, { status, retryable, details }) }
}

function leftEnd(turn: Turn, deps: SendDeps, choice: RouteChoice): TurnEnd {
  const finish: FinishKind = 'broken-off'
  return {
    summary: emptySummary(finish, { code: 'client-left', message: 'The client closed its connection.' }),
    status: 499,
    route: choice.fact,
    choice,
    ttfbMs: null,
    durationMs: deps.clock.monotonic() - turn.call.receivedAt,
    bytesOut: 0,
    clientLeft: true,
  }
}

/** Without path and query, which may hold secrets. */
const elsewhere = (location: string): string => (URL.canParse(location) ? ` to ${new URL(location).origin}` : '')
