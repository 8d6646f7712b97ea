import type { Clock } from '../../base/clock.ts'
import type { Random } from '../../base/ids.ts'
import { asBuffer } from '../../protocol/answer/frame.ts'
import type { AnswerUsage } from '../../protocol/canonical/answer.ts'
import type { ConversionCodec } from '../../protocol/canonical/codec.ts'
import type { BodyConverter, CitationsSetting, StreamConverter } from '../../protocol/canonical/index.ts'
import {
  mayNeedCleaning,
  withoutAnyThinking,
  withoutForeignSeals,
} from '../../protocol/canonical/thinking/foreign-seals.ts'
import { callIdsIn } from '../../protocol/canonical/kept/match-answers.ts'
import { conversionOf } from '../../protocol/conversions.ts'
import { echoedMembers } from '../../protocol/responses/echo.ts'
import { parseObject } from '../../protocol/values.ts'
import { prepareUpstream } from '../../providers/prepare.ts'
import { timeLimits, type SilenceLimits, type TimeLimits } from '../../providers/time-limits.ts'
import type { UpstreamRequest } from '../../providers/types.ts'
import { providerProtocol } from '../../router/prepared.ts'
import type { RouteChoice } from '../../router/types.ts'
import {
  convertersOf,
  type ConvertedAnswer,
  type Effects,
  type WayBack,
  readRequest,
  writeRequest,
  type RequestJob,
  type WrittenRequest,
} from '../conversion-thread/convert.ts'
import type { ConversionThread } from '../conversion-thread/conversion-thread.ts'
import type { KeptThinking, KeptOfTurn } from '../kept-thinking.ts'
import { type Sending, type Turn, piecesFor, asItCame, changesFor } from '../turn.ts'
import { jsonLength, type StoredResponses } from './stored-responses.ts'

export interface PreparedRequest {
  request: UpstreamRequest
  conversion: TurnConversion | null
  silence: SilenceLimits
}

/**
 * Returns the turn's request to one provider. For the client's own protocol its bytes go as they are, with all changes
 * made in one splice; for another protocol it is converted, which takes time where it is long.
 */
export function upstreamRequest(
  turn: Sending,
  choice: RouteChoice,
  isLocalKey: (value: string) => boolean,
  deps: ConvertDeps,
): PreparedRequest | Promise<PreparedRequest> {
  const { call } = turn
  const provider = providerProtocol(choice.type)
  const limits = timeLimits(choice.providerId, choice.provider, choice.upstreamModel, choice.measured ?? null)
  const prepared = (converted: ConvertedTurn | null): PreparedRequest => ({
    request: requestOf(turn, choice, isLocalKey, converted, limits),
    conversion: converted?.conversion ?? null,
    silence: limits.silence,
  })
  if (provider === null || provider === call.entry) return prepared(null)
  const converted = convertTurn(turn, choice, conversionOf[call.entry], conversionOf[provider], deps)
  return converted instanceof Promise ? converted.then(prepared) : prepared(converted)
}

const requestOf = (
  turn: Sending,
  choice: RouteChoice,
  isLocalKey: (value: string) => boolean,
  converted: ConvertedTurn | null,
  { timeouts }: TimeLimits,
): UpstreamRequest =>
  prepareUpstream({
    entry: turn.call.entry,
    providerId: choice.providerId,
    provider: choice.provider,
    type: choice.type,
    key: choice.key,
    method: turn.call.method,
    path: converted?.path ?? turn.codec.pathFor?.(turn.call.path, choice.upstreamModel) ?? turn.call.path,
    clientHeaders: turn.call.headers,
    isLocalKey,
    body: converted?.body ?? ownBody(turn, choice),
    timeouts,
  })

/** In pieces of the client's own bytes: of a long body only the parts beside a change are copied. */
function ownBody(turn: Sending, choice: RouteChoice): Buffer | readonly Buffer[] {
  const { call, draft } = turn
  const pieces = piecesFor(draft, choice)
  const model = choice.upstreamModel
  const isOff = turn.thinkingOff === nameOf(choice)
  turn.dropped = []
  if (!isOff && !mayNeedCleaning(call.entry, draft.lens.body, model)) return pieces
  const whole = Buffer.concat(pieces)
  const clean = (isOff ? withoutAnyThinking : withoutForeignSeals)(call.entry, whole, model)
  if (clean !== whole) turn.dropped = ['thinking']
  return clean
}

/** A turn as a provider of another protocol gets it, and the way back for its answer. */
interface ConvertedTurn {
  /** path and query below the provider's root */
  path: string
  body: Buffer | readonly Buffer[]
  conversion: TurnConversion
}

/** Converts the answer. It lives as long as the answer, so it holds nothing of the request's bytes. */
export interface TurnConversion {
  /** content type of the client's stream */
  streamType: string
  toStream(): StreamConverter
  toBody(): BodyConverter
  /** converts a long answer that came whole in a thread; null: it may as well be done here */
  inThread(body: Buffer, streaming: boolean): Promise<ConvertedAnswer['whole']> | null
  /** reads an error body of the provider */
  errorOf(body: Buffer): { code: string | null; message: string | null }
  /** names of members that were lost in the conversion, so far */
  dropped(): readonly string[]
  /** the provider's count; the client's protocol may not have all of it */
  usage(): AnswerUsage | null
}

interface ConvertDeps {
  clock: Pick<Clock, 'now'>
  random: Pick<Random, 'token' | 'uuid'>
  stored: StoredResponses
  /** from the config at the time a turn is sent */
  citations?(): CitationsSetting
  thinking: KeptThinking
  /** converts long requests and answers; absent: everything is converted at once */
  thread?: ConversionThread
}

/** A conversion of more bytes would block the event loop, and so is done in a thread. */
export const LONG_BYTES = 512 * 1024
/** ... and so is one of more messages, however short they are */
const LONG_LIST = 4_000

/** Returns provider and model as `provider.model`. */
export const nameOf = ({ providerId, upstreamModel }: RouteChoice): string => `${providerId}.${upstreamModel}`

/**
 * Returns a promise where the request is long. @throws OnwardError `bad-request`, `previous_response_not_found` (400)
 */
function convertTurn(
  turn: Sending,
  choice: RouteChoice,
  client: ConversionCodec,
  provider: ConversionCodec,
  deps: ConvertDeps,
): ConvertedTurn | Promise<ConvertedTurn> {
  const { lens } = turn.draft
  if (client.protocol === 'responses' && !turn.asked) {
    const own = asItCame(turn.draft, turn.call.body)
    turn.asked = echoedMembers((name) => own.value(name))
  }
  const by = nameOf(choice)
  const model = choice.provider.models[choice.upstreamModel]
  const job: RequestJob = {
    from: client.protocol,
    to: provider.protocol,
    path: turn.call.path,
    body: lens.body,
    // Read anew for each candidate: there is hardly ever a second one, and the parsed request weighs more than the
    // bytes.
    changes: changesFor(turn.draft, choice),
    word: deps.random.uuid(),
    before: client.protocol === 'responses' ? deps.stored.before(lens.value('previous_response_id')) : null,
    target: {
      model: choice.upstreamModel,
      maxOutput: model?.maxOutput ?? null,
      ...(turn.thinkingOff === by ? { thinkingOff: true as const } : {}),
    },
    noThinking: model?.thinking === false,
  }
  const keptFor = (callIds: () => readonly string[]): KeptOfTurn | null => {
    if (typeof turn.conversation !== 'string') return null
    const { answers, forgotten } = deps.thinking.of(turn.conversation, callIds)
    return { answers, forgotten, by }
  }
  const back = (written: WrittenRequest, kept: KeptOfTurn | null) =>
    convertedTurn(turn, choice, { job, provider, written, kept }, deps)

  const bytes = lens.body.length + jsonLength(job.before)
  if (deps.thread && (bytes > LONG_BYTES || lens.messageCount() > LONG_LIST)) {
    let kept: KeptOfTurn | null = null
    return deps.thread
      .request(job, (callIds) => (kept = keptFor(() => callIds)), leaving(turn))
      .then((written) => back(written, kept))
  }
  const read = readRequest(job, lens)
  const kept = keptFor(() => callIdsIn(read.request.messages))
  return back(writeRequest(job, read, kept), kept)
}

/** Returns a signal that is aborted when the client leaves. */
function leaving({ call }: Turn): AbortSignal {
  const leaves = new AbortController()
  call.reply.onClose(() => leaves.abort())
  return leaves.signal
}

interface Said {
  job: RequestJob
  provider: ConversionCodec
  written: WrittenRequest
  kept: KeptOfTurn | null
}

function convertedTurn(
  turn: Turn,
  choice: RouteChoice,
  { job, provider, written, kept }: Said,
  deps: ConvertDeps,
): ConvertedTurn {
  const { bytesIn, conversation } = turn
  const { lens } = turn.draft
  const { input, thinking } = written
  const now = deps.clock.now()
  if (kept && thinking && typeof conversation === 'string')
    deps.thinking.sent(
      conversation,
      thinking.handedBack.flatMap((i) => kept.answers[i] ?? []),
      thinking.needed,
    )
  const isList = lens.streamForm === 'json-array'
  const wayBack: WayBack = {
    from: job.to,
    to: job.from,
    tools: written.tools,
    citations: deps.citations?.() ?? 'convert',
    context: {
      model: lens.model ?? choice.upstreamModel,
      request: written.request,
      ...(turn.asked ? { asked: turn.asked } : {}),
      nowMs: now,
    },
    isList,
    thinking: kept && thinking && { of: job.to, by: kept.by, ordinal: thinking.ordinal, at: now },
    keepsResponse: input !== null,
  }
  const dropped = new Set(written.dropped)
  let usage: AnswerUsage | null = null
  const effects: Effects = {
    dropped: (name) => {
      dropped.add(name)
    },
    usage: (counted) => {
      usage = counted
    },
    keepThinking(answer) {
      if (typeof conversation === 'string') deps.thinking.add(conversation, answer)
    },
    keepResponse(response) {
      if (input) deps.stored.keep(input, response, bytesIn)
    },
  }
  const { thread } = deps
  const conversion: TurnConversion = {
    streamType: isList ? 'application/json; charset=utf-8' : 'text/event-stream; charset=utf-8',
    ...convertersOf(wayBack, deps.random, effects),
    inThread: (body, streaming) =>
      thread && body.length > LONG_BYTES
        ? thread
            .answer({ back: wayBack, body, streaming }, leaving(turn))
            .then((converted) => carriedOut(converted, effects))
        : null,
    errorOf(body) {
      const value = parseObject(body)
      return value ? provider.readError(value) : { code: null, message: null }
    },
    dropped: () => [...dropped],
    usage: () => usage,
  }
  return { path: written.path, body: buffersOf(written.body), conversion }
}

const buffersOf = (body: WrittenRequest['body']): Buffer | readonly Buffer[] =>
  body instanceof Uint8Array ? asBuffer(body) : body.map(asBuffer)

function carriedOut({ whole, dropped, usage, thinking, response }: ConvertedAnswer, effects: Effects) {
  for (const name of dropped) effects.dropped(name)
  if (usage) effects.usage(usage)
  for (const answer of thinking) effects.keepThinking(answer)
  if (response) effects.keepResponse(response)
  return whole
}
