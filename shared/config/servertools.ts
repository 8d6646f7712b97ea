import { z } from 'zod'
import { says } from './describe-setting.ts'

const webFetch = says(
  z
    .object({
      allow: says(
        z.array(z.string().min(1)).default([]),
        'Hosts, addresses or ranges (`192.168.1.0/24`) that may be fetched though private.',
      ),
      maxChars: says(z.number().int().positive().default(20_000), 'Characters; the rest is cut.'),
      timeoutSeconds: says(z.number().positive().max(300).default(15), 'For one page.'),
      maxBytes: says(
        z
          .number()
          .int()
          .positive()
          .default(2 * 1024 * 1024),
        'Bytes of a page; the rest is not read.',
      ),
    })
    .strict()
    .prefault({}),
  'For `web_fetch`.',
)

const apiKey = says(z.string().min(1), 'Its key, or `${NAME}` from the environment.')
const engine = z.discriminatedUnion('type', [
  says(
    z
      .object({
        type: says(z.literal('searxng'), 'Which one.'),
        url: says(z.url({ protocol: /^https?$/ }), 'The instance’s address.'),
      })
      .strict(),
    'A SearXNG instance with its JSON format switched on.',
  ),
  z.object({ type: says(z.literal('brave'), 'Which one.'), key: apiKey }).strict(),
  z.object({ type: says(z.literal('tavily'), 'Which one.'), key: apiKey }).strict(),
  says(
    z
      .object({
        type: says(z.literal('model'), 'Which one.'),
        target: says(z.string().min(3).nullable().default(null), '`provider.model`; null: the route `webSearch`.'),
      })
      .strict(),
    'A model that searches by itself.',
  ),
])

/** Tools that run in Onward. */
export const servertools = says(
  z
    .object({
      enabled: says(z.boolean().default(true), 'false: there are none.'),
      tools: says(
        z.record(z.string().regex(/^[a-z][a-z0-9_]*$/), z.boolean()).default({}),
        'Tools to switch on or off by name, e.g. `"web_fetch": true`.',
      ),
      maxDepth: says(
        z.number().int().min(0).max(100).default(1),
        'Further rounds of an answer whose calls are run, after the first.',
      ),
      maxSeconds: says(z.number().positive().default(900), 'For all rounds of one answer.'),
      declare: says(
        z.enum(['always', 'conditional']).default('always'),
        '`always`: in every request with tools. `conditional`: only beside one of `beside`.',
      ),
      beside: says(z.array(z.string().min(1)).default([]), 'Names of client tools, for `conditional`.'),
      webFetch,
      webSearch: says(
        z
          .object({
            engine: says(engine.nullable().default(null), 'Who searches; null: the tool is not offered.'),
            results: says(z.number().int().min(1).max(20).default(8), 'How many results the model gets.'),
          })
          .strict()
          .prefault({}),
        'For `web_search`.',
      ),
    })
    .strict()
    .prefault({}),
  'Onward’s own tools for models.',
)
