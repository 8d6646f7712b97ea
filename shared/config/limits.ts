import { z } from 'zod'
import { says } from './describe-setting.ts'

export const limitSteps = ['key', 'provider', 'wait'] as const

/** Handling of turns and followups near a provider's limit, and at it. */
export const limits = says(
  z
    .object({
      pauseAt: says(
        z.number().min(0).max(100).default(0),
        'Percent of a provider’s window. Once a turn’s answer tells of one that is used up so far, followups of its ' +
          'session wait until that window’s reset; your own texts and alarms don’t. 0: off.',
      ),
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
  'Before a provider’s limit, and at it.',
)
