import { z } from 'zod'
import { noticeClasses, type NoticeClass } from '../notice-classes.ts'
import { timeOfDayRule } from './names.ts'
import { outsideKinds } from '../notifications.ts'
import { says } from './describe-setting.ts'

const address = z.url({ protocol: /^https?$/ })
const outside = z
  .object({
    name: says(z.string().trim().min(1).max(64), 'Its name in settings and timeline.'),
    kind: says(z.enum(outsideKinds), 'What is at the address.'),
    url: says(
      address.optional(),
      'For ntfy with the topic: `https://ntfy.sh/my-topic`. It is a secret: better `secretRef` or `${NAME}`.',
    ),
    secretRef: says(z.string().min(1).optional(), 'The stored secret that holds the URL.'),
    token: says(z.string().min(1).optional(), 'A bearer token, for ntfy and webhooks.'),
    tokenRef: says(z.string().min(1).optional(), 'The stored secret that holds the token.'),
    on: says(z.boolean().default(true), 'false: nothing is sent there.'),
    classes: says(z.array(z.enum(noticeClasses)).optional(), 'Which notifications; default: all.'),
    texts: says(
      z.boolean().default(false),
      'true: with texts of the conversation. false: only which session, and what kind.',
    ),
  })
  .strict()

const timeOfDay = z.string().regex(/^([01]?\d|2[0-3]):[0-5]\d$/, timeOfDayRule)
const quietHours = z
  .object({
    on: says(z.boolean().default(true), 'false: they don’t begin.'),
    from: says(timeOfDay.default('22:00'), 'When they begin, in the computer’s zone.'),
    to: says(timeOfDay.default('07:30'), 'When they end; before `from`: the next day.'),
    needsYou: says(z.boolean().default(false), 'true: not for sessions that need you.'),
    ownAlarms: says(z.boolean().default(false), 'true: not for alarms that you set.'),
  })
  .strict()
  .prefault({ on: false })

const switches = Object.fromEntries(
  noticeClasses.map((kind) => [kind, says(z.boolean().optional(), 'false: off everywhere.')]),
) as Record<NoticeClass, z.ZodOptional<z.ZodBoolean>>

/** Each class can be switched off by its name. */
export const notifications = says(
  z
    .object({
      ...switches,
      quietHours: quietHours.describe('Nothing is shown or sent; at the end one notice says what came.'),
      push: says(
        z
          .object({
            classes: says(z.array(z.enum(noticeClasses)).optional(), 'Which notifications; default: all.'),
            texts: says(z.boolean().default(false), 'true: with texts of the conversation.'),
            contact: says(
              z
                .string()
                .max(200)
                .regex(/^(?:mailto:[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+|https:\/\/[^\s<>]+)$/)
                .optional(),
              'Whom a push service may write to: `mailto:` or `https:`. Default: `mailto:onward@example.com`, which ' +
                'is nobody’s.',
            ),
          })
          .strict()
          .prefault({}),
        'To paired devices that have web push on.',
      ),
      outside: says(z.array(outside).max(20).default([]), 'Where notices are sent besides this machine.'),
    })
    .catchall(z.unknown())
    .prefault({}),
  'What is shown and sent.',
)

export type QuietHours = z.infer<typeof quietHours>
export type OutsideConfig = z.infer<typeof outside>
