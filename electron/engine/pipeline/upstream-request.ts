import { modelEdits, splice } from '../protocol/index.ts'
import { prepareUpstream } from '../providers/prepare.ts'
import type { UpstreamRequest } from '../providers/types.ts'
import type { RouteChoice } from '../router/types.ts'
import type { Turn } from './turn.ts'

/** The turn as it goes to one provider: only what has to change is changed, in one splice of the client's bytes. */
export function upstreamRequest(turn: Turn, choice: RouteChoice, isLocalKey: (value: string) => boolean): UpstreamRequest {
  const { call, lens } = turn
  return prepareUpstream({
    providerId: choice.providerId,
    provider: choice.provider,
    type: choice.type,
    key: choice.key,
    method: call.method,
    path: call.path,
    clientHeaders: call.headers,
    isLocalKey,
    body: splice(lens.body, [...turn.edits, ...modelEdits(lens, choice.upstreamModel)]),
  })
}
