import { z } from 'zod'

const count = z.int().min(0)

/** What an answer says, written by hand beside its bytes. Counts as the canonical answer has them. */
const facts = z.strictObject({
  shows: z.string().min(10),
  /** where the shape of the bytes is taken from */
  source: z.string().min(8),
  model: z.string().nullable(),
  text: z.string(),
  thinking: z.string(),
  refusal: z.string().optional(),
  calls: z.array(
    z.strictObject({
      name: z.string(),
      id: z.string().nullable(),
      namespace: z.string().optional(),
      /** of a freeform tool its text */
      arguments: z.union([z.record(z.string(), z.unknown()), z.string()]),
    }),
  ),
  /** what else asks the client for something, by its name or else its type; no other protocol has a word for it */
  asks: z.array(z.string()).default([]),
  finish: z.enum([
    'stop',
    'stop-sequence',
    'length',
    'tool-calls',
    'content-filter',
    'refusal',
    'pause-turn',
    'incomplete',
    'error',
    'broken-off',
  ]),
  usage: z
    .strictObject({
      input: count,
      cachedInput: count,
      cacheWrite: count.default(0),
      cacheWriteHour: count.optional(),
      output: count,
      reasoning: count,
    })
    .nullable(),
  /** what the vendor searched the web for */
  searches: z.array(z.string()).default([]),
  /** what a client of another protocol is told it can't be shown */
  unshown: z.array(z.string()).default([]),
  citations: z.array(z.strictObject({ url: z.string().nullable(), title: z.string().nullable() })).default([]),
  /** names that conversion puts on record, others beside them aside */
  dropped: z.array(z.string()).default([]),
  error: z.string().optional(),
})

export type Facts = z.infer<typeof facts>

export function factsOf(name: string, json: string): Facts {
  const read = facts.safeParse(JSON.parse(json))
  if (!read.success) throw new Error(`The facts of ${name} are wrong: ${z.prettifyError(read.error)}`)
  return read.data
}
