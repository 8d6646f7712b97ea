import { z } from 'zod'
import { providerTypes } from './names.ts'

const alias = z.string().min(1).describe('What it is called in the dashboard and in records.')
const key = z.union([
  z.object({ alias, value: z.string().min(1).describe('The key itself.') }).strict(),
  z.object({ alias, env: z.string().min(1).describe('The environment variable that holds it.') }).strict(),
  z
    .object({
      alias,
      secretRef: z.string().min(1).describe('The stored secret that holds it (`onward providers keys`).'),
    })
    .strict(),
])
const price = z
  .object({
    input: z.number().min(0).describe('Of what is sent.'),
    cachedInput: z.number().min(0).optional().describe('Read from a prompt cache; left out: as `input`.'),
    cacheWrite: z.number().min(0).optional().describe('Written to a prompt cache; left out: as `input`.'),
    cacheWriteHour: z.number().min(0).optional().describe('Written to one for an hour; left out: as `cacheWrite`.'),
    output: z.number().min(0).describe('Of what is answered.'),
  })
  .strict()
  .describe('US dollars per million tokens; counts more than the list prices that come with Onward.')
const model = z
  .object({
    contextWindow: z.number().int().positive().optional().describe('Tokens it takes; longer requests go elsewhere.'),
    maxOutput: z.number().int().positive().optional().describe('Tokens it writes at most.'),
    vision: z.boolean().optional().describe('Whether it sees images.'),
    thinking: z.boolean().optional().describe('Whether it can think before it answers.'),
    tools: z.boolean().optional().describe('false: it takes no tools, so none of Onward’s are declared to it.'),
    timeTag: z
      .boolean()
      .optional()
      .describe(
        'false: the time is not written behind its messages (`clock.timeTag`); for models whose template takes no ' +
          'user’s message behind a tool’s result.',
      ),
    price: price.optional(),
  })
  .strict()
const patience = z.number().int().min(0).optional()
/** Unknown members are kept for later versions. */
const quirks = z
  .object({
    authHeader: z
      .enum(['bearer', 'x-api-key', 'api-key'])
      .optional()
      .describe('How the key is sent, where it is not the usual way of the type.'),
    dropHeaders: z
      .array(z.string().min(1))
      .optional()
      .describe('Request headers of the client that this provider does not get; `x-foo-*` means all that begin so.'),
    timeouts: z
      .object({
        connectMs: patience.describe('Until a connection stands.'),
        firstByteMs: patience.describe('Until the answer begins.'),
        idleMs: patience.describe('Between two pieces of the answer.'),
      })
      .strict()
      .optional()
      .describe('Milliseconds; 0 waits for ever.'),
  })
  .loose()

export const provider = z
  .object({
    type: z.enum(providerTypes).describe('The protocol it speaks.'),
    baseUrl: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('Its address, as its vendor’s documents write it.'),
    keys: z
      .array(key)
      .default([])
      .describe('One or more; while one rests, the next is taken. Each is a `value`, an `env` or a `secretRef`.'),
    auth: z
      .enum(['key', 'client', 'none'])
      .default('key')
      .describe(
        '`key`: one of `keys`. `client`: the caller’s own credential goes through to this provider, and to no other ' +
          'origin. `none`: nothing is sent.',
      ),
    headers: z.record(z.string(), z.string()).default({}).describe('Headers that every request to it carries.'),
    models: z.record(z.string(), model).default({}).describe('What is known of its models, by their name.'),
    quirks: quirks.prefault({}).describe('Where it differs from its type.'),
    scenario: z.string().optional().describe('Of the simulator only: a scenario file below the Onward home.'),
  })
  .strict()

/** Targets of a route, in the order in which they are tried. */
export const pool = z.array(
  z.union([
    z.string().min(3),
    z
      .object({
        target: z.string().min(3).describe('`provider.model`.'),
        weight: z.number().positive().describe('Its share among the weighted ones beside it.'),
      })
      .strict(),
  ]),
)
