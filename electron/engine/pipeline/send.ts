import type { FinishKind } from '../../../shared/events.ts'
import { OnwardError } from '../base/errors.ts'
import type { Clock } from '../base/clock.ts'
import type { ResponseObserver } from '../protocol/types.ts'
import type { Transport, UpstreamRequest } from '../providers/types.ts'
import type { RouteAsk, RouteChoice } from '../router/types.ts'
import type { TurnConversion } from './convert-turn.ts'
import { relay, type RelayOutcome } from './relay.ts'
import { relayConverted } from './relay-converted.ts'
import { releaseRequest } from './release-request.ts'
import { emptySummary, type Turn, type TurnEnd } from './turn.ts'

export interface SendDeps {
  clock: Clock
  transport: Transport
  /** `exclude` names candidates that failed in this turn. @throws OnwardError `no-route` */
  choose(ask: RouteAsk, exclude: readonly RouteChoice[]): RouteChoice
  /** `conversion` is there when the provider speaks another protocol than the client. @throws OnwardError (400) for what can't be said in it */
  prepare(turn: Turn, choice: RouteChoice): { request: UpstreamRequest; conversion: TurnConversion | null }
  responseHeaders(headers: Record<string, string | string[]>): Record<string, string | string[]>
  /** tells the router how a candidate did */
  report(choice: RouteChoice, outcome: { ok: boolean; status: number | null; headers: Record<string, string | string[]> | null }): void
}

/** Statuses that another key or provider may answer better (spec 06, Router). Other 4xx never. */
export const isRetryableStatus = (status: number): boolean =>
  status === 401 || status === 403 || status === 408 || status === 409 || status === 425 || status === 429 || status >= 500

/** More candidates than this are not tried for one turn: the client's own patience is the limit. */
const MOST_ATTEMPTS = 6

/**
 * Sends the turn upstream and its answer to the client; tries the next candidate only before the first byte.
 * @throws OnwardError when nothing could be sent to the client, with what was tried
 */
export async function send(turn: Turn, deps: SendDeps): Promise<TurnEnd> {
  const ask = askOf(turn)
  const tried: Tried[] = []
  for (let choice = deps.choose(ask, []); ;) {
    const now = choice
    // Looked for only when something failed: nearly always nothing does.
    const another = once(() => nextCandidate(deps, ask, [...tried.map((t) => t.choice), now]))
    const { outcome, observer, headAt } = await attempt(turn, choice, deps, () => another() !== null, tried)
    const reported = outcome.kind === 'unreachable' ? { status: null, headers: null } : { status: outcome.status, headers: outcome.kind === 'refused' ? outcome.headers : null }
    deps.report(choice, { ok: outcome.kind === 'answered' && outcome.status < 400, ...reported })
    if (outcome.kind === 'answered') return endOf(turn, deps, choice, outcome, observer, headAt)
    if (turn.call.reply.left) return leftEnd(turn, deps, choice)
    tried.push({ choice, why: outcome.kind === 'refused' ? String(outcome.status) : outcome.error.code })
    const next = another()
    if (next === null) throw outcome.kind === 'unreachable' ? withTried(outcome.error, tried) : lastRefusal(outcome.status, tried)
    choice = next
  }
}

const askOf = (turn: Turn): RouteAsk => ({ entry: turn.call.entry, endpoint: turn.call.endpoint, kind: turn.identity.kind, model: turn.lens.model, sessionId: turn.identity.sessionId, overrides: turn.overrides })

/** No provider at all can take this turn. */
export function hasNoRoute(turn: Turn, deps: Pick<SendDeps, 'choose'>): boolean {
  try {
    deps.choose(askOf(turn), [])
    return false
  } catch (error) {
    if (OnwardError.isInstance(error) && error.code === 'no-route') return true
    throw error
  }
}

/** A candidate that gave no answer for the client, and the status or code it failed with. */
interface Tried { choice: RouteChoice; why: string }

function nextCandidate(deps: SendDeps, ask: RouteAsk, tried: readonly RouteChoice[]): RouteChoice | null {
  if (tried.length >= MOST_ATTEMPTS) return null
  try {
    return deps.choose(ask, tried)
  } catch (error) {
    if (OnwardError.isInstance(error)) return null
    throw error
  }
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null
  return () => (made ??= { value: make() }).value
}

function attempt(turn: Turn, choice: RouteChoice, deps: SendDeps, another: () => boolean, tried: readonly Tried[]): Promise<{ outcome: RelayOutcome; observer: ResponseObserver | null; headAt: number | null }> {
  return new Promise((resolve) => {
    let headAt: number | null = null
    let observing: ResponseObserver | null = null
    const { reply, requestId } = turn.call
    const { request, conversion } = deps.prepare(turn, choice)
    const common = {
      reply,
      streaming: turn.lens.stream,
      mayRefuse: (status: number) => isRetryableStatus(status) && another(),
      filterHeaders: (headers: Record<string, string | string[]>) => (tried.length === 0 ? deps.responseHeaders(headers) : { ...deps.responseHeaders(headers), 'x-onward-tried': asHeader(names(tried)) }),
      observerFor: (contentType: string, status: number) => turn.codec.observe(contentType, status),
      redirected: (location: string) => new OnwardError('upstream-redirected', `The provider ${choice.providerId} sends its callers on${elsewhere(location)}. Put that address into its baseUrl.`, { status: 502 }),
      now: () => deps.clock.monotonic(),
      onHead: (observer: ResponseObserver) => {
        observing = observer
        headAt = deps.clock.monotonic()
      },
      // Retries are over: the request's bytes may go, the stream may last an hour.
      onCommitted: () => releaseRequest(turn),
      onDone: (outcome: RelayOutcome, observer: ResponseObserver | null) => {
        if (conversion) turn.dropped = conversion.dropped()
        resolve({ outcome, observer, headAt })
      },
    }
    const passing = conversion
      ? relayConverted({ ...common, conversion, errorBody: (status, code, message) => turn.codec.error({ status, code, message, requestId }) })
      : relay({
        ...common,
        errorEvent: (error) => brokenOff(turn, choice, error, 'sse'),
        ...(turn.lens.streamForm === 'json-array' ? { errorElement: (error: OnwardError | null) => brokenOff(turn, choice, error, 'json-array') } : {}),
      })
    const call = deps.transport.send(request, passing.handler)
    passing.attach(call)
    reply.onClose(() => {
      if (!reply.finished && !observing?.ended) call.abort()
    })
  })
}

function brokenOff({ call, codec }: Turn, { providerId }: RouteChoice, error: OnwardError | null, streamForm: 'sse' | 'json-array'): Buffer {
  return codec.errorEvent({
    code: error?.code ?? 'upstream-broke-off',
    message: error?.message ?? `The provider ${providerId} ended its answer in the middle.`,
    requestId: call.requestId,
    sequence: 0,
    streamForm,
  })
}

function endOf(turn: Turn, deps: SendDeps, choice: RouteChoice, outcome: Extract<RelayOutcome, { kind: 'answered' }>, observer: ResponseObserver | null, headAt: number | null): TurnEnd {
  const started = turn.call.receivedAt
  const summary = observer?.finish(outcome.brokenOff !== null) ?? emptySummary('broken-off', null)
  const { reply } = turn.call
  return {
    summary,
    status: outcome.status,
    route: choice.fact,
    choice,
    ttfbMs: outcome.firstByteAt === null ? headAt === null ? null : headAt - started : outcome.firstByteAt - started,
    durationMs: deps.clock.monotonic() - started,
    bytesOut: outcome.bytesOut,
    clientLeft: reply.left && !reply.finished && !summary.complete,
  }
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

const nameOf = ({ providerId, upstreamModel, key }: RouteChoice): string => `${providerId}.${upstreamModel}${key ? ` (key ${key.alias})` : ''}`
const names = (tried: readonly Tried[]): string => tried.map(({ choice, why }) => `${nameOf(choice)}: ${why}`).join(', ')
/** Without path and query, which may hold secrets. */
const elsewhere = (location: string): string => (URL.canParse(location) ? ` to ${new URL(location).origin}` : '')
const asHeader = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, '?')

function withTried(error: OnwardError, tried: readonly Tried[]): OnwardError {
  return new OnwardError(error.code, `${error.message.replace(/[^.!?]$/, '$&.')} Tried: ${names(tried)}.`, { cause: error, status: Math.max(500, error.status), retryable: error.retryable })
}

function lastRefusal(status: number, tried: readonly Tried[]): OnwardError {
  return new OnwardError('upstream-refused', `Every provider refused, the last with status ${status}. Tried: ${names(tried)}.`, { status })
}
