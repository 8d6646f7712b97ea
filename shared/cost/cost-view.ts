/** Costs by time, session, provider and model: plain data for the dashboard and the command line. */
import { spendInto, type Spend } from './cost.ts'

/** ranges that the dashboard offers, in days; the command line takes any number of them that is kept */
export const costDays = [1, 7, 30] as const
export type CostDays = (typeof costDays)[number]
/** as many are kept */
export const mostCostDays = 92

/** Sums of requests that have all of these in common. */
export interface CostSums extends Spend {
  requests: number
  input: number
  cachedInput: number
  output: number
  /** where the last request's price came from: `plan` and `local` say why nothing is paid; absent: no price is known */
  from?: 'config' | 'list' | 'plan' | 'local'
}

export interface CostCell extends CostSums {
  /** null: of no session, or of one of many whose costs are kept only in total */
  session: string | null
  provider: string
  model: string
}

/** An hour of today, or a day. */
export interface CostBucket {
  at: number
  ms: number
  parts: readonly (CostSums & { provider: string; model: string })[]
}

export interface CostView {
  days: number
  /** oldest first, the running one last */
  buckets: readonly CostBucket[]
  /** the same sums over all of the time, by session as well */
  cells: readonly CostCell[]
  /** names of sessions in `cells` that are still known */
  names: Readonly<Record<string, string>>
}

export const noCost: CostSums = { costUsd: null, requests: 0, input: 0, cachedInput: 0, output: 0 }

/**
 * The sum of both in `sums`, whose other members its maker has written: a request adds to one.
 * @returns `sums`
 */
export function costInto<T extends CostSums>(sums: T, a: CostSums, b: CostSums): T {
  sums.requests = a.requests + b.requests
  sums.input = a.input + b.input
  sums.cachedInput = a.cachedInput + b.cachedInput
  sums.output = a.output + b.output
  const from = b.from ?? a.from
  if (from) sums.from = from
  return spendInto(sums, a, b)
}

export const addCost = (a: CostSums, b: CostSums): CostSums => costInto({ ...noCost }, a, b)

/** One sum for each name; the dearest first, then the one with the most tokens. */
export function costBy<Part extends CostSums>(
  parts: readonly Part[],
  nameOf: (part: Part) => string,
): readonly (CostSums & { name: string })[] {
  const sums = new Map<string, CostSums>()
  for (const part of parts) sums.set(nameOf(part), addCost(sums.get(nameOf(part)) ?? noCost, part))
  return Array.from(sums, ([name, sum]) => ({ name, ...sum })).sort(
    (a, b) => (b.costUsd ?? -1) - (a.costUsd ?? -1) || b.input + b.output - (a.input + a.output),
  )
}

export const costOfAll = (parts: readonly CostSums[]): CostSums => parts.reduce(addCost, noCost)
