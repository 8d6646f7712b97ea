/**
 * The config file `<home>/config.json`: what may stand in it, with defaults. Comments and `${ENV}` are handled by the
 * reader.
 */
import { z } from 'zod'
import { clock } from './clock.ts'
import { providerIdRule, routeCategories } from './names.ts'
import { fleet } from './fleet.ts'
import { limits } from './limits.ts'
import { localKey } from './local-key.ts'
import { notifications } from './notifications.ts'
import { pool, provider } from './provider.ts'
import { servertools } from './servertools.ts'
import { stopMessage } from './stop-message.ts'
import { telemetry } from './telemetry.ts'
import { says } from './describe-setting.ts'
import type { Policy } from '../policy/policy.ts'

export { providerTypes, routeCategories, type ProviderType, type RouteCategory } from './names.ts'

/** What happens after a turn that failed for good while no person is watching. */
const recover = says(
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

/** Asking a provider once more, so that its prompt cache lasts until an alarm. */
const keepWarm = says(
  z
    .object({
      providers: says(
        z.array(z.string().min(1)).default([]),
        'Those asked with a key of yours at Anthropic’s own API, by name; none: nothing is kept warm.',
      ),
      usdPerDay: says(z.number().positive().max(1_000).default(1), 'US dollars in 24 hours at most.'),
      pingsPerDay: says(z.number().int().min(1).max(10_000).default(100), 'Requests in 24 hours at most.'),
    })
    .strict()
    .prefault({}),
  '[Prompt caches](cost.md#keeping-a-cache-warm) that last until an alarm.',
)

/** What Onward does with goals, loops and schedules that agents set themselves. */
const drives = says(
  z
    .object({
      refuse: says(z.boolean().default(false), 'Turns of what you stopped or paused get an error.'),
      rescueWakeups: says(z.boolean().default(false), 'One a minute late becomes an alarm, once.'),
      rescueSchedules: says(z.boolean().default(false), 'The same.'),
    })
    .strict()
    .prefault({}),
  'What agents set themselves to go on by.',
)

const updates = says(
  z
    .object({
      check: says(z.boolean().default(false), 'Look once a day; off: only when you ask.'),
      download: says(z.boolean().default(false), 'Download new versions; a click installs them.'),
      feed: says(
        z
          .url({ protocol: /^https?$/ })
          .nullable()
          .default(null),
        'Where `onward update --check` asks when the package names no place.',
      ),
    })
    .strict()
    .prefault({}),
  'New versions of the desktop app, from the place that its package names.',
)

export const configSchema = z
  .object({
    $schema: says(z.string().optional(), 'The schema beside the config, for editors.'),
    server: says(
      z
        .object({
          host: says(z.string().default('127.0.0.1'), 'Any other lets other machines call, with a key.'),
          port: says(z.number().int().min(0).max(65_535).default(5520), '0: a free one.'),
          keys: says(z.array(localKey).default([]), 'Keys of callers that have no terminal.'),
          allowedHosts: says(z.array(z.string()).default([]), 'Further names that a request’s `Host` may have.'),
          maxBodyBytes: says(
            z
              .number()
              .int()
              .positive()
              .default(64 * 1024 * 1024),
            'Bytes; larger bodies are answered 413.',
          ),
          probePort: says(
            z.number().int().min(0).max(65_535).nullable().default(null),
            'A port on every address that answers `/ready` and `/health` alone, also while Onward ends; null: none.',
          ),
          drainSeconds: says(
            z.number().int().min(0).max(120).default(60),
            'How long open answers may take when Onward ends or restarts.',
          ),
        })
        .strict()
        .prefault({}),
      'Where Onward listens, and who may call.',
    ),
    phone: says(
      z
        .object({
          host: says(
            z
              .union([z.ipv4(), z.ipv6(), z.literal('tailscale')])
              .nullable()
              .default(null),
            'The address at which paired phones are served over https; `tailscale`: this machine’s there, with a ' +
              'certificate of Tailscale’s; null: none.',
          ),
          port: says(z.number().int().min(0).max(65_535).default(5521), '0: a free one.'),
          cert: says(z.string().min(1).optional(), 'A file with a certificate of yours, and its chain, in PEM.'),
          key: says(z.string().min(1).optional(), 'The file with its key; default: in that of `cert`.'),
          name: says(z.string().min(1).optional(), 'The name in links; default: the first in the certificate.'),
        })
        .strict()
        .prefault({}),
      'A port for paired phones alone. `onward phone pair --at` writes it.',
    ),
    mcp: says(
      z
        .object({ keys: says(z.array(localKey).default([]), 'Keys of programs that ask; none: `/mcp` is off.') })
        .strict()
        .prefault({}),
      'Other programs that ask over MCP and HTTP. `onward mcp key` writes it.',
    ),
    providers: says(
      z.record(z.string().regex(/^[A-Za-z0-9_-]+$/, providerIdRule), provider).default({}),
      'Who answers, by a name of your choice.',
    ),
    routes: says(
      z.partialRecord(z.enum(routeCategories), pool).default({}),
      'Each route is a list of `provider.model`, tried in order.',
    ),
    aliases: says(
      z.record(z.string(), z.string()).default({}),
      'Names that clients may use, each for a `provider.model`.',
    ),
    longContextThreshold: says(
      z.number().int().positive().default(60_000),
      'Estimated tokens from which the route `longContext` takes a request.',
    ),
    routing: says(
      z
        .object({
          failures: says(z.number().int().positive().default(3), 'Failures in a row after which a provider rests.'),
          coolDownSeconds: says(
            z.number().positive().max(600).default(30),
            'The first rest; each further one is twice as long, up to ten minutes.',
          ),
          stickyMinutes: says(
            z.number().min(0).default(10),
            'How long a session stays with its model after a turn, for the prompt cache.',
          ),
        })
        .strict()
        .prefault({}),
      'How providers take turns.',
    ),
    limits,
    conversion: says(
      z
        .object({
          citations: says(
            z.enum(['convert', 'append']).default('convert'),
            '`convert`: as the client’s protocol names sources. `append`: as a numbered list at the answer’s end.',
          ),
          keepThinking: says(
            z.boolean().default(true),
            'Keeps thinking that a client drops on this disk, in clear, for the model that made it.',
          ),
        })
        .strict()
        .prefault({}),
      'Between different protocols.',
    ),
    stopMessage,
    goal: says(
      z
        .object({
          askMinutes: says(
            z.number().positive().max(1_440).nullable().default(10),
            'Minutes after which a reviewed goal with a number of rounds goes on at a guard of time or progress. ' +
              'null: it waits, as other goals do.',
          ),
          keepAwake: says(z.boolean().default(false), 'The machine does not sleep while a goal or a followup is set.'),
          revive: says(
            z.boolean().default(false),
            'An agent that crashes or is killed while one is set is started again with its conversation, ' +
              'three times an hour at most.',
          ),
        })
        .strict()
        .prefault({}),
      'Goals while you are away.',
    ),
    recover,
    keepWarm,
    drives,
    markers: says(
      z
        .object({
          anywhere: says(
            z.boolean().default(false),
            'true: anywhere in a message. Then a page or file that you paste can give Onward orders.',
          ),
          codeSpans: says(
            z.enum(['keep', 'strip']).default('keep'),
            '`keep`: markers in code do not act and reach the provider. `strip`: they are markers like any other.',
          ),
        })
        .strict()
        .prefault({}),
      'Where markers act.',
    ),
    clock,
    servertools,
    notifications,
    telemetry,
    fleet,
    updates,
    language: says(z.enum(['en', 'zh-CN']).optional(), 'Of dashboard, tray and notifications; default: the system’s.'),
  })
  .strict()

/** After defaults. */
export type Config = z.infer<typeof configSchema> & {
  /** the policies that it was held to, and that hold where a model or a tool is chosen; absent: there are none */
  held?: readonly Policy[]
}
/** As a person writes it. */
export type ConfigInput = z.input<typeof configSchema>
export type ProviderConfig = Config['providers'][string]

/** JSON Schema for editors, published beside the config file. */
export const configJsonSchema = (): unknown => z.toJSONSchema(configSchema, { io: 'input' })
