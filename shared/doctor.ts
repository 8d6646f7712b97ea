/**
 * Findings of a check of this machine and the engine, as data; shared/sentences says them, with what to do about them.
 */
import type { AgentStanding } from './setup/agent-standing.ts'
import type { ConfigTrouble } from './config/config-text.ts'
import type { PolicyTrouble } from './policy/policy.ts'
import type { SecretsView } from './secrets/secrets.ts'

/** Why there is no reviewer for goals. */
export type ReviewerTrouble =
  | { code: 'no-program' }
  | { code: 'no-provider' }
  | { code: 'unknown-model'; model: string }
  /** `target`: `provider.model` */
  | { code: 'client-login'; target: string }
  | { code: 'no-route' }

export type DoctorFact =
  | { code: 'config-runs'; path: string }
  | { code: 'config-problem'; path: string; problem: string; trouble?: ConfigTrouble }
  /** `bounded`: members of the config that it holds at another value */
  | { code: 'policy'; organisation: string; source: string; bounded: readonly string[] }
  | { code: 'policy-trouble'; trouble: PolicyTrouble }
  | { code: 'provider-simulator'; provider: string }
  | { code: 'provider-answers'; provider: string; host: string; status: number }
  | { code: 'provider-unreachable'; provider: string; baseUrl: string; why: string }
  | { code: 'key-set'; provider: string; key: string }
  | { code: 'key-missing'; provider: string; key: string; why: string }
  /** `by`: a route's name, `provider/model`, or a program's path */
  | { code: 'reviewer'; kind: 'route' | 'model' | 'program'; by: string }
  | { code: 'reviewer-program-missing'; program: string }
  | { code: 'reviewer-trouble'; backend: 'model' | 'command'; why: ReviewerTrouble }
  /** nothing is set up yet, so there is nothing to mend either */
  | { code: 'reviewer-later' }
  | { code: 'secrets-kept'; kept: SecretsView }
  /** some are in a keychain that can't be used, a move is not through, or copies are left that do not count */
  | { code: 'secrets-trouble'; kept: SecretsView }
  | { code: 'terminals'; count: number }
  /** telemetry goes to it */
  | { code: 'collector'; host: string }
  | { code: 'collector-away'; host: string; why: string }
  /** the fleet that it joined, under this name */
  | { code: 'fleet'; name: string; url: string; engine: string }
  | { code: 'fleet-away'; name: string; why: string }
  /** an agent answers there, and its calls do not come to Onward */
  | { code: 'calls-elsewhere'; name: string; cwd: string | null }
  | { code: 'agent'; title: string; path: string; version: string | null; standing: AgentStanding }

const wrong: ReadonlySet<DoctorFact['code']> = new Set([
  'config-problem',
  'policy-trouble',
  'provider-unreachable',
  'key-missing',
  'reviewer-program-missing',
  'reviewer-trouble',
  'secrets-trouble',
  'collector-away',
  'fleet-away',
  'calls-elsewhere',
])

export const isFine = ({ code }: DoctorFact): boolean => !wrong.has(code)

/** `mend`: what a person can do; null: nothing is wrong */
export interface DoctorWords {
  say: string
  mend: string | null
}

export interface DoctorFinding {
  check: string
  ok: boolean
  /** in English */
  say: string
  mend: string | null
  /** the same as data, for a page in another language; absent: there are only the English words */
  fact?: DoctorFact
}
