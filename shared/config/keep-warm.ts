import { z } from 'zod'
import { says } from './describe-setting.ts'

/** Asking a provider once more, so that its prompt cache lasts until an alarm. */
export const keepWarm = says(
  z
    .object({
      providers: says(
        z.array(z.string().min(1)).default([]),
        'Those asked with a key of yours at Anthropic’s own API, by name; none: nothing is kept warm.',
      ),
      usdPerDay: says(z.number().positive().max(1_000).default(1), 'US dollars in 24 hours at most.'),
      pingsPerDay: says(z.number().int().min(1).max(10_000).default(100), 'Requests in 24 hours at most.'),
    })
    .strict()
    .prefault({}),
  '[Prompt caches](cost.md#keeping-a-cache-warm) that last until an alarm.',
)
