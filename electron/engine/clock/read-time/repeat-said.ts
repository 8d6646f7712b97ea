import type { UnreadWhy } from '../../../../shared/alarms/alarms.ts'
import type { RepeatRule } from '../../../../shared/alarms/repeat.ts'

/** A text of a repeated alarm in its pieces, each in the words of the text; null: it has none. */
export interface RepeatSaid {
  rule:
    | {
        kind: 'days'
        weekdays: readonly number[]
        /** once a month; null: on the day it is today */
        monthDay?: number | null
        part: DayPart | null
        /** “9:30”; empty: none */
        time: string
      }
    | Extract<RepeatRule, { kind: 'interval' }>
  /** what names the rule */
  words: string
  times: { count: number; words: string } | null
  /** “fri 18:00” */
  until: string | null
  /** “2 weeks” */
  lasts: string | null
  from: string | null
}
export type DayPart = 'morning' | 'afternoon' | 'evening' | 'night'

/** A text that repeats, and can't be taken as it is. `part`: in its own words */
export interface RepeatRefused {
  part: string
  why: UnreadWhy
}
export const isRefused = (said: object): said is RepeatRefused => 'why' in said

/** Clauses after the rule, each at most once; the text before the first of them is the rest. */
export function clausesOf<T extends string>(
  text: string,
  summaries: Readonly<Record<T, string>>,
): { rest: string; clauses: Partial<Record<T, string>> } | RepeatRefused {
  const names = Object.keys(summaries) as T[]
  const head = new RegExp(names.map((name) => `(?<${name}>${summaries[name]})`).join('|'), 'gu')
  const found = [...text.matchAll(head)]
  const clauses: Partial<Record<T, string>> = {}
  for (const [i, one] of found.entries()) {
    const name = names.find((key) => one.groups?.[key] !== undefined)
    const body = text.slice(one.index + one[0].length, found[i + 1]?.index).replace(/^[ ,，]+|[ ,，]+$/g, '')
    if (name === undefined || body === '' || clauses[name] !== undefined)
      return { part: `${one[0]}${body}`.replace(/^[ ,，]+/, ''), why: 'unknown' }
    clauses[name] = body
  }
  return { rest: text.slice(0, found[0]?.index).replace(/^[ ,，]+|[ ,，]+$/g, ''), clauses }
}
