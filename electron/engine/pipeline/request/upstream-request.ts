import { mayNeedCleaning, withoutAnyThinking, withoutForeignSeals } from '../../protocol/canonical/index.ts'
import { conversionOf } from '../../protocol/conversions.ts'
import { prepareUpstream } from '../../providers/prepare.ts'
import { timeLimits, type SilenceLimits, type TimeLimits } from '../../providers/time-limits.ts'
import type { UpstreamRequest } from '../../providers/types.ts'
import { providerProtocol } from '../../router/provider-protocol.ts'
import type { RouteChoice } from '../../router/types.ts'
import { convertTurn, nameOf, type ConvertDeps, type ConvertedTurn, type TurnConversion } from './convert-turn.ts'
import { piecesFor } from './request-draft.ts'
import type { Turn } from '../turn.ts'

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
  turn: Turn,
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
  turn: Turn,
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
function ownBody(turn: Turn, choice: RouteChoice): Buffer | readonly Buffer[] {
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
