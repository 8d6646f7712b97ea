export interface NowFacts {
  nowMs: number
  /** ISO 8601 in UTC */
  utc: string
  /** the same instant in the machine's zone, with its offset */
  local: string
  timezone: string
}

/** Zones are few, and making their format costs ten times what its use does: told behind every request, that counts. */
const formats = new Map<string, Intl.DateTimeFormat>()
const mostFormats = 16

function formatOf(timezone: string): Intl.DateTimeFormat {
  const known = formats.get(timezone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'longOffset',
  })
  if (formats.size >= mostFormats) formats.clear()
  formats.set(timezone, format)
  return format
}

/** One instant as the model reads it. @param timezone IANA name */
export function nowFacts(nowMs: number, timezone: string): NowFacts {
  const at = new Date(nowMs)
  const parts = Object.fromEntries(
    formatOf(timezone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )
  const offset = /([+-]\d\d:\d\d)/.exec(parts['timeZoneName'] ?? '')?.[1] ?? '+00:00'
  return {
    nowMs,
    utc: at.toISOString(),
    local: `${parts['year']}-${parts['month']}-${parts['day']}T${parts['hour']}:${parts['minute']}:${parts['second']}${offset}`,
    timezone,
  }
}
