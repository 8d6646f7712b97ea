import { z } from 'zod'
import { says } from './describe-setting.ts'

/** kinds of drives that are rescued once they are missed */
export const rescuedKinds = ['wakeup', 'schedule'] as const

/** What Onward does with goals, loops and schedules that agents set themselves. */
export const drives = says(
  z
    .object({
      refuse: says(
        z.boolean().default(false),
        'A turn of what you stopped, or of what goes on while you paused, is answered with an error.',
      ),
      rescue: says(
        z.array(z.enum(rescuedKinds)).default([]),
        '`wakeup`, `schedule`: one of an agent that did not come within a minute of its time becomes an alarm, once.',
      ),
    })
    .strict()
    .prefault({}),
  'What agents set themselves to go on by.',
)
