import { z } from 'zod'
import { says } from './describe-setting.ts'

/** The reviewer that checks whether a goal is reached. Characters and seconds. */
const review = says(
  z
    .object({
      backend: says(
        z.enum(['model', 'command']).default('model'),
        '`model`: a model with read-only tools of Onward’s. `command`: a program of yours, the question on its stdin.',
      ),
      model: says(
        z.string().min(3).nullable().default(null),
        '`provider.model`; null: the route `review`, else `default`.',
      ),
      command: says(z.array(z.string().min(1)).default([]), 'Program and arguments, e.g. `["codex", "exec", "-"]`.'),
      timeoutSeconds: says(z.number().int().min(5).max(3_600).default(300), 'For one review, its checks apart.'),
      maxSteps: says(
        z.number().int().min(2).max(100).default(16),
        'Answers of the model until its verdict must be there.',
      ),
      checkTimeoutSeconds: says(
        z.number().int().min(1).max(7_200).default(600),
        'Of a check that does not say it itself.',
      ),
      context: says(
        z
          .object({
            textChars: says(z.number().int().min(200).default(6_000), 'Characters of the agent’s last words.'),
            calls: says(z.number().int().min(0).default(30), 'Tool calls of the turn, the last ones.'),
            callChars: says(
              z.number().int().min(50).default(600),
              'Characters of the arguments and of the result of each call.',
            ),
            rounds: says(z.number().int().min(0).default(5), 'Rounds before this one.'),
          })
          .strict()
          .prefault({}),
        'How much of the conversation the reviewer sees.',
      ),
    })
    .strict()
    .prefault({}),
  'Who looks whether a goal is reached.',
)

const budgets = says(
  z
    .object({
      rounds: says(z.number().int().positive().nullable().default(100), 'Followups.'),
      hours: says(z.number().positive().nullable().default(8), 'Hours.'),
      noProgressRounds: says(z.number().int().positive().nullable().default(5), 'Rounds in a row without progress.'),
      tokens: says(z.number().int().positive().nullable().default(null), 'Tokens of the agent and its reviewer.'),
      costUsd: says(z.number().positive().nullable().default(null), 'US dollars of both.'),
    })
    .strict()
    .prefault({}),
  'When a run pauses and asks you; null: never.',
)

export const stopMessage = says(
  z
    .object({
      delivery: says(
        z.enum(['inject', 'reenter']).default('inject'),
        '`inject`: followups are typed into the terminal. `reenter`: clients without a terminal are kept going too, ' +
          'within one HTTP exchange.',
      ),
      settleMs: says(
        z.number().int().min(0).default(400),
        'Milliseconds from the end of an answer until something is typed, so that the client has drawn its screen.',
      ),
      backgroundWaitSeconds: says(
        z.number().int().min(0).max(86_400).default(600),
        'Seconds that a followup waits for work that the agent has in the background: a command, a monitor, a ' +
          'sub-agent. Each is waited for once, since some never end. 0: not at all.',
      ),
      budgets,
      review,
    })
    .strict()
    .prefault({}),
  'Followups and goals.',
)
