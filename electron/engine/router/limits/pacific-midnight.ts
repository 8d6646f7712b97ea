const HOUR = 3_600_000
const zone = {
  timeZone: 'America/Los_Angeles',
  hourCycle: 'h23',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
} as const

/** The next midnight in California. */
export function pacificMidnight(now: number): number {
  const midnight = now - sinceMidnight(now) + 24 * HOUR
  // The day in which the clocks change is an hour longer or shorter.
  const over = sinceMidnight(midnight)
  return over > 12 * HOUR ? midnight + 24 * HOUR - over : midnight - over
}

function sinceMidnight(at: number): number {
  const parts = new Intl.DateTimeFormat('en-US', zone).formatToParts(at)
  const of = (type: Intl.DateTimeFormatPartTypes): number =>
    Number(parts.find((part) => part.type === type)?.value ?? 0)
  const ms = ((at % 1000) + 1000) % 1000
  return of('hour') * HOUR + of('minute') * 60_000 + of('second') * 1000 + ms
}
