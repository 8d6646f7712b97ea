import { z } from 'zod'
import { says } from './describe-setting.ts'

const week = 7 * 24 * 3_600_000
const ntp = says(
  z
    .object({
      enabled: says(z.boolean().default(true), 'false: none is asked.'),
      servers: says(
        z.array(z.string().min(1)).min(1).default(['time.cloudflare.com', 'time.google.com', 'pool.ntp.org']),
        '`host` or `host:port`, asked in turn.',
      ),
      timeoutMs: says(z.number().int().min(50).max(10_000).default(800), 'For each.'),
      refreshMs: says(z.number().int().min(10_000).max(week).default(3_600_000), 'How often one is asked.'),
    })
    .strict()
    .prefault({}),
  'Time servers.',
)

/** Alarms, and the model's knowledge of the time. Milliseconds. */
export const clock = says(
  z
    .object({
      enabled: says(z.boolean().default(true), 'false: no tool, time or new alarms; alarms that are set still ring.'),
      timeTag: says(
        z.boolean().default(true),
        'The time after the last message of each turn, outside of prompt caches.',
      ),
      dueWindowMs: says(
        z.number().int().min(0).max(3_600_000).default(60_000),
        'How early a request may take an alarm along.',
      ),
      retentionMs: says(
        z.number().int().min(60_000).max(week).default(1_200_000),
        'How late an alarm may be before it is missed.',
      ),
      tickMs: says(
        z.number().int().min(100).max(600_000).default(60_000),
        'How often the clock is checked for sleep and changes.',
      ),
      holdMaxMs: says(
        z.number().int().min(0).max(600_000).default(60_000),
        'How long an answer is held open for an alarm; 0: never.',
      ),
      hold: says(
        z
          .object({
            until: says(
              z.enum(['window', 'due']).default('window'),
              '`window`: until `dueWindowMs` before the alarm. `due`: until its time.',
            ),
          })
          .strict()
          .prefault({}),
        'Holding answers open.',
      ),
      holdNonStreaming: says(z.boolean().default(true), 'Also for answers in one JSON body.'),
      ntp,
    })
    .strict()
    .prefault({}),
  'Alarms, and the time for the model.',
)
