import { z } from 'zod'
import { providerTypes } from './names.ts'
import { says } from './describe-setting.ts'

const alias = says(z.string().min(1), 'What it is called in the dashboard and in records.')
const key = z.union([
  z.object({ alias, value: says(z.string().min(1), 'The key itself.') }).strict(),
  z.object({ alias, env: says(z.string().min(1), 'The environment variable that holds it.') }).strict(),
  z
    .object({
      alias,
      secretRef: says(z.string().min(1), 'The stored secret that holds it (`onward providers keys`).'),
    })
    .strict(),
])
const price = says(
  z
    .object({
      input: says(z.number().min(0), 'Of what is sent.'),
      cachedInput: says(z.number().min(0).optional(), 'Read from a prompt cache; left out: as `input`.'),
      cacheWrite: says(z.number().min(0).optional(), 'Written to a prompt cache; left out: as `input`.'),
      cacheWriteHour: says(z.number().min(0).optional(), 'Written to one for an hour; left out: as `cacheWrite`.'),
      output: says(z.number().min(0), 'Of what is answered.'),
    })
    .strict(),
  'US dollars per million tokens; counts more than the list prices that come with Onward.',
)
const patience = z.number().int().min(0).optional()
const timeouts = () =>
  z
    .object({
      connectMs: patience.describe('Until a connection stands.'),
      firstByteMs: patience.describe('Until the answer begins.'),
      silentMs: patience.describe('Of a stream: without a byte, before anything is said; then somebody else is asked.'),
      wordlessMs: patience.describe('From the first byte until something is said: pings say nothing.'),
      idleMs: patience.describe('Between two pieces of the answer.'),
    })
    .strict()
    .optional()
const model = z
  .object({
    contextWindow: says(z.number().int().positive().optional(), 'Tokens it takes; longer requests go elsewhere.'),
    maxOutput: says(z.number().int().positive().optional(), 'Tokens it writes at most.'),
    vision: says(z.boolean().optional(), 'Whether it sees images.'),
    thinking: says(z.boolean().optional(), 'Whether it can think before it answers.'),
    tools: says(z.boolean().optional(), 'false: it takes no tools, so none of Onward’s are declared to it.'),
    timeTag: says(
      z.boolean().optional(),
      'false: the time is not written behind its messages (`clock.timeTag`); for models whose template takes no ' +
        'user’s message behind a tool’s result.',
    ),
    timeouts: says(timeouts(), 'Of this model alone; counts more than `quirks.timeouts`.'),
    price: price.optional(),
  })
  .strict()
/** Unknown members are kept for later versions. */
const quirks = z
  .object({
    authHeader: says(
      z.enum(['bearer', 'x-api-key', 'api-key']).optional(),
      'How the key is sent, where it is not the usual way of the type.',
    ),
    dropHeaders: says(
      z.array(z.string().min(1)).optional(),
      'Request headers of the client that this provider does not get; `x-foo-*` means all that begin so.',
    ),
    timeouts: says(
      timeouts(),
      'Milliseconds; 0 waits for ever. [What counts where nothing is set](#silent-providers).',
    ),
  })
  .loose()

export const provider = z
  .object({
    type: says(z.enum(providerTypes), 'The protocol it speaks.'),
    baseUrl: says(z.url({ protocol: /^https?$/ }).optional(), 'Its address, as its vendor’s documents write it.'),
    keys: says(
      z.array(key).default([]),
      'One or more; while one rests, the next is taken. Each is a `value`, an `env` or a `secretRef`.',
    ),
    auth: says(
      z.enum(['key', 'client', 'none']).default('key'),
      '`key`: one of `keys`. `client`: the caller’s own credential goes through to this provider, and to no other ' +
        'origin. `none`: nothing is sent.',
    ),
    headers: says(z.record(z.string(), z.string()).default({}), 'Headers that every request to it carries.'),
    models: says(z.record(z.string(), model).default({}), 'What is known of its models, by their name.'),
    quirks: says(quirks.prefault({}), 'Where it differs from its type.'),
    scenario: says(z.string().optional(), 'Of the simulator only: a scenario file below the Onward home.'),
  })
  .strict()

/** Targets of a route, in the order in which they are tried. */
export const pool = z.array(
  z.union([
    z.string().min(3),
    z
      .object({
        target: says(z.string().min(3), '`provider.model`.'),
        weight: says(z.number().positive(), 'Its share among the weighted ones beside it.'),
      })
      .strict(),
  ]),
)
