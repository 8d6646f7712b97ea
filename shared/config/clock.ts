import { z } from 'zod'
import { says } from './describe-setting.ts'

const week = 7 * 24 * 3_600_000
const ntp = says(
  z
    .object({
      enabled: says(z.boolean().default(true), 'false: no time server is asked.'),
      servers: says(
        z.array(z.string().min(1)).min(1).default(['time.cloudflare.com', 'time.google.com', 'pool.ntp.org']),
        '`host` or `host:port`; asked in turn until one answers.',
      ),
      timeoutMs: says(z.number().int().min(50).max(10_000).default(800), 'For each of them.'),
      refreshMs: says(z.number().int().min(10_000).max(week).default(3_600_000), 'How often one is asked.'),
    })
    .strict()
    .prefault({}),
  'Where the exact time comes from.',
)

/** Alarms, and the model's knowledge of the time. Milliseconds. */
export const clock = says(
  z
    .object({
      enabled: says(z.boolean().default(true), 'false: no tool, no tag, no new alarms; those that are set still ring.'),
      timeTag: says(
        z.boolean().default(true),
        'The exact time behind the last message of every turn, where prompt caches do not see it.',
      ),
      dueWindowMs: says(
        z.number().int().min(0).max(3_600_000).default(60_000),
        'A request may take an alarm along this long before its time.',
      ),
      retentionMs: says(
        z.number().int().min(60_000).max(week).default(1_200_000),
        'An alarm that could not be delivered this long after its time is missed.',
      ),
      tickMs: says(
        z.number().int().min(100).max(600_000).default(60_000),
        'How often the clock is looked at besides: computers sleep, and clocks are set.',
      ),
      holdMaxMs: says(
        z.number().int().min(0).max(600_000).default(60_000),
        'An answer is held open at most this long for an alarm that is about to be due; 0: never.',
      ),
      hold: says(
        z
          .object({
            until: says(
              z.enum(['window', 'due']).default('window'),
              '`window`: until a request could take the alarm along, `dueWindowMs` before its time, so that alarms ' +
                'up to `dueWindowMs` and `holdMaxMs` ahead are waited for; `due`: until its time.',
            ),
          })
          .strict()
          .prefault({}),
        'What an answer is held open for.',
      ),
      holdNonStreaming: says(z.boolean().default(true), 'Also where the client waits for one JSON body.'),
      ntp,
    })
    .strict()
    .prefault({}),
  'Alarms, and what the model is told of the time.',
)
