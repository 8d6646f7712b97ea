import type { ProviderConfig, ProviderType } from '../../../shared/config/schema.ts'
import type { RouteFact } from '../../../shared/events.ts'
import type { EntryProtocol, RequestKind } from '../../../shared/words.ts'

/** Where a turn goes. `upstreamModel` replaces the request's model when it differs from it. */
export interface RouteChoice {
  providerId: string
  provider: ProviderConfig
  type: ProviderType
  upstreamModel: string
  key: { alias: string; value: string } | null
  fact: RouteFact
}

export interface RouteAsk {
  entry: EntryProtocol
  /** counting and compacting are of one protocol: nothing can be converted there */
  endpoint: 'generate' | 'count' | 'compact'
  kind: RequestKind
  model: string | null
  sessionId: string | null
  overrides: RoutingOverrides
}

/** Sticky routing markers of a session (spec 01). `force` lasts one turn. */
export interface RoutingOverrides {
  allow: readonly string[] | null
  prefer: string | null
  force: string | null
  disabled: readonly string[]
}

/** @throws OnwardError `no-route` with what was tried and why it was skipped */
export type ChooseRoute = (ask: RouteAsk) => RouteChoice
