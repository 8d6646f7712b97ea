import type { ActivityView } from '../../../shared/state.ts'

const hour = 3_600_000

/** Begin of the hour by the machine's own clock, which is not everywhere a whole one of UTC. */
export function hourOf(at: number): number {
  const date = new Date(at)
  return at - (date.getMinutes() * 60_000 + date.getSeconds() * 1000 + date.getMilliseconds())
}

/**
 * Begin and length of each bucket of a range, oldest first, the running one last. Quarters of a day and days are those
 * of the machine's own calendar: where the clock is changed, one of them is an hour shorter or longer.
 */
export function rangesOf(hours: ActivityView['hours'], now: number): readonly { at: number; ms: number }[] {
  const date = new Date(now)
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()]
  switch (hours) {
    case 24:
      return ranges(24, (back) => hourOf(now) - back * hour)
    case 168:
      return ranges(28, (back) => new Date(year, month, day, 6 * (Math.floor(date.getHours() / 6) - back)).getTime())
    case 720:
      return ranges(30, (back) => new Date(year, month, day - back).getTime())
  }
}

/** `beginOf(-1)` is where the running one ends. */
const ranges = (buckets: number, beginOf: (back: number) => number) =>
  Array.from({ length: buckets }, (_, i) => {
    const back = buckets - 1 - i
    const at = beginOf(back)
    return { at, ms: beginOf(back - 1) - at }
  })
