import { z } from 'zod'

/** A sum of costs (shared/cost/cost.ts) as files have it. */
export const spendShape = {
  costUsd: z.number().nullable(),
  unpricedTokens: z.number().optional(),
  worthUsd: z.number().optional(),
}

/** The tokens of sums, with the cached ones apart. */
export const tokensShape = { input: z.number(), cachedInput: z.number(), output: z.number() }
