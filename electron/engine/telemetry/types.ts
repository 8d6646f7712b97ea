import type { EventBody, HoldReason, TimelineEvent } from '../../../shared/events.ts'
import type { ProviderView } from '../../../shared/routing.ts'
import type { EngineStatus, SessionView, TurnRecord } from '../../../shared/state.ts'
import type { Event } from '../base/disposable.ts'
import type { LocalKey } from '../base/network/local-keys.ts'

/** What OpenTelemetry takes as a value. */
export type Attribute = string | number | boolean | readonly string[]
/** A member without a value is left out. */
export type Attributes = Readonly<Record<string, Attribute | null | undefined>>

/** The engine as telemetry sees it: two streams, and what is looked at whenever metrics are read. */
export interface TelemetrySources {
  onRecord: Event<TurnRecord>
  onEvent: Event<TimelineEvent>
  look(): Readings
}

export interface Readings {
  providers: readonly Pick<ProviderView, 'id' | 'health' | 'quotas' | 'failingSince'>[]
  /** followups that are not typed yet */
  waiting: readonly { createdAt: number; hold: HoldReason | null }[]
  sessions: readonly Pick<SessionView, 'shape' | 'say' | 'archived' | 'stopMessage'>[]
  alarms: Pick<NonNullable<EngineStatus['alarms']>, 'waiting' | 'missed'>
  /** nothing is typed anywhere */
  paused: boolean
  budgets: NonNullable<EngineStatus['budgets']>
}

/** A provider as conventions name it. */
export interface Target {
  /** `gen_ai.provider.name` */
  name: string
  /** `gen_ai.operation.name` of a generation */
  operation: 'chat' | 'generate_content'
  /** `server.address` and `server.port`; null: it has no address */
  server: { address: string; port: number } | null
}

export interface MetricsPage {
  keys: readonly LocalKey[]
  /** in Prometheus' text format. @throws what the SDK said */
  text(): Promise<string>
}

/** `away`: since when the collector takes nothing, and why */
export interface CollectorState {
  host: string
  away: { since: number; why: string } | null
}

export type BodyOf<K extends EventBody['type']> = Extract<EventBody, { type: K }>
