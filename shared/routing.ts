/**
 * Why a request goes where it goes, as data. The same facts are the record's reasons, the dry run's steps and the
 * error's explanation; shared/sentences/routing puts them into words. Instants are epoch milliseconds.
 */
import type { limitSteps } from './config/limits.ts'
import type { ProviderType, RouteCategory } from './config/schema.ts'
import type { EntryProtocol, RequestKind } from './words.ts'

/** A rule that matched, in the order they were tried. */
export type RouteReason =
  | { code: 'forced' | 'preferred' | 'addressed'; target: string }
  | { code: 'allowed'; providers: readonly string[] }
  /** a person chose it to take the turns of the session until one of `failed` answers again */
  | { code: 'stand-in'; target: string; failed: readonly string[] }
  | { code: 'alias'; name: string; target: string }
  | { code: 'category'; category: RouteCategory; because: CategoryReason }
  /** no route is configured, and the provider lists the model */
  | { code: 'listed'; model: string }
  | { code: 'no-routes' }
  /** it has served the session in this category, so its prompt cache is warm */
  | { code: 'sticky'; target: string; since: number }
  /** its share of the sessions, by weight */
  | { code: 'shared'; percent: number }
  /** its cool-down is over: one request tries whether it is back */
  | { code: 'trial' }
  /** everything rests: the one that is back first is still better than no answer */
  | { code: 'all-rest' }
  /** a record of an earlier version */
  | { code: 'said'; text: string }

export type CategoryReason =
  /** the client asked for the route by its name */
  | { code: 'named' }
  | { code: 'auxiliary'; kind: RequestKind }
  | { code: 'small-model'; model: string }
  | { code: 'image' }
  | { code: 'long'; tokens: number; threshold: number }
  | { code: 'web-search' }
  | { code: 'thinking' }
  | { code: 'otherwise' }

/** Why a candidate was not taken. */
export type PassedOver =
  | { code: 'unknown-provider' }
  | { code: 'disabled' }
  | { code: 'not-allowed' }
  /** a policy does not let it be asked; `by`: the organisation's name, empty where it gave none */
  | { code: 'policy'; by: string; source: string }
  | { code: 'protocol'; type: ProviderType; entry: EntryProtocol }
  /** `auth: "client"`, and this client sends no credential of its own for that vendor */
  | { code: 'no-credential' }
  | { code: 'key-disabled'; key: string }
  | { code: 'key-missing'; key: string; why: string }
  /** `failure`: an HTTP status or an error's code */
  | { code: 'failed-now'; key: string | null; failure: string }
  | { code: 'resting'; key: string | null; rest: Rest }
  /** its cool-down is over and another request tries it right now */
  | { code: 'on-trial'; key: string | null }
  /** one before it is at its limit, and the config does not go on to this at one (`limits.order`) */
  | { code: 'limit-waits'; key: string | null }
  | { code: 'too-small'; contextWindow: number; tokens: number }
  | { code: 'no-vision' }
  | { code: 'said'; text: string }

/**
 * The part of a key that a limit is about. `family`: models with this word in their names; `tier`: models of this price
 */
export interface LimitSubject {
  kind: 'model' | 'family' | 'tier'
  name: string
}

/** The steps at a limit: the provider's next key, the route's next provider, waiting for the reset. */
export type LimitStep = (typeof limitSteps)[number]

/** Why a provider or key is left alone, and until when. `subject`: only that rests; absent: all of the key. */
export type Rest =
  | { why: 'failures'; count: number; until: number }
  /** 401, 402, 403: the key is not taken */
  | { why: 'refused'; status: number; until: number }
  /** asked too fast; `told`: the provider itself gave the time */
  | { why: 'rate'; until: number; told: boolean; subject?: LimitSubject }
  /**
   * a subscription's or quota's limit; `window` as the provider calls it, e.g. `5h`; `lifts` is null where no time was
   * stated
   */
  | { why: 'limit'; window: string | null; since: number; lifts: number | null; until: number; subject?: LimitSubject }

/** One upstream that gave no answer for the client. */
export interface RouteAttempt {
  at: number
  provider: string
  model: string
  keyAlias: string | null
  status: number | null
  code: string
  durationMs: number
}

export interface RouteFact {
  provider: string
  model: string
  keyAlias: string | null
  /** the route it came from; null: none was involved */
  category: RouteCategory | null
  why: readonly RouteReason[]
  skipped: readonly { candidate: string; why: PassedOver }[]
}

/** A dry run's question: the features of a request. */
export interface RouteQuestion {
  entry: EntryProtocol
  model: string | null
  /** estimated input tokens */
  tokens: number
  thinking: boolean
  image: boolean
  webSearch: boolean
  kind: RequestKind
  /** its markers and its stickiness count; null: any */
  session: string | null
}

export type RouteAnswer =
  | { kind: 'goes'; route: RouteFact; contextWindow: number | null }
  | { kind: 'nowhere'; message: string; why: readonly RouteReason[]; skipped: RouteFact['skipped'] }

/** A quota's window as the provider reports it. Percent counts up to 100. `subject`: only that uses it up. */
export interface Quota {
  window: string
  usedPercent: number | null
  resetsAt: number | null
  subject?: LimitSubject
}

export type KeyState = { kind: 'ready' } | { kind: 'missing'; why: string } | { kind: 'resting'; rest: Rest }

export type ProviderHealth =
  /** no call yet in this run */
  | { kind: 'unused' }
  | { kind: 'healthy' }
  /** its last call failed, and `count` in a row since then; `failure`: an HTTP status or an error's code */
  | { kind: 'failing'; count: number; since: number; failure: string }
  /** it answers, and some of its last calls failed */
  | { kind: 'answers-again'; failed: number; calls: number }
  /** `models`: only these of its models; empty: the whole provider */
  | { kind: 'resting'; rest: Rest; models: readonly string[] }
  | { kind: 'on-trial' }
  /** it goes on with its other keys */
  | { kind: 'some-keys'; keys: readonly string[] }
  | { kind: 'no-key' }
  /** a policy does not let it be asked; `by`: the organisation's name, empty where it gave none */
  | { kind: 'forbidden'; by: string }

/** `silentMs`: before its first sign of life, then the next target is asked; `idleMs`: from there on */
export interface ModelSilence {
  model: string
  answers: number
  silentMs: number
  idleMs: number
}

/** A provider as the dashboard and `onward providers` show it. */
export interface ProviderView {
  id: string
  type: ProviderType
  /** null: built in, or another engine has it */
  baseUrl: string | null
  /** the machine or engine that has its address and keys; absent: this one */
  via?: string
  auth: 'key' | 'client' | 'none'
  models: readonly {
    id: string
    contextWindow: number | null
    vision: boolean | null
    thinking: boolean | null
    priced: boolean
    /** the source of its price: the config, or the vendor's list of that day; absent: none is known */
    price?: { from: 'config' } | { from: 'list'; taken: string }
  }[]
  keys: readonly { alias: string; from: 'value' | 'env' | 'secret'; state: KeyState; limits?: readonly Rest[] }[]
  health: ProviderHealth
  /** since when no call to it went well; absent: the last one did, or there was none */
  failingSince?: number
  quotas: readonly Quota[]
  /** the last 24 calls, oldest first */
  calls: readonly boolean[]
  /** median of the last 24 answers */
  ttfbMs: number | null
  /** how long its models may be silent, as measured; absent: none has answered often enough, or the config says it */
  silence?: readonly ModelSilence[]
  /** sessions it served within the last hour */
  sessions: number
  /** routes that name it */
  routes: readonly RouteCategory[]
  /** it answers on this machine */
  local: boolean
}

export type RoutePool = readonly { target: string; weight: number | null }[]

/** The running config's routing, and whether the last edit made here can be taken back. */
export interface RoutingView {
  routes: Readonly<Partial<Record<RouteCategory, RoutePool>>>
  aliases: Readonly<Record<string, string>>
  longContextThreshold: number
  /** the config's `limits`; absent: an older engine */
  limits?: { pauseAt: number; order: readonly LimitStep[] }
  /** when the config was last changed from here; null: not in this run */
  savedAt: number | null
  canUndo: boolean
}

/** The result of a real call to a provider. */
export type ProviderTest =
  | { kind: 'answered'; model: string; key: string | null; ttfbMs: number; tookMs: number; models: readonly string[] }
  | {
      kind: 'failed'
      model: string | null
      key: string | null
      status: number | null
      code: string
      message: string
      /** the provider's own words, without keys; the models it lists instead */
      said?: string | null
      lists?: readonly string[]
      tookMs: number
    }

/** A session whose last turn ended at a provider's limit. */
export interface SessionLimit {
  provider: string
  since: number
  /** null: the provider did not say */
  lifts: number | null
  /** the session is continued when it lifts */
  resume: boolean
  /** when the followup goes into the outbox; null: it will not */
  resumeAt: number | null
}

/** Calls to it do not get through, again and again: that is everybody's business. */
export const fails = ({ health }: Pick<ProviderView, 'health'>): boolean =>
  health.kind === 'on-trial' ||
  (health.kind === 'failing' && health.count > 1) ||
  (health.kind === 'resting' && (health.rest.why === 'failures' || health.rest.why === 'refused'))
