/** Repeated alarms. Each time costs a turn of a model, so all of them end. */
export const repeatLimits = {
  /** a shorter interval would have the next time due before the last is dealt with */
  shortestMs: 300_000,
  mostTimes: 1_000,
  /** from the first to the last, milliseconds */
  longestMs: 366 * 86_400_000,
} as const

/** Where nobody says an end: whichever of these comes first. */
export const defaultEnd = { days: 30, times: 100 } as const

/** `days`: by the clock on the wall, 0 is Sunday, each once, ascending; `interval`: by the stopwatch, milliseconds */
export type RepeatRule =
  | { kind: 'days'; weekdays: number[]; hour: number; minute: number }
  | { kind: 'interval'; ms: number }

/** How an alarm is to go on after its first time, as somebody wants it. */
export interface RepeatRequest {
  readonly rule: RepeatRule
  /** IANA name: whose wall the hours are on */
  readonly zone: string
  /** all of them, the first among them */
  readonly times: number
  /** no due time is after this; epoch milliseconds */
  readonly untilMs: number
}

export interface Repeat extends RepeatRequest {
  /** which of its times comes next, from 1; times that went by count */
  readonly nth: number
  /** of one that is over: how many more due times went by with it */
  readonly passed?: number | undefined
}

export const everyDay: readonly number[] = [0, 1, 2, 3, 4, 5, 6]
export const workdays: readonly number[] = [1, 2, 3, 4, 5]

export const areDays = (weekdays: readonly number[], days: readonly number[]): boolean =>
  weekdays.length === days.length && weekdays.every((day, i) => day === days[i])
