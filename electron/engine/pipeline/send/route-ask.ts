import { once } from '../../base/once.ts'
import type { RouteAsk } from '../../router/types.ts'
import type { Turn } from '../turn.ts'
import type { SendDeps } from './deps.ts'

/**
 * Onward's own calls about one session stay with one model, as its turns do, but apart from those: thinking is sealed,
 * and caches are warm.
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

/** True if no provider at all can take this turn. */
export const hasNoRoute = (
  turn: Turn,
  deps: Pick<SendDeps, 'hasRoute' | 'credentialOf' | 'describesImages'>,
): boolean => !deps.hasRoute(askOf(turn, deps), [])
