import type { Usage } from '../../../shared/cost/usage.ts'
import type { FinishKind, RouteFact } from '../../../shared/events.ts'
import type { RouteAttempt } from '../../../shared/routing.ts'
import type { ServertoolRun } from '../../../shared/state.ts'
import type { EntryProtocol, RequestKind } from '../../../shared/words.ts'
import type { EntryCodec, ResponseSummary } from '../protocol/types.ts'
import type { JsonObject } from '../protocol/values.ts'
import type { RouteChoice, RoutingOverrides } from '../router/types.ts'
import type { TurnIdentity, Caller, FindProcess } from '../sessions/types.ts'
import type { RequestDraft } from './request/request-draft.ts'

/** The result of matching the last user message with the outbox. */
export interface ReceiptMatch {
  /** per text of the last user message: typed by Onward, so never read for markers */
  ours: readonly boolean[]
  /** entries this request confirms */
  proves: readonly string[]
}

/** A turn on its way through the stages. Each stage fills in its own fields and touches nothing else. */
export interface Turn {
  readonly call: ClientCall
  readonly codec: EntryCodec
  /** Responses: the parts of the client's own request that an answer repeats; absent until an answer has to be made */
  asked?: JsonObject
  /** an empty one once the request's bytes are no longer needed */
  draft: RequestDraft
  readonly bytesIn: number
  /**
   * The same for all rounds. Held: the bytes are read when the answer is over, or the system may still write from them,
   * so their memory is left to the garbage collector. A holder sets this before they go up.
   */
  readonly requestBytes: { held: boolean }
  readonly identity: TurnIdentity
  /** the session's ordinal of this turn; null for anything but a first-time `turn` with a session */
  ordinal: number | null
  receipt: ReceiptMatch
  overrides: RoutingOverrides
  /** the line with which Onward answers by itself; null: a provider answers */
  ownAnswer: string | null
  /** this HTTP call is itself a reentered followup */
  reentered: boolean
  /** the name under which the thinking of its conversation is kept (kept-thinking.ts); null: none is kept */
  conversation?: string | null
  /** upstreams that gave the client no answer */
  tried: readonly RouteAttempt[]
  /** provider and model that refused the turn because its history lacks thinking: they get it without any */
  thinkingOff?: string
  /** members of request and answer that the provider's protocol has no place for, by name */
  dropped: readonly string[]
}

/** The end of a turn, as everything after it sees it. */
export interface TurnEnd {
  summary: ResponseSummary
  status: number
  route: RouteFact | null
  choice: RouteChoice | null
  ttfbMs: number | null
  durationMs: number
  bytesOut: number
  /** the client was gone before it had the whole response */
  clientLeft: boolean
  /** its answer to the client was the refusal of a limit */
  limit?: { provider: string; since: number; lifts: number | null }
  /** reenter mode only: the followups of this HTTP call were decided on and sent within it */
  reenter?: ReenterFact
  /** why a further round, or the record of one, failed though the client has a proper answer */
  roundFailure?: NonNullable<ReenterFact['failure']>
  /** tools of Onward's that ran in it */
  servertools?: readonly ServertoolRun[]
  /** the model asked to be called again, with this as its next message */
  continueWith?: { text: string }
}

export interface ReenterFact {
  /** rounds that came whole and reached the client */
  rounds: number
  /** why a wanted further one did not come; the client's answer ended properly all the same */
  failure: { round: number; code: string; message: string } | null
}

export const isBroken = ({ status, summary }: TurnEnd): boolean =>
  status >= 400 || !summary.complete || summary.error !== null

export const noOverrides: RoutingOverrides = { allow: null, prefer: null, force: null, disabled: [] }

/** A summary for turns that never reached an upstream. */
export function emptySummary(
  finish: FinishKind,
  error: { code: string; message: string } | null,
  usage: Usage | null = null,
): ResponseSummary {
  return { finish, complete: error === null, usage, responseId: null, model: null, toolNames: [], text: '', error }
}

/** One client request from the gateway: authenticated, read whole, not yet interpreted. */
export interface ClientCall {
  requestId: string
  entry: EntryProtocol
  endpoint: 'generate' | 'count' | 'compact'
  method: 'GET' | 'POST'
  /** path and query below the entry's root, without any `/t/<key>` prefix, e.g. `/v1/messages?beta=true` */
  path: string
  /** lower-case names, as received, credentials included: the pipeline filters before anything goes upstream */
  headers: Readonly<Record<string, string>>
  caller: Caller
  callingProcess: FindProcess | null
  body: Buffer
  /**
   * The body is no longer needed: its place is free for another's. `memory`: its bytes, if they have no reader left.
   */
  bodyReleased?(memory?: Buffer): void
  /** monotonic milliseconds (Clock.monotonic) */
  receivedAt: number
  reply: Reply
  /** a call of the engine itself: it has no client, session or terminal */
  internal?: {
    kind: RequestKind
    withinMs: number
    /** the session it is about; it is no call of that session's */
    about?: string
  }
  /** a person tests the provider the model names (RouteAsk.test) */
  test?: { key: string | null }
}

/** The client's response. Backpressure and leaving are visible; nothing is buffered here. */
export interface Reply {
  head(status: number, headers: Record<string, string | string[]>): void
  /** false: wait for `onDrain` */
  write(chunk: Uint8Array): boolean
  end(chunk?: Uint8Array): void
  /** closes the connection without a proper end, so that the client does not take half an answer for a whole one */
  abort(): void
  readonly headSent: boolean
  /** everything was handed to the operating system */
  readonly finished: boolean
  /** the client is gone */
  readonly left: boolean
  onDrain(listener: () => void): void
  /** called once, when the connection closes, finished or not */
  onClose(listener: () => void): void
}

export type RunTurn = (call: ClientCall) => Promise<void>
