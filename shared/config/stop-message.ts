import { z } from 'zod'
import { says } from './describe-setting.ts'

/** The reviewer that checks whether a goal is reached. Characters and seconds. */
const review = says(
  z
    .object({
      backend: says(
        z.enum(['model', 'command']).default('model'),
        '`model`: a model with read-only tools. `command`: your program, with the question on stdin.',
      ),
      model: says(
        z.string().min(3).nullable().default(null),
        '`provider.model`; null: the route `review`, else `default`.',
      ),
      command: says(z.array(z.string().min(1)).default([]), 'Program and arguments, e.g. `["codex", "exec", "-"]`.'),
      timeoutSeconds: says(z.number().int().min(5).max(3_600).default(300), 'For one review, without its checks.'),
      maxSteps: says(z.number().int().min(2).max(100).default(16), 'Model answers before the verdict must be there.'),
      checkTimeoutSeconds: says(z.number().int().min(1).max(7_200).default(600), 'For a check that sets none.'),
      context: says(
        z
          .object({
            textChars: says(z.number().int().min(200).default(6_000), 'Of the agent’s last words.'),
            calls: says(z.number().int().min(0).default(30), 'Last tool calls of the turn.'),
            callChars: says(z.number().int().min(50).default(600), 'Of each call’s arguments and result.'),
            rounds: says(z.number().int().min(0).default(5), 'Earlier rounds.'),
          })
          .strict()
          .prefault({}),
        'What the reviewer sees of the conversation.',
      ),
    })
    .strict()
    .prefault({}),
  'The reviewer of goals.',
)

const budgets = says(
  z
    .object({
      rounds: says(z.number().int().positive().nullable().default(100), 'Followups.'),
      hours: says(z.number().positive().nullable().default(8), 'Hours.'),
      noProgressRounds: says(z.number().int().positive().nullable().default(5), 'Rounds in a row without progress.'),
      tokens: says(z.number().int().positive().nullable().default(null), 'Tokens of agent and reviewer.'),
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
        z.enum(['inject', 'inbox', 'reenter']).default('inject'),
        '`inject`: followups are typed. `inbox`: handed to the agent’s own inbox where it is known to have one. ' +
          '`reenter`: clients without a terminal too, within one HTTP exchange.',
      ),
      hooks: says(
        z.boolean().default(true),
        'Agents that Onward starts tell by hooks of their process that they rest or ask, beside yours.',
      ),
      settleMs: says(
        z.number().int().min(0).default(400),
        'From the end of an answer until something is typed: the client has to draw.',
      ),
      backgroundWaitSeconds: says(
        z.number().int().min(0).max(86_400).default(600),
        'How long a followup waits for the agent’s background work, once for each.',
      ),
      budgets,
      review,
    })
    .strict()
    .prefault({}),
  'Followups and goals.',
)
