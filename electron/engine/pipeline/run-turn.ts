import type { RecordEvent } from '../../../shared/events.ts'
import type { EntryProtocol, RequestKind, Scope, ClientKind } from '../../../shared/words.ts'
import type { Clock } from '../base/clock.ts'
import { messageOf, OnwardError } from '../base/errors.ts'
import { ownShare } from '../base/work.ts'
import type { Log } from '../base/log.ts'
import { serverToolCodecOf } from '../protocol/index.ts'
import type { EntryCodec, RequestLens } from '../protocol/types.ts'
import type { RoutingOverrides } from '../router/types.ts'
import { recogniseClient } from '../sessions/clients/index.ts'
import type { RequestFacts, TurnIdentity } from '../sessions/types.ts'
import { answerMyself, countMyself, loadTokenizer } from './answer/answer-myself.ts'
import { readMarkers, refuseMarkers, strip, type MarkerDeps } from './request/read-markers.ts'
import type { BegunReminder, Reminders } from './request/reminders.ts'
import {
  draftOf,
  emptySummary,
  noOverrides,
  type ReceiptMatch,
  type Turn,
  type TurnEnd,
  type ClientCall,
  type RunTurn,
  type Writing,
} from './turn.ts'
import type { NextFollowup } from './rounds/rounds-input.ts'
import { sendInRounds } from './rounds/rounds.ts'
import type { BegunTurn, TurnTools } from './rounds/turn-tools.ts'
import { lacksCount } from './send/attempt.ts'
import type { SendDeps } from './send/deps.ts'
import { hasNoRoute, send } from './send/send.ts'
import { type KeptThinking, callIdsSent, conversationOf } from './kept-thinking.ts'

/** The terminal's outbox, as the request path uses it. */
export interface TurnOutbox {
  matchReceipt(sessionId: string | null, texts: readonly string[]): ReceiptMatch
  requestStarted(start: {
    requestId: string
    sessionId: string | null
    kind: Turn['identity']['kind']
    lastUserTexts: readonly string[] | null
    hasNewMainTurn: boolean
    said: string | null
    begins: boolean
  }): Promise<void>
  requestEnded(requestId: string, answer: { sessionId: string; text: string; goesOn: boolean } | null): void
}

export interface TurnServices {
  clock: Clock
  log: Log
  record: RecordEvent
  codecOf(entry: EntryProtocol): EntryCodec
  identify(facts: RequestFacts): Promise<TurnIdentity>
  overridesOf(sessionId: string): RoutingOverrides
  outboxOf(scope: Scope): Promise<TurnOutbox>
  markers: MarkerDeps
  send: SendDeps
  /** Onward's own tools: declared, answered, and their history put back */
  tools: TurnTools
  /** due alarms that go with the request */
  reminders: Reminders
  /** the line with the time after the turn's words; null: none */
  timeTag(turn: Turn): string | null
  /** the parts of answers that providers sealed, for clients that do not hand them back */
  thinking: Pick<KeptThinking, 'open'>
  /** describes images for a model that can't see them */
  seeImages(turn: Turn): Promise<void>
  /** returns what asks for followups within this HTTP call, for a session in reenter mode; else null */
  reenter(turn: Turn): NextFollowup | null
  /** counts the turn and marks the session as working. @returns its ordinal in the session */
  started(turn: Turn): number | null
  /** its markers are read: keeps its request for a later decision about the turn */
  keep(turn: Turn): void
  /** record, counters, decisions: everything after the client has its answer. Never throws into the turn */
  ended(turn: Turn, end: TurnEnd): void
}

/** True for bodies whose search, over all stages, takes longer than other requests should wait. */
const isLong = ({ body }: ClientCall): boolean => body.length > 256 * 1024

/** What stages leave for the sending, beside the turn. */
interface Begun {
  /** resolves when the outbox has recorded the request; null: it has no outbox */
  noted: Promise<void> | null
  reminder: BegunReminder | null
  next: NextFollowup | null
  tools: BegunTurn | null
}

export interface Stage<W extends keyof Turn = keyof Turn> {
  name: string
  /** its own fields of the turn; it may read what the call has and earlier stages wrote */
  writes: readonly W[]
  run(turn: Writing<W>, services: TurnServices, begun: Begun): void | Promise<void>
}
const stage = <W extends keyof Turn = never>(one: Stage<W>): Stage => one

/** From the request as it was identified to the one that is sent, in this order. */
export const stages: readonly Stage[] = [
  stage({
    name: 'receipt',
    writes: [],
    // A receipt comes once: after its answer the client does not repeat it, and a crash must not lose it.
    run: ({ receipt }, _, { noted }) => (receipt.proves.length > 0 && noted ? noted : undefined),
  }),
  stage({
    name: 'markers',
    writes: ['ownAnswer', 'overrides'],
    run: (turn, { markers }) => readMarkers(turn, markers),
  }),
  stage({ name: 'keep', writes: [], run: (turn, { keep }) => keep(turn) }),
  stage({ name: 'strip', writes: ['draft'], run: (turn, { markers }) => strip(turn, markers.inCode()) }),
  stage({
    name: 'alarms',
    writes: ['draft'],
    async run(turn, { reminders }, begun) {
      begun.reminder = await reminders.begin(turn)
    },
  }),
  stage({
    name: 'reenter',
    writes: [],
    run(turn, { reenter }, begun) {
      begun.next = reenter(turn)
    },
  }),
  stage({
    name: 'thinking',
    writes: ['conversation'],
    async run(turn, { thinking }) {
      turn.conversation = conversationOf(turn)
      if (turn.conversation !== null) await thinking.open(turn.conversation, () => callIdsSent(turn))
    },
  }),
  stage({
    name: 'tools',
    writes: ['draft'],
    async run(turn, { tools }, begun) {
      begun.tools = await tools.begin(turn)
    },
  }),
  stage({ name: 'images', writes: ['draft'], run: (turn, { seeImages }) => seeImages(turn) }),
  stage({
    name: 'time',
    writes: ['draft'],
    run(turn, { timeTag }) {
      turn.draft = { ...turn.draft, time: timeTag(turn) }
    },
  }),
]

/** Runs one client request through all stages, sends it, and says how the turn ended. */
export function createRunTurn(services: TurnServices, through = stages): RunTurn {
  return async (call) => {
    const turn = await identify(call, services)
    if (isLong(call)) await ownShare()
    const outbox = turn.identity.scope === null ? null : await openOutbox(turn.identity.scope, call.requestId, services)
    const begun: Begun = {
      noted: outbox ? matchReceipt(turn, outbox, services) : null,
      reminder: null,
      next: null,
      tools: null,
    }
    turn.ordinal = services.started(turn)
    let end: TurnEnd | null = null
    try {
      for (const { run } of through) {
        const running = run(turn, services, begun)
        if (running) await running
        if (isLong(call)) await ownShare()
      }
      end = await answer(turn, services, begun)
    } catch (error) {
      end = failedEnd(turn, error, services.clock)
      throw error
    } finally {
      begun.reminder?.over(end)
      outbox?.requestEnded(call.requestId, end && answerOf(turn, end))
      services.ended(turn, end ?? failedEnd(turn, null, services.clock))
    }
  }
}

/** Has Onward itself answer, or a provider, in one round or in several. */
async function answer(turn: Turn, services: TurnServices, { next, tools }: Begun): Promise<TurnEnd> {
  if (turn.ownAnswer !== null) return answerMyself(turn, turn.ownAnswer, services.clock)
  if (turn.call.endpoint === 'count') return count(turn, services)
  if (!next && !tools) return send(turn, services.send)
  const end = await sendInRounds(turn, services.send, {
    toolRounds: tools?.toolRounds ?? null,
    next,
    keep: tools?.keep ?? (async () => undefined),
  })
  if (!tools || tools.toolRounds.runs.length === 0) return end
  const { runs: servertools, continueWith } = tools.toolRounds
  return { ...end, servertools, ...(continueWith ? { continueWith } : {}) }
}

/** Has a provider count, or else estimates. */
async function count(turn: Turn, { send: deps, clock }: TurnServices): Promise<TurnEnd> {
  if (hasNoRoute(turn, deps)) return countMyself(turn, clock, loadTokenizer)
  try {
    return await send(turn, deps)
  } catch (error) {
    if (turn.call.reply.headSent || !turn.tried.some(({ status }) => lacksCount(turn, status))) throw error
    return countMyself(turn, clock, loadTokenizer)
  }
}

async function identify(call: ClientCall, services: TurnServices): Promise<Writing<'ordinal' | 'receipt'>> {
  const codec = services.codecOf(call.entry)
  const recognised = recogniseClient(call.headers)
  // The share is counted from the first question on.
  if (isLong(call)) await ownShare()
  const draft = draftOf(codec, call.body, call.path, recognised)
  if (isLong(call)) await ownShare()
  refuseMarkers(draft.lens)
  if (isLong(call)) await ownShare()
  const identity = call.internal
    ? engineItself(call.internal.kind)
    : await services.identify(requestFacts(call, draft.lens, recognised))
  const overrides = identity.sessionId === null ? noOverrides : services.overridesOf(identity.sessionId)
  return {
    call,
    codec,
    draft,
    bytesIn: call.body.length,
    identity,
    ordinal: null,
    receipt: { ours: [], proves: [] },
    overrides,
    ownAnswer: null,
    reentered: false,
    tried: [],
    dropped: [],
  }
}

const engineItself = (kind: RequestKind): TurnIdentity => ({
  sessionId: null,
  sessionSource: null,
  client: 'other',
  kind,
  terminalId: null,
  scope: null,
  scopeProblem: null,
  registeredClientOnly: false,
  retry: false,
})

/**
 * Matches the last user message with the outbox: it is a receipt, a new turn of the person, or neither. Resolves when
 * the outbox has recorded it.
 */
function matchReceipt(turn: Writing<'receipt'>, outbox: TurnOutbox, services: TurnServices): Promise<void> {
  const { identity, draft, call } = turn
  const last = draft.lens.lastMessage()
  const sent = last?.role === 'user' && last.texts.length > 0 ? last.texts : null
  const persons = sent && services.markers.personTexts(identity.client, sent)
  // Text that a client puts around a message is not part of it (Copilot 1.0.102: the time, before each).
  const texts = sent && persons && sent.map((text, i) => persons[i] || text)
  const mainTurn = identity.kind === 'turn' && !identity.retry && texts !== null
  if (texts && identity.kind === 'turn') turn.receipt = outbox.matchReceipt(identity.sessionId, texts)
  return outbox
    .requestStarted({
      requestId: call.requestId,
      sessionId: identity.sessionId,
      kind: identity.kind,
      lastUserTexts: texts,
      hasNewMainTurn: mainTurn && persons !== null && persons.some((text) => text !== ''),
      said: persons?.findLast((text) => text.trim() !== '') ?? null,
      begins: draft.lens.historyDigest().startsWith('0.'),
    })
    .catch((error: unknown) =>
      services.log.error(
        { requestId: call.requestId, error: messageOf(error) },
        'the outbox could not take note of a request',
      ),
    )
}

/** Returns the answer as the conversation shows it. */
function answerOf(
  { identity }: Turn,
  { summary }: TurnEnd,
): { sessionId: string; text: string; goesOn: boolean } | null {
  const { sessionId, kind } = identity
  if (sessionId === null || kind !== 'turn' || summary.text.trim() === '') return null
  return { sessionId, text: summary.text, goesOn: summary.finish === 'tool-calls' }
}

function failedEnd(turn: Turn, error: unknown, clock: Clock): TurnEnd {
  const known = OnwardError.isInstance(error)
    ? { code: error.code, message: error.message }
    : { code: 'internal', message: messageOf(error) }
  return {
    summary: emptySummary('error', known),
    status: OnwardError.isInstance(error) ? error.status : 500,
    route: null,
    choice: null,
    ttfbMs: null,
    durationMs: clock.monotonic() - turn.call.receivedAt,
    bytesOut: 0,
    clientLeft: turn.call.reply.left,
    ...limitOf(error),
  }
}

/**
 * Set when every provider rests, and one of them for a limit: the session may go on when that lifts (router,
 * `all-resting`).
 */
function limitOf(error: unknown): Pick<TurnEnd, 'limit'> {
  const limit = OnwardError.isInstance(error) ? error.details['limit'] : null
  return isLimit(limit) ? { limit } : {}
}

const isLimit = (value: unknown): value is NonNullable<TurnEnd['limit']> =>
  typeof value === 'object' && value !== null && 'provider' in value && 'since' in value && 'lifts' in value

/** This many messages hold the last words, with the tool results in between. */
const HISTORY = 60

const stringsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(stringsIn)
      : []

/** The facts that identification uses: headers, caller and a few lazily decoded facts of the body. */
export function requestFacts(
  call: Pick<ClientCall, 'entry' | 'endpoint' | 'headers' | 'caller' | 'callingProcess'>,
  lens: RequestLens,
  recognised: ClientKind | null,
): RequestFacts {
  return {
    entry: call.entry,
    endpoint: call.endpoint,
    headers: call.headers,
    recognised,
    caller: call.caller,
    callingProcess: call.callingProcess,
    model: lens.model,
    stream: lens.stream,
    value: (...path) => lens.value(...path),
    systemTexts: (limit, leading) => lens.systemTexts(limit, leading),
    firstUserTexts: () => lens.firstUserTexts(),
    lastUserTexts: () => {
      const last = lens.lastMessage()
      return last?.role === 'user' && last.texts.length > 0 ? last.texts : null
    },
    *userTexts() {
      for (const at of lens.userTexts()) yield at.text()
    },
    history() {
      const asked = lens.asked()[0]?.start ?? lens.body.length
      const before = lens.items().filter(({ end }) => end <= asked)
      return before
        .slice(-HISTORY)
        .map(({ start, end }) => stringsIn(JSON.parse(lens.body.toString('utf8', start, end))))
    },
    toolCount: () => lens.toolCount(),
    toolNames: () => serverToolCodecOf(call.entry).clientTools(lens),
    answerCount: () => serverToolCodecOf(call.entry).turns(lens).length,
    cached: () => cachedOf(lens),
    historyDigest: () => lens.historyDigest(),
  }
}

/** As a client writes it; within a text its quotes would be escaped. */
const cacheMark = '"cache_control":{"type":'

function cachedOf(lens: RequestLens): 'to-the-end' | 'before-the-end' | null {
  const last = lens.lastMessage()
  const items = lens.items()
  const [first, asked, end] = [items[0], items[last?.index ?? -1], items.at(-1)]
  if (lens.protocol !== 'messages' || !first || !asked || !end) return null
  if (lens.body.subarray(asked.start, end.end).includes(cacheMark)) return 'to-the-end'
  return lens.body.subarray(first.start, asked.start).includes(cacheMark) ? 'before-the-end' : null
}

/**
 * An outbox that can't be opened, for example one of a newer Onward, costs its terminal the followups, never the
 * answers.
 */
export async function openOutbox<T>(
  scope: Scope,
  requestId: string,
  { outboxOf, log }: { outboxOf(scope: Scope): Promise<T>; log: Log },
): Promise<T | null> {
  try {
    return await outboxOf(scope)
  } catch (error) {
    log.error(
      { requestId, scope, code: OnwardError.isInstance(error) ? error.code : 'outbox', error: messageOf(error) },
      'the followups of this terminal can’t be had; its request is served without them',
    )
    return null
  }
}
