/** A day and a time of it as a clock on the wall shows them in a zone; alarms are shown in it (AlarmsView.zone). */
export interface Wall {
  /** counts days: the difference of two is how many midnights lie between them */
  day: number
  /** since midnight */
  minutes: number
}
export type WallOf = (at: number) => Wall

const DAY = 86_400_000

/** @param zone IANA name; the browser's own when left out */
export function wallOf(zone?: string): WallOf {
  const format = new Intl.DateTimeFormat('en-CA', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: zone,
  })
  return (at) => {
    const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
    const { year = 1970, month = 1, day = 1, hour = 0, minute = 0 } = part
    return { day: Date.UTC(year, month - 1, day) / DAY, minutes: hour * 60 + minute }
  }
}
