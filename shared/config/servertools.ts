import { z } from 'zod'

const webFetch = z
  .object({
    allow: z
      .array(z.string().min(1))
      .default([])
      .describe('Hosts, addresses or ranges (`192.168.1.0/24`) that may be fetched though they are not public.'),
    maxChars: z.number().int().positive().default(20_000).describe('The text is cut there.'),
    timeoutSeconds: z.number().positive().max(300).default(15).describe('For one page.'),
    maxBytes: z
      .number()
      .int()
      .positive()
      .default(2 * 1024 * 1024)
      .describe('Of one page; the rest is not read.'),
  })
  .strict()
  .prefault({})
  .describe('What `web_fetch` may do.')

const apiKey = z.string().min(1).describe('The key of the engine; `${NAME}` takes it from the environment.')
const engine = z.discriminatedUnion('type', [
  z
    .object({
      type: z.literal('searxng').describe('Which one.'),
      url: z.url({ protocol: /^https?$/ }).describe('The address of the instance.'),
    })
    .strict()
    .describe('A SearXNG instance with its JSON format switched on.'),
  z.object({ type: z.literal('brave').describe('Which one.'), key: apiKey }).strict(),
  z.object({ type: z.literal('tavily').describe('Which one.'), key: apiKey }).strict(),
  z
    .object({
      type: z.literal('model').describe('Which one.'),
      target: z.string().min(3).nullable().default(null).describe('`provider.model`; null: the route `webSearch`.'),
    })
    .strict()
    .describe('A model that searches by itself.'),
])

/** Tools that run in Onward. */
export const servertools = z
  .object({
    enabled: z.boolean().default(true).describe('false: none of the tools is there.'),
    tools: z
      .record(z.string().regex(/^[a-z][a-z0-9_]*$/), z.boolean())
      .default({})
      .describe('By name, where a tool is to be on or off other than it is by itself, e.g. `"web_fetch": true`.'),
    maxDepth: z
      .number()
      .int()
      .min(0)
      .max(100)
      .default(1)
      .describe('Rounds of one answer whose calls are run: the first and this many behind it.'),
    maxSeconds: z.number().positive().default(900).describe('For all rounds of one answer together.'),
    declare: z
      .enum(['always', 'conditional'])
      .default('always')
      .describe('`always`: with every request that has tools of its own. `conditional`: only beside one of `beside`.'),
    beside: z.array(z.string().min(1)).default([]).describe('Names of the client’s tools, for `conditional`.'),
    webFetch,
    webSearch: z
      .object({
        engine: engine.nullable().default(null).describe('Who searches; null: nobody, and the tool is not offered.'),
        results: z.number().int().min(1).max(20).default(8).describe('How many the model gets.'),
      })
      .strict()
      .prefault({})
      .describe('How `web_search` searches.'),
  })
  .strict()
  .prefault({})
  .describe('Onward’s own tools for models.')
