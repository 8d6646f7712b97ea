import type { TelemetryConfig } from '../../../shared/config/telemetry.ts'
import type { ConfigHandle } from '../config/types.ts'

export interface CollectorHeaders {
  values: Readonly<Record<string, string>>
  /** why one of them has no value; null: all have */
  missing: string | null
}

/** The headers for the collector, with stored secrets in their places. */
export function collectorHeaders(
  { headers }: Pick<TelemetryConfig, 'headers'>,
  stored: ConfigHandle['stored'],
): CollectorHeaders {
  const values: Record<string, string> = {}
  let missing: string | null = null
  for (const [name, header] of Object.entries(headers)) {
    const found = typeof header === 'string' ? ({ ok: true, value: header } as const) : stored(header.secretRef)
    if (found.ok) values[name] = found.value.trim()
    else missing ??= found.why
  }
  return { values, missing }
}

/** Their values without the scheme in front: each may be a credential, whatever its name. */
export const secretsOfHeaders = ({ values }: CollectorHeaders): readonly string[] =>
  Object.values(values).map((value) => value.replace(/^(?:bearer|basic|token|api-?key)\s+/i, ''))
