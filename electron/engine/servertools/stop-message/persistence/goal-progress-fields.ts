import { z } from 'zod'
import type { RoundView } from '../../../../../shared/review.ts'
import { spendShape } from '../../../records/kept-sums.ts'
import { newGoalProgress, type GoalProgress } from '../reducer/goal-progress.ts'
import type { Arming } from '../reducer/state.ts'

export const spentShape = z.object({ tokens: z.number(), ...spendShape })

/** A goal’s progress in the scope's file (sticky-state.ts). */
export const goalProgressShape = {
  /** the text a review starts from: the goal itself */
  stopMessageAiSeedPrompt: z.string().nullable().catch(null),
  stopMessageAiHistory: z.array(z.unknown()).catch([]),
  stopMessageCourse: z
    .object({
      stuck: z.number().int().min(0),
      before: z
        .object({ requestId: z.string(), text: z.string(), calls: z.string(), at: z.number().optional() })
        .nullable(),
      reviewSpent: spentShape,
      failedReviews: z.number().int().min(0),
    })
    .nullable()
    .catch(null),
}

type Fields = z.output<z.ZodObject<typeof goalProgressShape>>

const round = z.looseObject({
  n: z.number().int(),
  at: z.number(),
  did: z.object({
    calls: z.number(),
    tools: z.array(z.object({ name: z.string(), count: z.number() })),
    text: z.string(),
  }),
  review: z
    .looseObject({
      round: z.number(),
      at: z.number(),
      outcome: z.looseObject({ code: z.string() }),
      evidence: z.array(z.unknown()),
      blockers: z.array(z.unknown()),
      looks: z.array(z.unknown()),
      checks: z.array(z.unknown()),
    })
    .nullable(),
  sent: z.string().nullable(),
  progress: z.boolean().nullable(),
})

export function goalProgressFields({ text, review, progress: { rounds, ...rest } }: Arming): Fields {
  return { stopMessageAiSeedPrompt: review ? text : null, stopMessageAiHistory: [...rounds], stopMessageCourse: rest }
}

/** A round that can't be read is left out: it is only displayed, and nothing depends on it. */
export function readGoalProgress({ stopMessageAiHistory: history, stopMessageCourse: course }: Fields): GoalProgress {
  // The members of a review are ours, written by this same code; those of another version are shown as far as possible.
  const rounds = history.filter((one) => round.safeParse(one).success) as RoundView[]
  return { ...newGoalProgress, ...course, rounds }
}
