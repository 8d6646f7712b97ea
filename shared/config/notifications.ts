import { z } from 'zod'
import { noticeClasses, type NoticeClass } from '../events.ts'
import { outsideKinds } from '../notifications.ts'

const address = z.url({ protocol: /^https?$/ })
const outside = z
  .object({
    name: z.string().trim().min(1).max(64).describe('What it is called in the settings and the timeline.'),
    kind: z.enum(outsideKinds),
    url: address
      .optional()
      .describe(
        'Where notices are sent; of ntfy with the topic, as in `https://ntfy.sh/my-topic`. Who knows it can send there: ' +
          'better name a stored secret with `secretRef`, or an environment variable with `${NAME}`.',
      ),
    secretRef: z.string().min(1).optional().describe('The stored secret that holds the URL, instead of `url`.'),
    token: z
      .string()
      .min(1)
      .optional()
      .describe('Sent along as a bearer token; for ntfy and webhooks that ask for one.'),
    tokenRef: z.string().min(1).optional().describe('The stored secret that holds the token, instead of `token`.'),
    on: z.boolean().default(true),
    classes: z.array(z.enum(noticeClasses)).optional().describe('Which notifications are sent; left out: all of them.'),
    texts: z
      .boolean()
      .default(false)
      .describe(
        'true: also what is asked, the words of a goal, an alarm or a reviewer. false: only which session, and of what kind it is.',
      ),
  })
  .strict()

const switches = Object.fromEntries(noticeClasses.map((kind) => [kind, z.boolean().optional()])) as Record<
  NoticeClass,
  z.ZodOptional<z.ZodBoolean>
>

/** Each class can be switched off by its name. */
export const notifications = z
  .object({
    ...switches,
    outside: z
      .array(outside)
      .max(20)
      .default([])
      .describe('Where notices are sent besides this machine. Nothing by itself.'),
  })
  .catchall(z.unknown())
  .prefault({})

export type OutsideConfig = z.infer<typeof outside>
