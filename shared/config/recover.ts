import { z } from 'zod'
import { says } from './describe-setting.ts'

/** What happens after a turn that failed for good while no person is watching. */
export const recover = says(
  z
    .object({
      when: says(
        z.enum(['armed', 'always', 'never']).default('armed'),
        '`armed`: in sessions with a goal or a followup set. `always`: in every session with a terminal. `never`: in ' +
          'none. A session’s own switch counts more.',
      ),
      text: says(
        z.string().trim().min(1).max(2_000).default('Continue where you left off.'),
        'What is typed into the agent once its provider answers again.',
      ),
      mostPerOutage: says(
        z.number().int().min(1).max(1_000).default(20),
        'So often at most until a turn is answered; then you are asked.',
      ),
      mostPerDay: says(z.number().int().min(1).max(1_000).default(60), 'So often at most in 24 hours, per session.'),
    })
    .strict()
    .prefault({}),
  'Sessions whose last turn failed go on by themselves when the provider answers again.',
)
