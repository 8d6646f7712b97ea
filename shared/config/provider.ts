import { z } from 'zod'
import { providerTypes, viaName } from './names.ts'
import { says } from './describe-setting.ts'

const alias = says(z.string().min(1), 'Its name in dashboard and records.')
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
      input: says(z.number().min(0), 'Input.'),
      cachedInput: says(z.number().min(0).optional(), 'Read from a prompt cache; default: `input`.'),
      cacheWrite: says(z.number().min(0).optional(), 'Written to a prompt cache; default: `input`.'),
      cacheWriteHour: says(z.number().min(0).optional(), 'Written for an hour; default: `cacheWrite`.'),
      output: says(z.number().min(0), 'Output.'),
    })
    .strict(),
  'US dollars per million tokens, instead of the list price.',
)
const patience = z.number().int().min(0).optional()
const timeouts = () =>
  z
    .object({
      connectMs: patience.describe('Until a connection stands.'),
      firstByteMs: patience.describe('Until the answer begins.'),
      silentMs: patience.describe('Silence of a stream before anything is said; then another candidate is asked.'),
      wordlessMs: patience.describe('From the first byte until something is said; pings say nothing.'),
      idleMs: patience.describe('Between two pieces of an answer.'),
    })
    .strict()
    .optional()
const model = z
  .object({
    contextWindow: says(z.number().int().positive().optional(), 'Tokens it takes; longer requests go elsewhere.'),
    maxOutput: says(z.number().int().positive().optional(), 'Tokens it writes at most.'),
    vision: says(z.boolean().optional(), 'It sees images.'),
    thinking: says(z.boolean().optional(), 'It can think before it answers.'),
    tools: says(z.boolean().optional(), 'false: no tools of Onward’s are declared to it.'),
    timeTag: says(
      z.boolean().optional(),
      'false: no `clock.timeTag`, for templates that take no user’s message after a tool’s result.',
    ),
    timeouts: says(timeouts(), 'For this model, instead of `quirks.timeouts`.'),
    price: price.optional(),
  })
  .strict()
/** Unknown members are kept for later versions. */
const quirks = z
  .object({
    authHeader: says(
      z.enum(['bearer', 'x-api-key', 'api-key']).optional(),
      'How the key is sent, if not as usual for the type.',
    ),
    dropHeaders: says(
      z.array(z.string().min(1)).optional(),
      'Client headers that it does not get; `x-foo-*`: all that begin so.',
    ),
    timeouts: says(
      timeouts(),
      'As `timeouts` of a model, in milliseconds; 0 waits for ever. [Defaults](configuration.md#silent-providers).',
    ),
  })
  .loose()

export const provider = z
  .object({
    type: says(z.enum(providerTypes), 'The protocol it speaks.'),
    via: says(
      z.string().regex(viaName).optional(),
      'The machine or engine that has it, with its [key](machines.md#models-of-another-machine).',
    ),
    lend: says(z.boolean().optional(), 'true: other engines may ask it through this one.'),
    baseUrl: says(z.url({ protocol: /^https?$/ }).optional(), 'Its address, as its vendor writes it.'),
    keys: says(z.array(key).default([]), 'Tried in turn while one rests; each a `value`, an `env` or a `secretRef`.'),
    auth: says(
      z.enum(['key', 'client', 'none']).default('key'),
      '`key`: one of `keys`. `client`: the caller’s own credential, sent to this origin only. `none`: nothing.',
    ),
    headers: says(z.record(z.string(), z.string()).default({}), 'Headers of every request to it.'),
    models: says(z.record(z.string(), model).default({}), 'Its models, by name.'),
    quirks: says(quirks.prefault({}), 'Where it differs from its type.'),
    scenario: says(z.string().optional(), 'Simulator only: a scenario file below the Onward home.'),
  })
  .strict()

/** Targets of a route, in the order in which they are tried. */
export const pool = z.array(
  z.union([
    z.string().min(3),
    z
      .object({
        target: says(z.string().min(3), '`provider.model`.'),
        weight: says(z.number().positive(), 'Its share among neighbours with a weight.'),
      })
      .strict(),
  ]),
)
