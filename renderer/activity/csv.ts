import { csvLines } from '../../shared/cost/csv.ts'
import type { TurnRecord } from '../../shared/state.ts'

const columns: readonly (readonly [string, (turn: TurnRecord, name: string | null) => string | number | null])[] = [
  ['time', (t) => new Date(t.at).toISOString()],
  ['session', (t) => t.sessionId],
  ['name', (_t, name) => name],
  ['turn', (t) => t.turn ?? null],
  ['by', (t) => t.by ?? null],
  ['client', (t) => t.client],
  ['kind', (t) => t.kind],
  ['entry', (t) => t.entry],
  ['model', (t) => t.model],
  ['route', (t) => t.route?.category ?? null],
  ['provider', (t) => t.route?.provider ?? null],
  ['routed_model', (t) => t.route?.model ?? null],
  ['key', (t) => t.route?.keyAlias ?? null],
  ['failed_attempts', (t) => t.tried?.length ?? 0],
  ['status', (t) => t.status],
  ['finish', (t) => t.finish],
  ['input_tokens', (t) => t.usage?.input ?? null],
  ['cached_tokens', (t) => t.usage?.cachedInput ?? null],
  ['output_tokens', (t) => t.usage?.output ?? null],
  ['reasoning_tokens', (t) => t.usage?.reasoning ?? null],
  ['cost_usd', (t) => t.costUsd],
  ['first_byte_ms', (t) => t.ttfbMs],
  ['duration_ms', (t) => t.durationMs],
  ['bytes_in', (t) => t.bytesIn],
  ['bytes_out', (t) => t.bytesOut],
  [
    'onward_tools',
    (t) => t.servertools?.map(({ tool, failure }) => (failure === null ? tool : `${tool}:failed`)).join(' ') ?? null,
  ],
  ['dropped', (t) => t.dropped?.join(' ') ?? null],
  ['bodies_kept', (t) => (t.captured === undefined ? null : String(t.captured))],
  ['request', (t) => t.requestId],
  ['error', (t) => t.error?.message ?? null],
  ['price', (t) => t.price?.from ?? null],
]

export function csvOf(turns: readonly TurnRecord[], nameOf: (session: string | null) => string | null): string {
  return csvLines([
    columns.map(([title]) => title),
    ...turns.map((turn) => columns.map(([, read]) => read(turn, nameOf(turn.sessionId)))),
  ])
}
