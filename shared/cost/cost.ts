/** Costs of requests, and how far they are known. Plain data; US dollars. */
import type { Usage } from './usage.ts'
import type { RequestKind } from '../words.ts'

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

/** One request's part of a sum. Counting tokens costs nothing anywhere. */
export function spendOf({ kind, usage, costUsd, price }: Costing): Spend {
  if (costUsd !== null) return { costUsd }
  if (price?.from === 'plan' && price.worth !== null) return { costUsd, worthUsd: price.worth.usd }
  const tokens = usage === null || kind === 'count' || price ? 0 : usage.input + usage.output
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

/** A cost that is not known counts for nothing, and unknown stays unknown where nothing is known. */
export const addSpend = (a: Spend, b: Spend): Spend => spendInto<Spend>({ costUsd: null }, a, b)
