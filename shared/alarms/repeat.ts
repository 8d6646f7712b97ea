/** Repeated alarms. Each time costs a turn of a model, so all of them end. */
export const repeatLimits = {
  /** a shorter interval would have the next time due before the last is dealt with */
  shortestMs: 300_000,
  mostTimes: 1_000,
  /** from the first to the last, milliseconds */
  longestMs: 366 * 86_400_000,
} as const

/** The end where none is given: whichever of these comes first; months have a year. */
export const defaultEnd = { days: 30, times: 100 } as const

/**
 * `days`: by the wall clock, 0 is Sunday, each once, ascending; of each month the `monthDay` alone, or its last day
 * where it has fewer; `interval`: by elapsed time, milliseconds
 */
export type RepeatRule =
  | { kind: 'days'; weekdays: number[]; monthDay?: number | undefined; hour: number; minute: number }
  | { kind: 'interval'; ms: number }

/** How an alarm should repeat after its first time, as it was asked for. */
export interface RepeatRequest {
  readonly rule: RepeatRule
  /** IANA name: the zone the hours are in */
  readonly zone: string
  /** the number of all times, including the first */
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
