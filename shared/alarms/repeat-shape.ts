/** The shape of a repetition from outside. Kept apart from its types, and a function: the page has no use for zod. */
import type { Zod } from '../operations/operation.ts'
import { repeatLimits } from './repeat.ts'

const ruleShape = (z: Zod) =>
  z.discriminatedUnion('kind', [
    /** by the wall clock: it keeps its hour when the clocks change */
    z.object({
      kind: z.literal('days'),
      /** 0: Sunday; each once, ascending */
      weekdays: z
        .array(z.number().int().min(0).max(6))
        .min(1)
        .refine((days) => days.every((day, i) => i === 0 || day > (days[i - 1] ?? 7))),
      hour: z.number().int().min(0).max(23),
      minute: z.number().int().min(0).max(59),
    }),
    /** by elapsed time, from one due time to the next */
    z.object({
      kind: z.literal('interval'),
      ms: z.number().int().min(repeatLimits.shortestMs).max(repeatLimits.longestMs),
    }),
  ])

/** How an alarm should repeat after its first time, as it was asked for. */
export const repeatRequestShape = (z: Zod) =>
  z.object({
    rule: ruleShape(z),
    /** IANA name: the zone the hours are in */
    zone: z.string().max(100).refine(isZone),
    /** the number of all times, including the first */
    times: z.number().int().min(1).max(repeatLimits.mostTimes),
    /** no due time is after this; epoch milliseconds */
    untilMs: z.number(),
  })

export const repeatShape = (z: Zod) =>
  repeatRequestShape(z).extend({
    /** which of its times comes next, from 1; times that went by count */
    nth: z.number().int().min(1),
    /** of one that is over: how many more due times went by with it */
    passed: z.number().int().min(1).optional(),
  })

function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: zone })
    return true
  } catch {
    return false
  }
}
