/** Costs of requests, and how far they are known. Plain data; US dollars. */
import type { RequestKind } from '../words.ts'
import type { Usage } from './usage.ts'

/**
 * Where the price of a request comes from. `plan`: a subscription pays, so its tokens cost nothing of their own;
 * `worth` is what they would have cost by the list. `local`: a program on this machine answers. A record without one:
 * no price is known.
 */
export type PriceFact =
  | { from: 'config' }
  | { from: 'list'; taken: string }
  | { from: 'plan'; worth: { usd: number; taken: string } | null }
  | { from: 'local' }

/** A sum, or one request's part of it. null: nothing in it has a price. */
export interface Spend {
  costUsd: number | null
  /** tokens that were paid for at an unknown price: the sum is at least `costUsd`; absent: none */
  unpricedTokens?: number
  /** what a subscription paid for, by list prices; absent: nothing */
  worthUsd?: number
}

export const noSpend: Spend = { costUsd: null }

/** Tokens and what they cost, of a run: counted apart for agent and reviewer, and spent together. */
export interface Spent extends Spend {
  tokens: number
}

export const noneSpent: Spent = { tokens: 0, costUsd: null }

export const addSpent = (a: Spent, b: Spent): Spent =>
  spendInto<Spent>({ tokens: a.tokens + b.tokens, costUsd: null }, a, b)

export interface Costing {
  kind: RequestKind
  usage: Usage | null
  costUsd: number | null
  price?: PriceFact | undefined
}

export const tokensOf = (usage: Usage | null): number => (usage === null ? 0 : usage.input + usage.output)

/** One request's part of a sum. Counting tokens costs nothing anywhere. */
export function spendOf({ kind, usage, costUsd, price }: Costing): Spend {
  if (costUsd !== null) return { costUsd }
  if (price?.from === 'plan' && price.worth !== null) return { costUsd, worthUsd: price.worth.usd }
  const tokens = usage === null || kind === 'count' || price ? 0 : tokensOf(usage)
  return tokens > 0 ? { costUsd, unpricedTokens: tokens } : { costUsd }
}

/**
 * The same with the source of its price, which sets tokens of a subscription or of this machine apart from unknown
 * ones.
 */
export function pricedSpendOf(costing: Costing): Spend & { from?: PriceFact['from'] } {
  const spend: Spend & { from?: PriceFact['from'] } = spendOf(costing)
  if (costing.price) spend.from = costing.price.from
  return spend
}

/**
 * The sum of both in `sums`, whose other members its maker has written: a request adds to half a dozen sums.
 * @returns `sums`
 */
export function spendInto<T extends Spend>(sums: T, a: Spend, b: Spend): T {
  const unpricedTokens = (a.unpricedTokens ?? 0) + (b.unpricedTokens ?? 0)
  const worthUsd = (a.worthUsd ?? 0) + (b.worthUsd ?? 0)
  sums.costUsd = b.costUsd === null ? a.costUsd : (a.costUsd ?? 0) + b.costUsd
  if (unpricedTokens > 0) sums.unpricedTokens = unpricedTokens
  if (worthUsd > 0) sums.worthUsd = worthUsd
  return sums
}

/** Why a provider's prompt cache was cold for a request; `idle`: unused for longer than the vendor keeps it. */
export const coldReasons = [
  'model-switched',
  'key-switched',
  'tools-changed',
  'system-changed',
  'message-edited',
  'idle',
  'not-known',
] as const
export type ColdReason = (typeof coldReasons)[number]

/** Tokens that were in a provider's cache after a session's request and were not read from it by the next. */
export interface ColdCache extends Spend {
  why: ColdReason
  tokens: number
  /** `message-edited`: the first message that differs, counted from 1 */
  message?: number
  /** `idle`: how long nothing used the cache, and how long the vendor keeps it; milliseconds */
  idle?: { ms: number; keptMs: number }
}

/** Cold caches of many requests, with what they cost more than warm ones. */
export interface ColdSums extends Spend {
  requests: number
  tokens: number
  why: Readonly<Partial<Record<ColdReason, number>>>
}

export const coldSumsOf = (cold: ColdCache): ColdSums =>
  spendInto({ requests: 1, tokens: cold.tokens, why: { [cold.why]: 1 }, costUsd: null }, noSpend, cold)

/** Returns the sum of both, where there is any. */
export function addCold(a: ColdSums | undefined, b: ColdSums | undefined): ColdSums | undefined {
  if (!a || !b) return a ?? b
  const why: Partial<Record<ColdReason, number>> = { ...a.why }
  for (const reason of coldReasons) if (b.why[reason]) why[reason] = (why[reason] ?? 0) + b.why[reason]
  const sums: ColdSums = { requests: a.requests + b.requests, tokens: a.tokens + b.tokens, why, costUsd: null }
  return spendInto(sums, a, b)
}

/** A cost that is not known counts for nothing, and unknown stays unknown where nothing is known. */
export const addSpend = (a: Spend, b: Spend): Spend => spendInto<Spend>({ costUsd: null }, a, b)

// Costs by time, session, provider and model: plain data for the dashboard and the command line.

/** ranges that the dashboard offers, in days; the command line takes any number of them that is kept */
export const costDays = [1, 7, 30] as const
export type CostDays = (typeof costDays)[number]
/** as many are kept */
export const mostCostDays = 92

/** Requests that kept caches warm: a part of the sums they stand in. */
export interface WarmSums extends Spend {
  requests: number
}

export const addWarm = (a: WarmSums | undefined, b: WarmSums | undefined): WarmSums | undefined =>
  a && b ? spendInto({ requests: a.requests + b.requests, costUsd: null }, a, b) : (a ?? b)

/** Sums of requests that have all of these in common. */
export interface CostSums extends Spend {
  requests: number
  input: number
  cachedInput: number
  output: number
  /** where the last request's price came from: `plan` and `local` say why nothing is paid; absent: no price is known */
  from?: 'config' | 'list' | 'plan' | 'local'
  /** absent: no cache is known to have been cold */
  cold?: ColdSums
  /** absent: no cache was kept warm */
  warm?: WarmSums
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
  const cold = addCold(a.cold, b.cold)
  if (cold) sums.cold = cold
  const warm = addWarm(a.warm, b.warm)
  if (warm) sums.warm = warm
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
