import type { ReadTime } from '../../shared/alarms/alarms.ts'

const units: Record<string, number> = { min: 60_000, h: 3_600_000, s: 1000 }

/** Reads “in 20 min”, “in 2 h” and ISO instants: enough to try the form with. */
export function fakeReadTime(text: string, now: number, zone: string): ReadTime {
  const wanted = text.trim()
  if (wanted === '') return { ok: false, code: 'empty', at: null }
  const [, amount, unit] = /^in (\d+) ?(min|h|s)$/.exec(wanted) ?? []
  const at =
    amount !== undefined && unit !== undefined
      ? now + Number(amount) * (units[unit] ?? 0)
      : /^\d{4}-\d\d-\d\dT/.test(wanted)
        ? Date.parse(wanted)
        : Number.NaN
  if (Number.isNaN(at)) return { ok: false, code: 'unread', at: null, part: wanted, why: 'unknown' }
  return at <= now
    ? { ok: false, code: 'past', at }
    : { ok: true, at, echo: new Date(at).toISOString(), zone, there: null }
}
