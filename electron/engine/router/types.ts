import type { ProviderConfig, ProviderType } from '../../../shared/config/schema.ts'
import type { RouteFact } from '../../../shared/routing.ts'
import type { EntryProtocol, RequestKind } from '../../../shared/words.ts'
import type { RequestNeeds } from '../protocol/types.ts'
import type { MeasuredSilence } from '../providers/time-limits.ts'
import type { LongestSilence } from './health/silences.ts'

/** Where a turn goes. `upstreamModel` replaces the request's model when it differs from it. */
export interface RouteChoice {
  providerId: string
  provider: ProviderConfig
  type: ProviderType
  upstreamModel: string
  key: { alias: string; value: string } | null
  fact: RouteFact
  /** the client's own credential goes along; names it, so that one person's limit does not rest another's */
  credential: string | null
  /** how silent the model's answers were so far; null or absent: unknown */
  measured?: MeasuredSilence | null
}

export interface RouteAsk {
  requestId: string
  entry: EntryProtocol
  /** counting and compacting belong to one protocol: they can't be converted */
  endpoint: 'generate' | 'count' | 'compact'
  kind: RequestKind
  model: string | null
  sessionId: string | null
  overrides: RoutingOverrides
  needs: RequestNeeds
  /**
   * names the credential that the client itself sends to vendors of its protocol; null: it sends only Onward's keys.
   * Never the credential itself
   */
  credential(): string | null
  /** images are described to a model that can't see them */
  describesImages?(): boolean
  /** a person tests this provider: rests don't count, and nothing else is tried. `key` null: any of its keys */
  test?: { key: string | null } | undefined
}

/** Sticky routing markers of a session. `force` lasts one turn. */
export interface RoutingOverrides {
  allow: readonly string[] | null
  prefer: string | null
  force: string | null
  disabled: readonly string[]
}

/** A choice that gave the client no answer in this turn, and the status or code it failed with. */
export interface Tried {
  choice: RouteChoice
  failure: string
  /** its context window was too small for so many tokens; null: the number is unknown */
  tooSmall?: number | null
}

/** The outcome of a choice. Reported once at the answer's head, if it came to that, and once at the end. */
export type RouteOutcome =
  /** a good answer began: the provider is back, however this answer ends */
  | { kind: 'began' }
  | {
      kind: 'answered'
      status: number
      headers: ResponseHeaders
      /** of an error, its beginning */ body: string | null
      ttfbMs: number | null
      brokenOff: boolean
      /** its context window is full, which is no failure of the provider */
      isFull?: boolean
      /** it was given up for its silence, when the client had its pings */
      isMute?: boolean
      /** of a stream; absent: it was none */
      longest?: LongestSilence
    }
  /** an error status that the client did not get to see */
  | { kind: 'refused'; status: number; headers: ResponseHeaders; body: string }
  | { kind: 'unreachable'; code: string; longest?: LongestSilence }
  /** the client left first: says nothing about the provider */
  | { kind: 'left' }

export type ResponseHeaders = Readonly<Record<string, string | string[]>>
