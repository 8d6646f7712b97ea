import { z } from 'zod'

/** Who looks whether a goal is reached. Characters and seconds. */
const review = z
  .object({
    backend: z
      .enum(['model', 'command'])
      .default('model')
      .describe(
        '`model`: a model with read-only tools of Onward’s. `command`: a program of yours, the question on its stdin.',
      ),
    model: z
      .string()
      .min(3)
      .nullable()
      .default(null)
      .describe('`provider.model`; null: the route `review`, else `default`.'),
    command: z.array(z.string().min(1)).default([]).describe('Program and arguments, e.g. `["codex", "exec", "-"]`.'),
    timeoutSeconds: z.number().int().min(5).max(3_600).default(300).describe('For one review, its checks apart.'),
    maxSteps: z
      .number()
      .int()
      .min(2)
      .max(100)
      .default(16)
      .describe('Answers of the model until its verdict must be there.'),
    checkTimeoutSeconds: z
      .number()
      .int()
      .min(1)
      .max(7_200)
      .default(600)
      .describe('Of a check that does not say it itself.'),
    context: z
      .object({
        textChars: z.number().int().min(200).default(6_000).describe('Characters of the agent’s last words.'),
        calls: z.number().int().min(0).default(30).describe('Tool calls of the turn, the last ones.'),
        callChars: z
          .number()
          .int()
          .min(50)
          .default(600)
          .describe('Characters of the arguments and of the result of each call.'),
        rounds: z.number().int().min(0).default(5).describe('Rounds before this one.'),
      })
      .strict()
      .prefault({})
      .describe('How much of the conversation the reviewer sees.'),
  })
  .strict()
  .prefault({})
  .describe('Who looks whether a goal is reached.')

const budgets = z
  .object({
    rounds: z.number().int().positive().nullable().default(100).describe('Followups.'),
    hours: z.number().positive().nullable().default(8).describe('Hours.'),
    noProgressRounds: z.number().int().positive().nullable().default(5).describe('Rounds in a row without progress.'),
    tokens: z.number().int().positive().nullable().default(null).describe('Tokens of the agent and its reviewer.'),
    costUsd: z.number().positive().nullable().default(null).describe('US dollars of both.'),
  })
  .strict()
  .prefault({})
  .describe('When a run pauses and asks you; null: never.')

export const stopMessage = z
  .object({
    delivery: z
      .enum(['inject', 'reenter'])
      .default('inject')
      .describe(
        '`inject`: followups are typed into the terminal. `reenter`: clients without a terminal are kept going too, ' +
          'within one HTTP exchange.',
      ),
    settleMs: z
      .number()
      .int()
      .min(0)
      .default(400)
      .describe(
        'Milliseconds from the end of an answer until something is typed, so that the client has drawn its screen.',
      ),
    budgets,
    review,
  })
  .strict()
  .prefault({})
  .describe('Followups and goals.')
