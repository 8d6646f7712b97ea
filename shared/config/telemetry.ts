import { z } from 'zod'
import { says } from './describe-setting.ts'
import { headerName } from './names.ts'
import { localKey } from './local-key.ts'

const header = z.union([
  z.string().min(1),
  z.object({ secretRef: says(z.string().min(1), 'The stored secret that holds it.') }).strict(),
])

/** Off as it comes: without a key there is no `/metrics`, and without a collector nothing is sent. */
export const telemetry = says(
  z
    .object({
      metricsKeys: says(z.array(localKey).default([]), 'Keys that may read `/metrics`; none: there is no such page.'),
      collector: says(
        z
          .url({ protocol: /^https?$/ })
          .nullable()
          .default(null),
        'An OTLP/HTTP collector, as `http://127.0.0.1:4318`; null: nothing is sent.',
      ),
      headers: says(
        z.record(z.string().regex(headerName), header).default({}),
        'Sent to it; each a text or a `secretRef`.',
      ),
      seconds: says(z.number().int().min(5).max(3_600).default(60), 'Between two reports of metrics to it.'),
      texts: says(z.boolean().default(false), 'true: events with their texts, e.g. of followups and dialogs.'),
    })
    .strict()
    .prefault({}),
  '[Watching Onward](observability.md) with Prometheus or OpenTelemetry.',
)

export type TelemetryConfig = z.infer<typeof telemetry>
