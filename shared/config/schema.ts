/**
 * The config file `<home>/config.json`: what may stand in it, with defaults. Comments and `${ENV}` are handled by the
 * reader.
 */
import { z } from 'zod'
import { providerTypes, routeCategories } from './names.ts'
import { localKey } from './local-key.ts'
import { notifications } from './notifications.ts'

export { providerTypes, routeCategories, type ProviderType, type RouteCategory } from './names.ts'

const key = z.union([
  z.object({ alias: z.string().min(1), value: z.string().min(1) }).strict(),
  z.object({ alias: z.string().min(1), env: z.string().min(1) }).strict(),
  z.object({ alias: z.string().min(1), secretRef: z.string().min(1) }).strict(),
])
/** US dollars per million tokens; counts more than the list prices that come with Onward */
const price = z
  .object({
    input: z.number().min(0),
    /** read from a prompt cache; left out: as any other input */
    cachedInput: z.number().min(0).optional(),
    /** written to one; left out: as any other input */
    cacheWrite: z.number().min(0).optional(),
    /** written to one for an hour; left out: as `cacheWrite` */
    cacheWriteHour: z.number().min(0).optional(),
    output: z.number().min(0),
  })
  .strict()
const model = z
  .object({
    contextWindow: z.number().int().positive().optional(),
    maxOutput: z.number().int().positive().optional(),
    vision: z.boolean().optional(),
    thinking: z.boolean().optional(),
    /** false: the model takes no tools, so none of Onward's are declared to it */
    tools: z.boolean().optional(),
    /**
     * false: the time is not written behind its messages (`clock.timeTag`); for models whose template takes no user's
     * message behind a tool's result
     */
    timeTag: z.boolean().optional(),
    price: price.optional(),
  })
  .strict()
/** Where a provider differs from its type. Unknown members are kept for later versions. */
const quirks = z
  .object({
    /** how the key is sent, where it is not the usual way of the type */
    authHeader: z.enum(['bearer', 'x-api-key', 'api-key']).optional(),
    /** request headers of the client that are kept back from this provider; `x-foo-*` means all that begin so */
    dropHeaders: z.array(z.string().min(1)).optional(),
    /** milliseconds; 0 waits for ever */
    timeouts: z
      .object({
        connectMs: z.number().int().min(0).optional(),
        firstByteMs: z.number().int().min(0).optional(),
        idleMs: z.number().int().min(0).optional(),
      })
      .strict()
      .optional(),
  })
  .loose()
const provider = z
  .object({
    type: z.enum(providerTypes),
    baseUrl: z.url({ protocol: /^https?$/ }).optional(),
    keys: z.array(key).default([]),
    /** `client`: the caller's own credential goes through to this provider, and to no other origin */
    auth: z.enum(['key', 'client', 'none']).default('key'),
    headers: z.record(z.string(), z.string()).default({}),
    models: z.record(z.string(), model).default({}),
    quirks: quirks.prefault({}),
    /** simulator only: a scenario file below the Onward home */
    scenario: z.string().optional(),
  })
  .strict()
const pool = z.array(
  z.union([z.string().min(3), z.object({ target: z.string().min(3), weight: z.number().positive() }).strict()]),
)

/** Tools that run in Onward. */
const servertools = z
  .object({
    enabled: z.boolean().default(true),
    /** by name, where a tool is to be on or off other than it is by itself, e.g. `"web_fetch": true` */
    tools: z.record(z.string().regex(/^[a-z][a-z0-9_]*$/), z.boolean()).default({}),
    /** rounds of one answer whose calls are run: the first and this many behind it */
    maxDepth: z.number().int().min(0).max(100).default(1),
    /** for all rounds of one answer together */
    maxSeconds: z.number().positive().default(900),
    /** `always`: with every request that has tools of its own; `conditional`: only beside one of `beside` */
    declare: z.enum(['always', 'conditional']).default('always'),
    beside: z.array(z.string().min(1)).default([]),
    webFetch: z
      .object({
        /** hosts, addresses or ranges (`192.168.1.0/24`) that may be fetched though they are not public */
        allow: z.array(z.string().min(1)).default([]),
        maxChars: z.number().int().positive().default(20_000),
        timeoutSeconds: z.number().positive().max(300).default(15),
        maxBytes: z
          .number()
          .int()
          .positive()
          .default(2 * 1024 * 1024),
      })
      .strict()
      .prefault({}),
    webSearch: z
      .object({
        engine: z
          .discriminatedUnion('type', [
            /** a SearXNG instance with its JSON format switched on */
            z.object({ type: z.literal('searxng'), url: z.url({ protocol: /^https?$/ }) }).strict(),
            z.object({ type: z.literal('brave'), key: z.string().min(1) }).strict(),
            z.object({ type: z.literal('tavily'), key: z.string().min(1) }).strict(),
            /** a model that searches by itself, as `provider.model`; null: the route `webSearch` */
            z.object({ type: z.literal('model'), target: z.string().min(3).nullable().default(null) }).strict(),
          ])
          .nullable()
          .default(null),
        results: z.number().int().min(1).max(20).default(8),
      })
      .strict()
      .prefault({}),
  })
  .strict()
  .prefault({})

/** New versions of the desktop app. Where they are, its package says. */
const updates = z
  .object({
    /** look once a day; off: only when a person asks */
    check: z.boolean().default(false),
    /** download what was found; it is never installed without a click */
    download: z.boolean().default(false),
    /** where `onward update --check` asks when the package names no place */
    feed: z
      .url({ protocol: /^https?$/ })
      .nullable()
      .default(null),
  })
  .strict()
  .prefault({})

/** Alarms and what the model is told of the time. Milliseconds. */
const clock = z
  .object({
    enabled: z.boolean().default(true),
    /** the exact time behind the last message of every turn, where prompt caches do not see it */
    timeTag: z.boolean().default(true),
    /** a request or a hold may take an alarm along this long before its time */
    dueWindowMs: z.number().int().min(0).max(3_600_000).default(60_000),
    /** an alarm that could not be delivered this long after its time is missed */
    retentionMs: z
      .number()
      .int()
      .min(60_000)
      .max(7 * 24 * 3_600_000)
      .default(1_200_000),
    /** how often the clock is looked at besides: computers sleep, and clocks are set */
    tickMs: z.number().int().min(100).max(600_000).default(60_000),
    /** an answer is held open at most this long for an alarm that is about to be due */
    holdMaxMs: z.number().int().min(0).max(600_000).default(60_000),
    /** also where the client waits for one JSON body */
    holdNonStreaming: z.boolean().default(true),
    ntp: z
      .object({
        enabled: z.boolean().default(true),
        /** host or host:port; asked in turn until one answers */
        servers: z.array(z.string().min(1)).min(1).default(['time.cloudflare.com', 'time.google.com', 'pool.ntp.org']),
        timeoutMs: z.number().int().min(50).max(10_000).default(800),
        refreshMs: z
          .number()
          .int()
          .min(10_000)
          .max(7 * 24 * 3_600_000)
          .default(3_600_000),
      })
      .strict()
      .prefault({}),
  })
  .strict()
  .prefault({})

/** Who looks whether a goal is reached. Characters and seconds. */
const review = z
  .object({
    /** `model`: a model with read-only tools of Onward's; `command`: a program of yours, the question on its stdin */
    backend: z.enum(['model', 'command']).default('model'),
    /** `provider.model`; null: the route `review`, else `default` */
    model: z.string().min(3).nullable().default(null),
    /** program and arguments, e.g. `["codex", "exec", "-"]` */
    command: z.array(z.string().min(1)).default([]),
    timeoutSeconds: z.number().int().min(5).max(3_600).default(300),
    /** answers of the model until its verdict must be there */
    maxSteps: z.number().int().min(2).max(100).default(16),
    /** of a check that does not say it itself */
    checkTimeoutSeconds: z.number().int().min(1).max(7_200).default(600),
    /** how much of the conversation the reviewer sees */
    context: z
      .object({
        /** of the agent's last words */
        textChars: z.number().int().min(200).default(6_000),
        /** tool calls of the turn, the last ones */
        calls: z.number().int().min(0).default(30),
        /** of the arguments and of the result of each call */
        callChars: z.number().int().min(50).default(600),
        /** rounds before this one */
        rounds: z.number().int().min(0).default(5),
      })
      .strict()
      .prefault({}),
  })
  .strict()
  .prefault({})

export const configSchema = z
  .object({
    $schema: z.string().optional(),
    server: z
      .object({
        host: z.string().default('127.0.0.1'),
        port: z.number().int().min(0).max(65_535).default(5520),
        keys: z.array(localKey).default([]),
        allowedHosts: z.array(z.string()).default([]),
        /** bytes; larger request bodies are answered 413 */
        maxBodyBytes: z
          .number()
          .int()
          .positive()
          .default(64 * 1024 * 1024),
      })
      .strict()
      .prefault({}),
    providers: z
      .record(z.string().regex(/^[A-Za-z0-9_-]+$/, 'a provider id has letters, digits, - and _ only'), provider)
      .default({}),
    routes: z.partialRecord(z.enum(routeCategories), pool).default({}),
    aliases: z.record(z.string(), z.string()).default({}),
    longContextThreshold: z.number().int().positive().default(60_000),
    routing: z
      .object({
        /** failures in a row after which a provider rests */
        failures: z.number().int().positive().default(3),
        /** of the first rest; every further one is twice as long, up to ten minutes */
        coolDownSeconds: z.number().positive().max(600).default(30),
        /**
         * a session stays with its provider and model while it comes back within this time: prompt caches live about as
         * long
         */
        stickyMinutes: z.number().min(0).default(10),
      })
      .strict()
      .prefault({}),
    /** between a client and a provider that speak different protocols */
    conversion: z
      .object({
        /**
         * `append`: the sources that an answer names stand as a numbered list at its end, for clients that show no
         * citations; `convert`: as the client's protocol names sources, as far as it can
         */
        citations: z.enum(['convert', 'append']).default('convert'),
        keepThinking: z
          .boolean()
          .default(true)
          .describe(
            'Thinking that a client drops is kept on this disk, in clear, and put back for the model that made it. ' +
              'false: nothing is kept, and such a client’s model thinks anew in every turn.',
          ),
      })
      .strict()
      .prefault({}),
    stopMessage: z
      .object({
        delivery: z.enum(['inject', 'reenter']).default('inject'),
        /** wait after a response before typing, so that the client has drawn its screen */
        settleMs: z.number().int().min(0).default(400),
        budgets: z
          .object({
            rounds: z.number().int().positive().nullable().default(100),
            hours: z.number().positive().nullable().default(8),
            noProgressRounds: z.number().int().positive().nullable().default(5),
            tokens: z.number().int().positive().nullable().default(null),
            costUsd: z.number().positive().nullable().default(null),
          })
          .strict()
          .prefault({}),
        review,
      })
      .strict()
      .prefault({}),
    markers: z
      .object({
        anywhere: z
          .boolean()
          .default(false)
          .describe(
            'true: markers act wherever they stand in a message, also in the middle of what was pasted. The price: a page, ' +
              'a log or a file that you paste can then give Onward orders, such as a goal that is typed into your agent. ' +
              'Quotes, HTML comments and code are excepted in any case.',
          ),
      })
      .strict()
      .prefault({}),
    clock,
    servertools,
    notifications,
    updates,
    language: z.enum(['en', 'zh-CN']).optional(),
  })
  .strict()

/** After defaults. */
export type Config = z.infer<typeof configSchema>
/** As a person writes it. */
export type ConfigInput = z.input<typeof configSchema>
export type ProviderConfig = Config['providers'][string]

/** JSON Schema for editors, published beside the config file. */
export const configJsonSchema = (): unknown => z.toJSONSchema(configSchema, { io: 'input' })
