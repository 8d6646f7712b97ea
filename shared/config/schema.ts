/**
 * The config file `<home>/config.json`: what may stand in it, with defaults. Comments and `${ENV}` are handled by the
 * reader.
 */
import { z } from 'zod'
import { clock } from './clock.ts'
import { providerIdRule, routeCategories } from './names.ts'
import { localKey } from './local-key.ts'
import { notifications } from './notifications.ts'
import { pool, provider } from './provider.ts'
import { servertools } from './servertools.ts'
import { stopMessage } from './stop-message.ts'

export { providerTypes, routeCategories, type ProviderType, type RouteCategory } from './names.ts'

const updates = z
  .object({
    check: z.boolean().default(false).describe('Look once a day; off: only when a person asks.'),
    download: z.boolean().default(false).describe('Download what was found; it is never installed without a click.'),
    feed: z
      .url({ protocol: /^https?$/ })
      .nullable()
      .default(null)
      .describe('Where `onward update --check` asks when the package names no place.'),
  })
  .strict()
  .prefault({})
  .describe('New versions of the desktop app. Where they are, its package says.')

export const configSchema = z
  .object({
    $schema: z.string().optional().describe('The schema beside the config, for editors.'),
    server: z
      .object({
        host: z
          .string()
          .default('127.0.0.1')
          .describe('The address it listens on. Any other lets other machines call, with a key.'),
        port: z.number().int().min(0).max(65_535).default(5520).describe('0: one that is free.'),
        keys: z.array(localKey).default([]).describe('Keys of callers that have no terminal.'),
        allowedHosts: z
          .array(z.string())
          .default([])
          .describe('Names that a request’s `Host` may have besides those of this machine.'),
        maxBodyBytes: z
          .number()
          .int()
          .positive()
          .default(64 * 1024 * 1024)
          .describe('Bytes; larger request bodies are answered 413.'),
      })
      .strict()
      .prefault({})
      .describe('Where Onward listens, and whom it serves.'),
    providers: z
      .record(z.string().regex(/^[A-Za-z0-9_-]+$/, providerIdRule), provider)
      .default({})
      .describe('Who answers, by a name of your choice.'),
    routes: z
      .partialRecord(z.enum(routeCategories), pool)
      .default({})
      .describe('Where requests go, by their kind. Each is a list of `provider.model`, tried in its order.'),
    aliases: z
      .record(z.string(), z.string())
      .default({})
      .describe('Names of models that clients may use, and the `provider.model` each stands for.'),
    longContextThreshold: z
      .number()
      .int()
      .positive()
      .default(60_000)
      .describe('Tokens, estimated, from which the route `longContext` takes a request.'),
    routing: z
      .object({
        failures: z.number().int().positive().default(3).describe('Failures in a row after which a provider rests.'),
        coolDownSeconds: z
          .number()
          .positive()
          .max(600)
          .default(30)
          .describe('Of the first rest; every further one is twice as long, up to ten minutes.'),
        stickyMinutes: z
          .number()
          .min(0)
          .default(10)
          .describe(
            'A session stays with its provider and model while it comes back within this time: prompt caches live ' +
              'about as long.',
          ),
      })
      .strict()
      .prefault({})
      .describe('How providers take turns.'),
    conversion: z
      .object({
        citations: z
          .enum(['convert', 'append'])
          .default('convert')
          .describe(
            '`convert`: as the client’s protocol names sources, as ' +
              'far as it can. `append`: the sources that an answer ' +
              'names stand as a numbered list at its end, for clients that show no citations.',
          ),
        keepThinking: z
          .boolean()
          .default(true)
          .describe(
            'Thinking that a client drops is kept on this disk, in clear, and put back for the model that made it. ' +
              'false: nothing is kept, and such a client’s model thinks anew in every turn.',
          ),
      })
      .strict()
      .prefault({})
      .describe('Between a client and a provider that speak different protocols.'),
    stopMessage,
    markers: z
      .object({
        anywhere: z
          .boolean()
          .default(false)
          .describe(
            'true: markers act wherever they stand in a message, also in ' +
              'the middle of what was pasted. The price: a page, ' +
              'a log or a file that you paste can then give Onward ' +
              'orders, such as a goal that is typed into your agent. ' +
              'Quotes, HTML comments and code are excepted in any case.',
          ),
      })
      .strict()
      .prefault({})
      .describe('Where markers act.'),
    clock,
    servertools,
    notifications,
    updates,
    language: z
      .enum(['en', 'zh-CN'])
      .optional()
      .describe('Of dashboard, tray and notifications; left out: that of the system.'),
  })
  .strict()

/** After defaults. */
export type Config = z.infer<typeof configSchema>
/** As a person writes it. */
export type ConfigInput = z.input<typeof configSchema>
export type ProviderConfig = Config['providers'][string]

/** JSON Schema for editors, published beside the config file. */
export const configJsonSchema = (): unknown => z.toJSONSchema(configSchema, { io: 'input' })
