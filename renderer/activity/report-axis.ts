import { spanKinds, type Span, type SpanKind } from '../../shared/report.ts'

const MINUTE = 60_000
const QUARTER = 15 * MINUTE
/** minutes between two of them */
const steps = [15, 30, 60, 120, 180, 360, 720, 1440] as const
const most = 7

export interface Tick {
  at: number
  /** percent of the time */
  left: number
}

/**
 * Full hours or parts of them on the wall of the zone that is shown, at most seven; none close to the edges.
 * @param minuteOf 14:15
 */
export function timeTicks(from: number, until: number, minuteOf: (at: number) => string): readonly Tick[] {
  const whole = until - from
  if (whole <= 0) return []
  const step = steps.find((minutes) => whole / (minutes * MINUTE) <= most) ?? 1440
  const ticks: Tick[] = []
  // Every zone is whole quarters from UTC.
  for (let at = Math.ceil(from / QUARTER) * QUARTER; at < until; at += QUARTER) {
    const [hours = 0, minutes = 0] = minuteOf(at).split(':').map(Number)
    const left = ((at - from) / whole) * 100
    if ((hours * 60 + minutes) % step === 0 && left > 7 && left < 93) ticks.push({ at, left })
  }
  return ticks
}

export interface Piece {
  kind: SpanKind | null
  /** percent of the time */
  width: number
}

/** how many pieces a bar has at most: more can't be distinguished */
const bins = 240

/** The pieces of a bar: each shows the state that took most of its time. Null: the session was not there yet. */
export function piecesOf(spans: readonly Span[], from: number, until: number): readonly Piece[] {
  const whole = until - from
  if (whole <= 0) return []
  const pieces: { kind: SpanKind | null; width: number }[] = []
  let first = 0
  for (let bin = 0; bin < bins; bin++) {
    const [begin, end] = [from + (whole * bin) / bins, from + (whole * (bin + 1)) / bins]
    const ms = new Map<SpanKind, number>()
    while ((spans[first]?.until ?? Infinity) <= begin) first++
    for (let i = first; i < spans.length; i++) {
      const span = spans[i]
      if (!span || span.from >= end) break
      const part = Math.min(end, span.until) - Math.max(begin, span.from)
      ms.set(span.kind, (ms.get(span.kind) ?? 0) + part)
    }
    const kind = spanKinds.reduce<SpanKind | null>(
      (best, one) => ((ms.get(one) ?? 0) > (best === null ? 0 : (ms.get(best) ?? 0)) ? one : best),
      null,
    )
    const before = pieces.at(-1)
    if (before?.kind === kind) before.width += 100 / bins
    else pieces.push({ kind, width: 100 / bins })
  }
  return pieces
}
