import { z } from 'zod'
import { noticeClasses, type NoticeClass } from '../notice-classes.ts'
import { timeOfDayRule } from './names.ts'
import { outsideKinds } from '../notifications.ts'
import { says } from './describe-setting.ts'

const address = z.url({ protocol: /^https?$/ })
const outside = z
  .object({
    name: says(z.string().trim().min(1).max(64), 'What it is called in the settings and the timeline.'),
    kind: says(z.enum(outsideKinds), 'What is at the address.'),
    url: says(
      address.optional(),
      'Where notices are sent; of ntfy with the topic, as in ' +
        '`https://ntfy.sh/my-topic`. Who knows it can send there: ' +
        'better name a stored secret with `secretRef`, or an environment variable with `${NAME}`.',
    ),
    secretRef: says(z.string().min(1).optional(), 'The stored secret that holds the URL, instead of `url`.'),
    token: says(z.string().min(1).optional(), 'Sent along as a bearer token; for ntfy and webhooks that ask for one.'),
    tokenRef: says(z.string().min(1).optional(), 'The stored secret that holds the token, instead of `token`.'),
    on: says(z.boolean().default(true), 'false: nothing is sent there.'),
    classes: says(z.array(z.enum(noticeClasses)).optional(), 'Which notifications are sent; left out: all of them.'),
    texts: says(
      z.boolean().default(false),
      'true: also what is asked, the words of a goal, an alarm or a ' +
        'reviewer. false: only which session, and of what kind it is.',
    ),
  })
  .strict()

const timeOfDay = z.string().regex(/^([01]?\d|2[0-3]):[0-5]\d$/, timeOfDayRule)
const quietHours = z
  .object({
    on: says(z.boolean().default(true), 'false: they don’t begin.'),
    from: says(timeOfDay.default('22:00'), 'When they begin each day, in the zone of the computer.'),
    to: says(timeOfDay.default('07:30'), 'When they end; before `from`: on the next day.'),
    needsYou: says(z.boolean().default(false), 'true: that a session needs you is told all the same.'),
    ownAlarms: says(z.boolean().default(false), 'true: an alarm that you set yourself rings all the same.'),
  })
  .strict()
  .prefault({ on: false })

const switches = Object.fromEntries(
  noticeClasses.map((kind) => [kind, says(z.boolean().optional(), 'false: switched off, everywhere.')]),
) as Record<NoticeClass, z.ZodOptional<z.ZodBoolean>>

/** Each class can be switched off by its name. */
export const notifications = says(
  z
    .object({
      ...switches,
      quietHours: quietHours.describe('Nothing is shown or sent then; when they end, one notice says what came.'),
      outside: says(
        z.array(outside).max(20).default([]),
        'Where notices are sent besides this machine. Nothing by itself.',
      ),
    })
    .catchall(z.unknown())
    .prefault({}),
  'What is shown and sent.',
)

export type QuietHours = z.infer<typeof quietHours>
export type OutsideConfig = z.infer<typeof outside>
