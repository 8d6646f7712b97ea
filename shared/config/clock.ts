import { z } from 'zod'

const week = 7 * 24 * 3_600_000
const ntp = z
  .object({
    enabled: z.boolean().default(true).describe('false: no time server is asked.'),
    servers: z
      .array(z.string().min(1))
      .min(1)
      .default(['time.cloudflare.com', 'time.google.com', 'pool.ntp.org'])
      .describe('`host` or `host:port`; asked in turn until one answers.'),
    timeoutMs: z.number().int().min(50).max(10_000).default(800).describe('For each of them.'),
    refreshMs: z.number().int().min(10_000).max(week).default(3_600_000).describe('How often one is asked.'),
  })
  .strict()
  .prefault({})
  .describe('Where the exact time comes from.')

/** Alarms and what the model is told of the time. Milliseconds. */
export const clock = z
  .object({
    enabled: z
      .boolean()
      .default(true)
      .describe('false: no tool, no tag, no new alarms; those that are set still ring.'),
    timeTag: z
      .boolean()
      .default(true)
      .describe('The exact time behind the last message of every turn, where prompt caches do not see it.'),
    dueWindowMs: z
      .number()
      .int()
      .min(0)
      .max(3_600_000)
      .default(60_000)
      .describe('A request may take an alarm along this long before its time.'),
    retentionMs: z
      .number()
      .int()
      .min(60_000)
      .max(week)
      .default(1_200_000)
      .describe('An alarm that could not be delivered this long after its time is missed.'),
    tickMs: z
      .number()
      .int()
      .min(100)
      .max(600_000)
      .default(60_000)
      .describe('How often the clock is looked at besides: computers sleep, and clocks are set.'),
    holdMaxMs: z
      .number()
      .int()
      .min(0)
      .max(600_000)
      .default(60_000)
      .describe('An answer is held open at most this long for an alarm that is about to be due; 0: never.'),
    holdNonStreaming: z.boolean().default(true).describe('Also where the client waits for one JSON body.'),
    ntp,
  })
  .strict()
  .prefault({})
  .describe('Alarms, and what the model is told of the time.')
