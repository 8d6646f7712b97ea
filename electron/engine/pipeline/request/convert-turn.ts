import type { Clock } from '../../base/clock.ts'
import { OnwardError } from '../../base/errors.ts'
import type { Random } from '../../base/ids.ts'
import type { AnswerUsage, Emit } from '../../protocol/canonical/answer.ts'
import type { ConversionCodec, WriteContext } from '../../protocol/canonical/codec.ts'
import {
  asJsonList,
  carriedTexts,
  convertToBody,
  convertToStream,
  readCanonical,
  withoutThinking,
  lossName,
  writeCanonical,
  type AnswerConversion,
  type BodyConverter,
  type CanonicalRequest,
  type CitationsSetting,
  type StreamConverter,
} from '../../protocol/canonical/index.ts'
import { splice } from '../../protocol/index.ts'
import { echoedMembers } from '../../protocol/responses/echo.ts'
import { parseObject, type JsonObject } from '../../protocol/values.ts'
import type { RouteChoice } from '../../router/types.ts'
import { asItCame, changesFor } from './request-draft.ts'
import type { KeptThinking } from '../thinking/kept-thinking.ts'
import { itemsOf, type StoredResponses } from './stored-responses.ts'
import { thinkingOfTurn } from '../thinking/thinking-of-turn.ts'
import type { Turn } from '../turn.ts'

/** A turn on its way to a provider of another protocol, and the way back of its answer. */
export interface ConvertedTurn {
  /** path and query below the provider's root */
  path: string
  body: Buffer | readonly Buffer[]
  conversion: TurnConversion
}

/** The way back. It lasts as long as the answer, so it holds nothing of the request's bytes. */
export interface TurnConversion {
  /** content type of the client's stream */
  streamType: string
  toStream(): StreamConverter
  toBody(): BodyConverter
  /** what a provider says in an error body */
  errorOf(body: Buffer): { code: string | null; message: string | null }
  /** names of members that were lost on the way, so far */
  dropped(): readonly string[]
  /** what the provider counted; the client's protocol may not say all of it */
  usage(): AnswerUsage | null
}

interface ReadRequest {
  request: CanonicalRequest
  /** Responses: the conversation, where its answer is to be kept for the next request */
  input: readonly unknown[] | null
}

export interface ConvertDeps {
  clock: Pick<Clock, 'now'>
  random: Pick<Random, 'token' | 'uuid'>
  stored: StoredResponses
  /** of the config as it is when a turn is sent */
  citations?(): CitationsSetting
  thinking: KeptThinking
}

/** Provider and model. */
export const nameOf = ({ providerId, upstreamModel }: RouteChoice): string => `${providerId}.${upstreamModel}`

/** @throws OnwardError `bad-request`, `previous_response_not_found` (400) */
export function convertTurn(
  turn: Turn,
  choice: RouteChoice,
  client: ConversionCodec,
  provider: ConversionCodec,
  deps: ConvertDeps,
): ConvertedTurn {
  const { bytesIn } = turn
  const { lens } = turn.draft
  if (client.protocol === 'responses' && !turn.asked) {
    const own = asItCame(turn.draft, turn.call.body)
    turn.asked = echoedMembers((name) => own.value(name))
  }
  // Read anew for each candidate: there is hardly ever a second one, and what was read weighs more than the bytes.
  const changes = changesFor(turn.draft, choice)
  const carried = carriedTexts(lens, { from: client.protocol, to: provider.protocol }, changes, deps.random.uuid())
  const bytes = splice(lens.body, carried ? [...changes, ...carried.edits] : changes)
  const { request: asked, input } = readTurn(bytes, turn, client, deps.stored)
  const by = nameOf(choice)
  const thinking = thinkingOfTurn(turn, asked, { of: provider.protocol, by }, deps)
  const isOff = turn.thinkingOff === by
  const whole = thinking?.request ?? asked
  const request = isOff ? withoutThinking(whole, provider.protocol, choice.upstreamModel) : whole
  const model = choice.provider.models[choice.upstreamModel]
  // A provider refuses what its model can't do; the config says that of it.
  const noThinking = model?.thinking === false && request.reasoning !== null
  const target = {
    model: choice.upstreamModel,
    maxOutput: model?.maxOutput ?? null,
    ...(isOff ? { thinkingOff: true as const } : {}),
  }
  const plain = noThinking ? { ...request, reasoning: null } : request
  const written = writeCanonical(plain, provider, target, client.protocol)
  const dropped = new Set([
    ...written.dropped,
    ...(thinking?.dropped ?? []),
    ...(isOff ? ['thinking'] : []),
    ...(noThinking ? [lossName('reasoning', client.protocol)] : []),
  ])
  const context: WriteContext = {
    model: lens.model ?? choice.upstreamModel,
    // An answer may last an hour: of the request it keeps what the answer repeats.
    request: { ...request, messages: [] },
    ...(turn.asked ? { asked: turn.asked } : {}),
    nowMs: deps.clock.now(),
    newId: (prefix) => prefix + deps.random.token(18),
    dropped: (name) => {
      dropped.add(name)
    },
    ...(input ? { final: (response: JsonObject) => deps.stored.keep(input, response, bytesIn) } : {}),
  }
  const citations = deps.citations?.() ?? 'convert'
  const isList = lens.streamForm === 'json-array'
  const { restore } = written
  const watch = thinking?.watch
  let usage: AnswerUsage | null = null
  const answer = (): AnswerConversion => ({
    from: provider,
    to: client,
    restore,
    citations,
    context,
    watch: counting(watch?.(), (counted) => {
      usage = counted
    }),
  })
  const conversion: TurnConversion = {
    streamType: isList ? 'application/json; charset=utf-8' : 'text/event-stream; charset=utf-8',
    toStream: () => (isList ? asJsonList(convertToStream(answer())) : convertToStream(answer())),
    toBody: () => convertToBody(answer()),
    errorOf(body) {
      const value = parseObject(body)
      return value ? provider.readError(value) : { code: null, message: null }
    },
    dropped: () => [...dropped],
    usage: () => usage,
  }
  return { path: written.path, body: carried ? carried.putBack(written.body) : written.body, conversion }
}

const counting =
  (watch: Emit | undefined, tell: (usage: AnswerUsage | null) => void): Emit =>
  (event) => {
    if (event.type === 'finish') tell(event.usage)
    watch?.(event)
  }

function readTurn(bytes: Buffer, { call }: Turn, client: ConversionCodec, stored: StoredResponses): ReadRequest {
  const body = parseObject(bytes)
  if (!body) throw new OnwardError('bad-request', 'The request body must be a JSON object.', { status: 400 })
  if (client.protocol !== 'responses') return { request: readCanonical(client, body, call.path), input: null }
  const expanded = stored.expand(body)
  return {
    request: readCanonical(client, expanded, call.path),
    input: expanded['store'] === false ? null : itemsOf(expanded['input']),
  }
}
