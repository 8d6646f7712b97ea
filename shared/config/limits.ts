import { z } from 'zod'
import { says } from './describe-setting.ts'

export const limitSteps = ['key', 'provider', 'wait'] as const

/** Handling of turns and followups near a provider's limit, and at it. */
export const limits = says(
  z
    .object({
      pauseAt: says(
        z.number().min(0).max(100).default(0),
        'Percent of a provider’s window at which followups wait for its reset; 0: off.',
      ),
      order: says(
        z
          .array(z.enum(limitSteps))
          .min(1)
          .max(limitSteps.length)
          .default([...limitSteps]),
        'What is tried at a limit; `wait`: for the reset.',
      ),
    })
    .strict()
    .prefault({}),
  'Near a provider’s limit, and at it.',
)
