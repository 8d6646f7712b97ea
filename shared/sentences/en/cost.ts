import type { ColdCache, ColdReason, ColdSums, Costing, Spend, Spent, WarmSums } from '../../cost/cost.ts'
import type { KeepWarm, NotWarm } from '../../cost/keep-warm.ts'
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

const coldReason: Record<ColdReason, string> = {
  'model-switched': 'another model',
  'key-switched': 'another key',
  'tools-changed': 'other tools',
  'system-changed': 'another system text',
  'message-edited': 'an edited message',
  idle: 'idle',
  'not-known': 'not known why',
}

const more = ({ costUsd, worthUsd }: Spend): string[] => [
  ...(costUsd === null ? [] : [`${figures.money(costUsd)} more`]),
  ...(worthUsd ? [`worth ${figures.money(worthUsd)} more at list price`] : []),
]

/** Why a provider's cache was cold for a request, and what that cost. */
export function cold({ why, message, idle, tokens, ...spend }: ColdCache): string {
  const because =
    message !== undefined
      ? `message ${message} was edited`
      : idle
        ? `idle for ${figures.span(idle.ms)}, kept for ${figures.span(idle.keptMs)}`
        : coldReason[why]
  return `${figures.list([`${figures.tokens(tokens)} tokens cold`, ...more(spend)])}: ${because}`
}

export function coldCaches({ requests, tokens, why, ...spend }: ColdSums): string {
  const reasons = Object.entries(why) as [ColdReason, number][]
  return (
    `${figures.list([`${requests}, ${figures.tokens(tokens)} tokens`, ...more(spend)])}: ` +
    figures.list(reasons.map(([reason, count]) => `${coldReason[reason]} ${count}`))
  )
}

export const cacheUntil = (at: number, now: number): string =>
  at > now
    ? `The provider keeps its cache until ${figures.minuteOfDay(at, now)}`
    : `The provider’s cache is cold since ${figures.minuteOfDay(at, now)}`

const notWarm: Readonly<Record<NotWarm, string>> = {
  off: 'it is off for this provider',
  'not-known': 'it is not known how long this provider keeps one, or how to keep it',
  form: 'the vendor refuses a request without output in this form',
  'no-price': 'no price by the token is known for it',
  'no-time': 'it is not known when the session goes on',
  lasts: 'it lasts until then',
  rests: 'the session works, is paused or has no terminal',
  'too-late': 'it may have ended already',
  'not-cheaper': 'that would cost as much as a cold one',
  budget: 'its budget is used up',
  failed: 'the provider did not do so',
}

/** How a provider's cache is kept for what waits, or why it is not. */
export const keepWarm = (kept: KeepWarm, now: number): string =>
  kept.kind === 'none'
    ? `Nothing keeps it warm: ${notWarm[kept.why]}`
    : `Onward keeps it warm: ${kept.pings === 1 ? 'a request' : `${kept.pings} requests`}, the next at ` +
      `${figures.minuteOfDay(kept.at, now)}, for ${figures.money(kept.costUsd)} at most; a cold one costs ` +
      `${figures.money(kept.savesUsd)} more`

/** Requests that kept caches warm, within a sum. */
export const warmCaches = ({ requests, ...spend }: WarmSums): string =>
  figures.list(
    [requests === 1 ? 'a request' : `${requests} requests`, figures.cost(spend)].filter((part) => part !== null),
  )
