import { z } from 'zod'
import { says } from './describe-setting.ts'

/** What Onward does with goals, loops and schedules that agents set themselves. */
export const drives = says(
  z
    .object({
      refuse: says(
        z.boolean().default(false),
        'A turn of what you stopped, or of what goes on while you paused, is answered with an error.',
      ),
      rescueWakeups: says(
        z.boolean().default(false),
        'A loop or wakeup of an agent that did not come within a minute of its time becomes an alarm, once.',
      ),
      rescueSchedules: says(z.boolean().default(false), 'The same for a scheduled prompt (cron).'),
    })
    .strict()
    .prefault({}),
  'What agents set themselves to go on by.',
)
