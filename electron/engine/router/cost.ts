import type { Usage } from '../../../shared/events.ts'
import type { RouteChoice } from './types.ts'

/**
 * US dollars of one turn; null where the model has no price in the config. Cached input counts at its own price where
 * one is given.
 */
export function costOf(usage: Usage | null, choice: RouteChoice | null): number | null {
  const price = choice?.provider.models[choice.upstreamModel]?.price
  if (!usage || !price) return null
  const cached = Math.min(usage.cachedInput, usage.input)
  return (
    ((usage.input - cached) * price.input + cached * (price.cachedInput ?? price.input) + usage.output * price.output) /
    1_000_000
  )
}
