import type { Costing, Spend, Spent } from '../../cost/cost.ts'
import { figuresOf } from '../figures.ts'

const figures = figuresOf('en')

/** Returns a request's cost and the source of its price. */
export function paid({ kind, costUsd, price, usage }: Costing): string | null {
  if (costUsd !== null) {
    const money = figures.money(costUsd)
    if (price?.from === 'list') return `${money}, list price of ${price.taken}`
    return price?.from === 'config' ? `${money}, your price` : money
  }
  switch (price?.from) {
    case 'plan':
      return price.worth === null
        ? 'paid by a subscription'
        : `paid by a subscription, worth ${figures.money(price.worth.usd)} at list price of ${price.worth.taken}`
    case 'local':
      return 'on this machine, free'
    default:
      return usage === null || kind === 'count' ? null : 'no price known'
  }
}

/** A sum, and what is not in it. */
export function spent(spend: Spend): string | null {
  const { unpricedTokens = 0, worthUsd = 0 } = spend
  const parts = [
    spend.costUsd === null ? '' : (figures.cost(spend) ?? ''),
    unpricedTokens > 0 ? `no price known for ${figures.tokens(unpricedTokens)} tokens` : '',
    worthUsd > 0 ? `a subscription paid what is worth ${figures.money(worthUsd)} at list price` : '',
  ].filter(Boolean)
  return parts.length === 0 ? null : figures.list(parts)
}

export const used = (spend: Spent): string =>
  figures.list([`${figures.tokens(spend.tokens)} tokens`, figures.cost(spend)].filter((part) => part !== null))
