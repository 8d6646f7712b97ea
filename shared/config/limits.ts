import { z } from 'zod'
import { says } from './describe-setting.ts'

export const limitSteps = ['key', 'provider', 'wait'] as const

/** What becomes of turns at a provider's limit. */
export const limits = says(
  z
    .object({
      order: says(
        z
          .array(z.enum(limitSteps))
          .min(1)
          .max(limitSteps.length)
          .default([...limitSteps]),
        'At a limit, in this order: the provider’s next `key`, the next `provider` of the route, `wait` for the ' +
          'reset. What is left out, or stands behind `wait`, is not tried. Where nothing is left it waits.',
      ),
    })
    .strict()
    .prefault({}),
  'At a provider’s limit.',
)
