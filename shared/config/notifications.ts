import { z } from 'zod'
import { noticeClasses, type NoticeClass } from '../notice-classes.ts'
import { timeOfDayRule } from './names.ts'
import { outsideKinds } from '../notifications.ts'

const address = z.url({ protocol: /^https?$/ })
const outside = z
  .object({
    name: z.string().trim().min(1).max(64).describe('What it is called in the settings and the timeline.'),
    kind: z.enum(outsideKinds).describe('What is at the address.'),
    url: address
      .optional()
      .describe(
        'Where notices are sent; of ntfy with the topic, as in ' +
          '`https://ntfy.sh/my-topic`. Who knows it can send there: ' +
          'better name a stored secret with `secretRef`, or an environment variable with `${NAME}`.',
      ),
    secretRef: z.string().min(1).optional().describe('The stored secret that holds the URL, instead of `url`.'),
    token: z
      .string()
      .min(1)
      .optional()
      .describe('Sent along as a bearer token; for ntfy and webhooks that ask for one.'),
    tokenRef: z.string().min(1).optional().describe('The stored secret that holds the token, instead of `token`.'),
    on: z.boolean().default(true).describe('false: nothing is sent there.'),
    classes: z.array(z.enum(noticeClasses)).optional().describe('Which notifications are sent; left out: all of them.'),
    texts: z
      .boolean()
      .default(false)
      .describe(
        'true: also what is asked, the words of a goal, an alarm or a ' +
          'reviewer. false: only which session, and of what kind it is.',
      ),
  })
  .strict()

const timeOfDay = z.string().regex(/^([01]?\d|2[0-3]):[0-5]\d$/, timeOfDayRule)
const quietHours = z
  .object({
    on: z.boolean().default(true).describe('false: they don’t begin.'),
    from: timeOfDay.default('22:00').describe('When they begin each day, in the zone of the computer.'),
    to: timeOfDay.default('07:30').describe('When they end; before `from`: on the next day.'),
    needsYou: z.boolean().default(false).describe('true: that a session needs you is told all the same.'),
    ownAlarms: z.boolean().default(false).describe('true: an alarm that you set yourself rings all the same.'),
  })
  .strict()
  .prefault({ on: false })

const switches = Object.fromEntries(
  noticeClasses.map((kind) => [kind, z.boolean().optional().describe('false: switched off, everywhere.')]),
) as Record<NoticeClass, z.ZodOptional<z.ZodBoolean>>

/** Each class can be switched off by its name. */
export const notifications = z
  .object({
    ...switches,
    quietHours: quietHours.describe('Nothing is shown or sent then; when they end, one notice says what came.'),
    outside: z
      .array(outside)
      .max(20)
      .default([])
      .describe('Where notices are sent besides this machine. Nothing by itself.'),
  })
  .catchall(z.unknown())
  .prefault({})
  .describe('What is shown and sent.')

export type QuietHours = z.infer<typeof quietHours>
export type OutsideConfig = z.infer<typeof outside>
