import { z } from 'zod'
import { says } from './describe-setting.ts'

/** What happens after a turn that failed for good while no person is watching. */
export const recover = says(
  z
    .object({
      when: says(
        z.enum(['armed', 'always', 'never']).default('armed'),
        '`armed`: with a goal or a followup set. `always`: in every session with a terminal. ' +
          'A session’s own switch wins.',
      ),
      text: says(z.string().trim().min(1).max(2_000).default('Continue where you left off.'), 'What is typed then.'),
      mostPerOutage: says(
        z.number().int().min(1).max(1_000).default(20),
        'Most continuations until a turn is answered; then you are asked.',
      ),
      mostPerDay: says(z.number().int().min(1).max(1_000).default(60), 'Most continuations in 24 hours, per session.'),
    })
    .strict()
    .prefault({}),
  'Going on after a failed turn once the provider answers again.',
)
