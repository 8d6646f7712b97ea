/**
 * The config file `<home>/config.json`: what may stand in it, with defaults. Comments and `${ENV}` are handled by the
 * reader.
 */
import { z } from 'zod'
import { clock } from './clock.ts'
import { providerIdRule, routeCategories } from './names.ts'
import { limits } from './limits.ts'
import { localKey } from './local-key.ts'
import { notifications } from './notifications.ts'
import { pool, provider } from './provider.ts'
import { recover } from './recover.ts'
import { servertools } from './servertools.ts'
import { stopMessage } from './stop-message.ts'
import { says } from './describe-setting.ts'

export { providerTypes, routeCategories, type ProviderType, type RouteCategory } from './names.ts'

const updates = says(
  z
    .object({
      check: says(z.boolean().default(false), 'Look once a day; off: only when a person asks.'),
      download: says(z.boolean().default(false), 'Download what was found; it is never installed without a click.'),
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
  'New versions of the desktop app. Where they are, its package says.',
)

export const configSchema = z
  .object({
    $schema: says(z.string().optional(), 'The schema beside the config, for editors.'),
    server: says(
      z
        .object({
          host: says(
            z.string().default('127.0.0.1'),
            'The address it listens on. Any other lets other machines call, with a key.',
          ),
          port: says(z.number().int().min(0).max(65_535).default(5520), '0: one that is free.'),
          keys: says(z.array(localKey).default([]), 'Keys of callers that have no terminal.'),
          allowedHosts: says(
            z.array(z.string()).default([]),
            'Names that a request’s `Host` may have besides those of this machine.',
          ),
          maxBodyBytes: says(
            z
              .number()
              .int()
              .positive()
              .default(64 * 1024 * 1024),
            'Bytes; larger request bodies are answered 413.',
          ),
          drainSeconds: says(
            z.number().int().min(0).max(120).default(60),
            'Answers under way when Onward ends or restarts have this long to come to their ends.',
          ),
        })
        .strict()
        .prefault({}),
      'Where Onward listens, and whom it serves.',
    ),
    providers: says(
      z.record(z.string().regex(/^[A-Za-z0-9_-]+$/, providerIdRule), provider).default({}),
      'Who answers, by a name of your choice.',
    ),
    routes: says(
      z.partialRecord(z.enum(routeCategories), pool).default({}),
      'Where requests go, by their kind. Each is a list of `provider.model`, tried in its order.',
    ),
    aliases: says(
      z.record(z.string(), z.string()).default({}),
      'Names of models that clients may use, and the `provider.model` each stands for.',
    ),
    longContextThreshold: says(
      z.number().int().positive().default(60_000),
      'Tokens, estimated, from which the route `longContext` takes a request.',
    ),
    routing: says(
      z
        .object({
          failures: says(z.number().int().positive().default(3), 'Failures in a row after which a provider rests.'),
          coolDownSeconds: says(
            z.number().positive().max(600).default(30),
            'Of the first rest; every further one is twice as long, up to ten minutes.',
          ),
          stickyMinutes: says(
            z.number().min(0).default(10),
            'A session stays with its provider and model while it comes back within this time: prompt caches live ' +
              'about as long.',
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
            '`convert`: as the client’s protocol names sources, as ' +
              'far as it can. `append`: the sources that an answer ' +
              'names stand as a numbered list at its end, for clients that show no citations.',
          ),
          keepThinking: says(
            z.boolean().default(true),
            'Thinking that a client drops is kept on this disk, in clear, and put back for the model that made it. ' +
              'false: nothing is kept, and such a client’s model thinks anew in every turn.',
          ),
        })
        .strict()
        .prefault({}),
      'Between a client and a provider that speak different protocols.',
    ),
    stopMessage,
    goal: says(
      z
        .object({
          askMinutes: says(
            z.number().positive().max(1_440).nullable().default(10),
            'A reviewed goal with a number of rounds (`sm:"…",30`) asks once when a guard of time or progress is ' +
              'reached, and goes on after so many minutes without an answer. null: it waits for your word, as goals ' +
              'without a number do.',
          ),
          keepAwake: says(
            z.boolean().default(false),
            'The machine does not go to sleep by itself while a goal or a followup is set.',
          ),
          revive: says(
            z.boolean().default(false),
            'An agent that crashes, is killed or runs out of memory while a goal or a followup is set is started ' +
              'again in its terminal and goes on with its conversation, at most three times an hour.',
          ),
        })
        .strict()
        .prefault({}),
      'How goals go on while nobody looks.',
    ),
    recover,
    markers: says(
      z
        .object({
          anywhere: says(
            z.boolean().default(false),
            'true: markers act wherever they stand in a message, also in ' +
              'the middle of what was pasted. The price: a page, ' +
              'a log or a file that you paste can then give Onward ' +
              'orders, such as a goal that is typed into your agent. ' +
              'Quotes, HTML comments and code are excepted in any case.',
          ),
          codeSpans: says(
            z.enum(['keep', 'strip']).default('keep'),
            '"keep": what stands in inline code or a code fence is no marker and reaches the provider as it is. ' +
              '"strip": it is a marker as any other, acts where it stands on a first or last line, and is taken out.',
          ),
        })
        .strict()
        .prefault({}),
      'Where markers act, and what is one.',
    ),
    clock,
    servertools,
    notifications,
    updates,
    language: says(
      z.enum(['en', 'zh-CN']).optional(),
      'Of dashboard, tray and notifications; left out: that of the system.',
    ),
  })
  .strict()

/** After defaults. */
export type Config = z.infer<typeof configSchema>
/** As a person writes it. */
export type ConfigInput = z.input<typeof configSchema>
export type ProviderConfig = Config['providers'][string]

/** JSON Schema for editors, published beside the config file. */
export const configJsonSchema = (): unknown => z.toJSONSchema(configSchema, { io: 'input' })
