import { z } from 'zod'
import { coldReasons } from '../../../shared/cost/cost.ts'

/** A sum of costs (shared/cost/cost.ts) as files have it. */
export const spendShape = {
  costUsd: z.number().nullable(),
  unpricedTokens: z.number().optional(),
  worthUsd: z.number().optional(),
}

/** The tokens of sums, with the cached ones apart. */
export const tokensShape = { input: z.number(), cachedInput: z.number(), output: z.number() }

export const coldShape = z.object({
  requests: z.number(),
  tokens: z.number(),
  why: z.partialRecord(z.enum(coldReasons), z.number()),
  ...spendShape,
})
