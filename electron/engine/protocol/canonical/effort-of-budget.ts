import type { Effort } from './request.ts'

/** The effort that comes near a number of thinking tokens, for protocols that know words only. */
export function effortOfBudget(budget: number): Effort {
  if (budget <= 0) return 'none'
  if (budget <= 4_096) return 'low'
  return budget <= 16_384 ? 'medium' : 'high'
}
