import { z } from 'zod'
import { says } from './describe-setting.ts'

/** What Onward does with goals, loops and schedules that agents set themselves. */
export const drives = says(
  z
    .object({
      refuse: says(z.boolean().default(false), 'Turns of what you stopped or paused get an error.'),
      rescueWakeups: says(z.boolean().default(false), 'One a minute late becomes an alarm, once.'),
      rescueSchedules: says(z.boolean().default(false), 'The same.'),
    })
    .strict()
    .prefault({}),
  'What agents set themselves to go on by.',
)
