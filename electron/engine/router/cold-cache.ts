import type { ColdCache, Spend } from '../../../shared/cost/cost.ts'
import type { Usage } from '../../../shared/cost/usage.ts'
import type { PrefixDigest } from '../protocol/types.ts'
import { costOf, type CostAsk } from './cost.ts'

/** A request as a provider's cache knows it. */
export interface Prompt {
  digest: PrefixDigest
  /** another model has another cache, and so has another account */
  provider: string
  model: string
  /** names the key, or the client's own credential */
  key: string | null
}

/** The last request of a session. */
export interface LastPrompt extends Prompt {
  /** when a request of the session last ended */
  usedAt: number
  /** when it began: the vendor counts from there */
  begunAt: number
  /** tokens that are surely in the cache: read from it, or written to it by the provider's own count */
  cached: number
  /** how long the vendor keeps them without use; null: not known */
  keptMs: number | null
}

export type ColdFact = Pick<ColdCache, 'why' | 'message' | 'idle'>

/**
 * Why a cache was cold for a request. Only what is proved: a change before the end of the last request, else a time
 * without use that is longer than the vendor keeps anything. `at`: when the request came.
 */
export function coldBecause(before: LastPrompt, now: Prompt, at: number): ColdFact {
  if (before.provider !== now.provider || before.model !== now.model) return { why: 'model-switched' }
  if (before.key !== now.key) return { why: 'key-switched' }
  const [was, is] = [before.digest, now.digest]
  if (was.tools !== is.tools) return { why: 'tools-changed' }
  if (was.leading !== is.leading || was.system !== is.system) return { why: 'system-changed' }
  const edited = firstEdited(was.messages, is.messages)
  if (edited !== null) return { why: 'message-edited', message: was.leading + edited + 1 }
  const idleMs = at - before.usedAt
  if (before.keptMs !== null && idleMs > before.keptMs)
    return { why: 'idle', idle: { ms: idleMs, keptMs: before.keptMs } }
  return { why: 'not-known' }
}

/** A history that only lost its end still begins as before. */
function firstEdited(was: Uint32Array, is: Uint32Array): number | null {
  const edited = was.findIndex((sum, i) => sum !== 0 && (is[i] ?? 0) !== 0 && sum !== is[i])
  return edited < 0 ? null : edited
}

/** Returns what a request cost more than it would have with these tokens read from the cache. */
export function coldCost(ask: CostAsk & { usage: Usage }, tokens: number): Spend {
  const { usage } = ask
  const written = Math.min(usage.cacheWrite ?? 0, tokens)
  const warm: Usage = {
    ...usage,
    cachedInput: usage.cachedInput + tokens,
    cacheWrite: (usage.cacheWrite ?? 0) - written,
    cacheWriteHour: Math.max(0, (usage.cacheWriteHour ?? 0) - written),
  }
  const [paid, would] = [costOf(ask), costOf({ ...ask, usage: warm })]
  if (paid.costUsd !== null && would.costUsd !== null) return { costUsd: paid.costUsd - would.costUsd }
  const worth = [paid, would].map(({ price }) => (price?.from === 'plan' ? (price.worth?.usd ?? null) : null))
  const [a = null, b = null] = worth
  if (a !== null && b !== null) return { costUsd: null, worthUsd: a - b }
  return paid.price ? { costUsd: null } : { costUsd: null, unpricedTokens: tokens }
}
