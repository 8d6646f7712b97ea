import type { Usage } from '../../../shared/cost/usage.ts'
import type { FinishKind, RouteFact } from '../../../shared/events.ts'
import type { RouteAttempt } from '../../../shared/routing.ts'
import type { ServertoolRun } from '../../../shared/state.ts'
import type { EntryProtocol, RequestKind, ClientKind } from '../../../shared/words.ts'
import type { Mutable } from '../base/mutable.ts'
import { bearsTimeTag } from '../protocol/lens/lens.ts'
import { modelEdits, codecOf, serverToolCodecOf, withMark } from '../protocol/index.ts'
import { splice, splicedPieces, type Edit } from '../protocol/json-bytes/index.ts'
import type { EntryCodec, ResponseSummary, RequestLens } from '../protocol/types.ts'
import type { JsonObject } from '../protocol/values.ts'
import type { RouteChoice, RoutingOverrides } from '../router/types.ts'
import { profileOf } from '../sessions/clients/index.ts'
import type { TurnIdentity, Caller, FindProcess } from '../sessions/types.ts'

/** The result of matching the last user message with the outbox. */
export interface ReceiptMatch {
  /** per text of the last user message: typed by Onward, so never read for markers */
  ours: readonly boolean[]
  /** entries this request confirms */
  proves: readonly string[]
}

/** A turn on its way through the stages. A stage writes its own fields only: it takes the turn as `Writing` of them. */
export interface Turn {
  readonly call: ClientCall
  readonly codec: EntryCodec
  /** Responses: the parts of the client's own request that an answer repeats; absent until an answer has to be made */
  readonly asked?: JsonObject
  /** an empty one once the request's bytes are no longer needed */
  readonly draft: RequestDraft
  readonly bytesIn: number
  readonly identity: TurnIdentity
  /** the session's ordinal of this turn; null for anything but a first-time `turn` with a session */
  readonly ordinal: number | null
  readonly receipt: ReceiptMatch
  readonly overrides: RoutingOverrides
  /** the line with which Onward answers by itself; null: a provider answers */
  readonly ownAnswer: string | null
  /** this HTTP call is itself a reentered followup */
  readonly reentered: boolean
  /** the name under which the thinking of its conversation is kept (kept-thinking.ts); null: none is kept */
  readonly conversation?: string | null
  /** upstreams that gave the client no answer */
  readonly tried: readonly RouteAttempt[]
  /** provider and model that refused the turn because its history lacks thinking: they get it without any */
  readonly thinkingOff?: string
  /** members of request and answer that the provider's protocol has no place for, by name */
  readonly dropped: readonly string[]
}

/** A turn for a stage that writes these fields of it. */
export type Writing<W extends keyof Turn> = Omit<Turn, W> & Mutable<Pick<Turn, W>>
/** A turn for its sending, which may read the request once more and lets go of it when it was answered. */
export type Sending = Writing<'asked' | 'draft' | 'tried' | 'thinkingOff' | 'dropped'>

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
  /** its usage is the sum of several requests */
  summed?: true
  /** the usage of the last of them */
  lastUsage?: Usage | null
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
  /** The body is no longer needed: its place is free for another's. */
  bodyReleased?(): void
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

/**
 * A request on its way up: its body as read, and the edits to make in it. Each stage adds its own part, and the bytes
 * are put together once, when it is known which model they go to. It is a value: a stage gives its turn a new one, and
 * a holder of an old one keeps it as it was.
 */
export interface RequestDraft {
  /** of the request's body; the places of all edits are places in it */
  readonly lens: RequestLens
  /** reads another body of the same request */
  readonly read: (body: Buffer) => RequestLens
  /** for every model: markers taken out */
  readonly edits: readonly Edit[]
  /** for a model that takes tools: Onward's own declared */
  readonly tools: readonly Edit[]
  /** for a model that can't see: descriptions in the places of images */
  readonly images: readonly Edit[]
  /** a user message after the last: due alarms. It is in every request of an exchange */
  readonly reminder: Buffer | null
  /** the line with the time, after everything. It is in an exchange's first request alone */
  readonly time: string | null
}

const none: readonly Edit[] = []

export function draftOf(
  codec: EntryCodec,
  body: Buffer,
  path?: string,
  client: ClientKind | null = null,
): RequestDraft {
  const read = (bytes: Buffer): RequestLens => saidLast(codec.read(bytes, path), client)
  return unchanged(read(body), read)
}

/** A draft without changes. */
export const unchanged = (lens: RequestLens, read: RequestDraft['read']): RequestDraft => ({
  lens,
  read,
  edits: none,
  tools: none,
  images: none,
  reminder: null,
  time: null,
})

/**
 * Applies these edits and those for every model to the draft's bytes, for what a later stage has to read: what earlier
 * answers hid, another tool list. Comes before tools and images, whose places it would move.
 */
export function rewritten(draft: RequestDraft, edits: readonly Edit[]): RequestDraft {
  if (edits.length === 0) return draft
  if (draft.tools.length + draft.images.length > 0) throw new RangeError('The edits of this draft have their places.')
  return { ...draft, lens: draft.read(splice(draft.lens.body, [...draft.edits, ...edits])), edits: none }
}

/**
 * Returns the edits of the request for this choice, in the order in which inserts at one place go. The config says what
 * a model takes: a sighted one that steps in gets the images themselves. `choice` null: Onward counts the request
 * itself.
 */
function editsFor(draft: RequestDraft, choice: RouteChoice | null, round: 'first' | 'further'): Edit[] {
  const model = choice?.provider.models[choice.upstreamModel]
  const tellsTime =
    draft.time !== null &&
    round === 'first' &&
    model?.timeTag !== false &&
    (choice === null || bearsTimeTag(draft.lens, choice.upstreamModel))
  const edits = [...draft.edits]
  if (model?.tools !== false) edits.push(...draft.tools)
  if (choice === null || model?.vision === false) edits.push(...draft.images)
  edits.push(...behindLast(draft, tellsTime ? draft.time : null, round))
  return edits
}

function behindLast(
  { lens, reminder }: RequestDraft,
  line: string | null,
  round: 'first' | 'further',
): readonly Edit[] {
  if (line === null && reminder === null) return none
  const serverTools = serverToolCodecOf(lens.protocol)
  const tag = line === null ? none : serverTools.appendTimeTag(lens, line)
  if (reminder === null) return tag
  // A further round has its mark at its own end.
  const marked = round === 'first' ? withMark(lens, reminder) : reminder
  const items = line === null || tag.length === 0 ? [marked] : [marked, serverTools.userItem(line)]
  return serverTools.appendAfterLast(lens, items)
}

/** Returns the edits of the request's bytes for this choice, under the model's name that the client gave. */
export const changesFor = (draft: RequestDraft, choice: RouteChoice | null): readonly Edit[] =>
  editsFor(draft, choice, 'first')

/** Returns the request's bytes with these edits. */
export const bytesFor = (draft: RequestDraft, choice: RouteChoice | null): Buffer =>
  splice(draft.lens.body, changesFor(draft, choice))

/** The same under the choice's own name for its model, in pieces: the unchanged parts of a long body are not copied. */
export function piecesFor(draft: RequestDraft, choice: RouteChoice): readonly Buffer[] {
  const edits = editsFor(draft, choice, 'first')
  edits.push(...modelEdits(draft.lens, choice.upstreamModel))
  return splicedPieces(draft.lens.body, edits)
}

/** Returns the client's own request, read: the draft's may have been rewritten. */
export const asItCame = ({ lens, read }: RequestDraft, body: Buffer): RequestLens =>
  lens.body === body ? lens : read(body)

/** Returns the base of a further round of the exchange: the request with everything in it but the time. */
export function furtherRound(draft: RequestDraft, choice: RouteChoice | null): RequestDraft {
  const { lens, read } = draft
  const body = splice(lens.body, editsFor(draft, choice, 'further'))
  return unchanged(body === lens.body ? lens : read(body), read)
}

/**
 * Returns the request as if it ended with a person's words: some clients put reminders of their own after a person's
 * message, with the user's role (Kimi Code 2.1: the date, plan mode). They stay in the body as they are.
 */
export function saidLast(lens: RequestLens, client: ClientKind | null): RequestLens {
  const start = client && profileOf(client).behind
  if (!start) return lens
  let last: ReturnType<RequestLens['lastMessage']> = null
  const lastMessage = () => (last ??= lens.lastMessage((text) => text.startsWith(start)))
  return { ...lens, lastMessage, asked: () => lens.items().slice(lastMessage()?.index) }
}

const nothing = Buffer.alloc(0)
let emptyLens: RequestLens | null = null

/** Lets go of a request's bytes; what was read of it stays readable, the rest is empty. Who holds them keeps them. */
export function releaseRequest(turn: Writing<'draft'>): void {
  const { read, lens } = turn.draft
  const { protocol, model, stream, streamForm } = lens
  emptyLens ??= { ...codecOf('chat').read(Buffer.from('{}')), body: nothing }
  turn.call.body = nothing
  const left: Mutable<RequestLens> = { ...emptyLens, protocol, model, stream }
  if (streamForm !== undefined) left.streamForm = streamForm
  turn.draft = unchanged(left, read)
}
