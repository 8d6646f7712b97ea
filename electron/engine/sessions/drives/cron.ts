/** The next two minutes after `after` that five fields of cron match, in the machine's zone. */
export interface CronTimes {
  next: number
  /** between two of them */
  period: number | null
}

const bounds: readonly (readonly [number, number])[] = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
]
const minute = 60_000
/** One that comes in a leap year only is not looked for any further. */
const mostDays = 366

/** null: it is none of five plain fields, or does not come within a year */
export function cronTimes(cron: string, after: number): CronTimes | null {
  const words = cron.trim().split(/\s+/)
  const fields = words.map((word, i) => valuesOf(word, bounds[i] ?? [0, 0]))
  const [minutes, hours, days, months, weekdays] = fields
  if (words.length !== 5 || !minutes || !hours || !days || !months || !weekdays) return null
  // As in cron: where both are given, either is enough.
  const either = words[2] !== '*' && words[4] !== '*'
  const isDay = (date: Date): boolean => {
    const [day, weekday] = [days.has(date.getDate()), weekdays.has(date.getDay()) || weekdays.has(date.getDay() + 7)]
    return months.has(date.getMonth() + 1) && (either ? day || weekday : day && weekday)
  }
  const found: number[] = []
  const start = new Date(after)
  for (let ahead = 0; ahead <= mostDays && found.length < 2; ahead++) {
    const date = new Date(start.getFullYear(), start.getMonth(), start.getDate() + ahead)
    if (!isDay(date)) continue
    for (const hour of hours)
      for (const at of minutes) {
        const time = new Date(date.getFullYear(), date.getMonth(), date.getDate(), hour, at).getTime()
        if (time > after && found.length < 2) found.push(time)
      }
  }
  const [next, second] = found
  return next === undefined ? null : { next, period: second === undefined ? null : Math.max(minute, second - next) }
}

/** null: not understood */
function valuesOf(field: string, [least, most]: readonly [number, number]): ReadonlySet<number> | null {
  const values: number[] = []
  for (const part of field.split(',')) {
    const read = /^(?:\*|(\d+)(?:-(\d+))?)(?:\/(\d+))?$/.exec(part)
    if (!read) return null
    const [, from, to, step] = read
    const first = from === undefined ? least : Number(from)
    const last = to === undefined ? (from === undefined || step !== undefined ? most : first) : Number(to)
    if (first < least || last > most || first > last || step === '0') return null
    for (let value = first; value <= last; value += Number(step ?? 1)) values.push(value)
  }
  return new Set(values.toSorted((a, b) => a - b))
}

/** True if every hour of every day matches its five fields: whatever its minutes, it comes again within the hour. */
export function comesEachHour(cron: string): boolean {
  const [minute, ...others] = cron.trim().split(/\s+/)
  return (
    minute !== undefined &&
    minute !== '' &&
    others.length === 4 &&
    others.every((field) => field === '*' || field === '*/1' || field === '?')
  )
}
