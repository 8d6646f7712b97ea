/** The rules that an organisation sets for Onward on a machine. The config can narrow them, and never widen them. */
import type { ConfigFault } from '../config/config-faults.ts'
import type { ConfigProblem, Meanwhile } from '../config/config-text.ts'

export const budgetSettings = ['rounds', 'hours', 'noProgressRounds', 'tokens', 'costUsd'] as const
export type BudgetSetting = (typeof budgetSettings)[number]

export interface Policy {
  /** its name; null: it gave none */
  organisation: string | null
  /** whom a person asks about it */
  contact: string | null
  /** where it stands, for a person */
  source: string
  /** null: any */
  providers: readonly AllowedProvider[] | null
  /** upper bounds of `stopMessage.budgets` */
  budgets: Readonly<Partial<Record<BudgetSetting, number>>>
  /** the tools of Onward's that may be on; null: any */
  servertools: readonly string[] | null
  /** false: nothing may be sent */
  telemetry: boolean
  /** false: no phone may pair or connect */
  phone: boolean
  /** those that may be joined; null: any */
  fleets: readonly AllowedFleet[] | null
}

export interface AllowedFleet {
  /** of the hub */
  url: string
  /** null: any at this hub */
  name: string | null
}

/** What is below one address may answer. */
export interface AllowedProvider {
  /** of a preset the vendor's origin */
  address: string
  /** names, `*` for any characters; null: all of its models */
  models: readonly string[] | null
}

/** What counts while the policy of a machine is not known. */
export const closedPolicy = (source: string): Policy => ({
  organisation: null,
  contact: null,
  source,
  providers: [],
  budgets: {},
  servertools: [],
  telemetry: false,
  phone: false,
  fleets: [],
})

/** One of the policies can't be read. */
export interface PolicyTrouble {
  source: string
  /** line 0: it is about the file as a whole */
  problem: ConfigProblem
  /** `before`: the rules that were read before go on. `nothing`: none are known, and nothing may run */
  meanwhile: Exclude<Meanwhile, 'copy'>
  /** in English, with what counts meanwhile */
  said: string
}

/** A value of the config file that the policies hold at another one. */
export interface Bounded {
  /** where it stands, with dots */
  path: string
  fault: ConfigFault
}

/** Everything that holds here. */
export interface PoliciesView {
  policies: readonly Policy[]
  bounded: readonly Bounded[]
  trouble: PolicyTrouble | null
}
