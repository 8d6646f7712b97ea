import type { RepeatRule, RepeatRequest } from '../alarms/repeat.ts'
import type { Language } from '../words.ts'
import { figuresOf } from './figures.ts'

/** A repeat as a sentence needs it. `shownIn`: zone of the times around it; another one is named */
export interface RepeatFacts extends RepeatRequest {
  shownIn: string
}

/** “9:30”, as it was said: a rule has no date, so it is no instant to be formatted. */
export const clockTime = ({ hour, minute }: Extract<RepeatRule, { kind: 'days' }>): string =>
  `${hour}:${String(minute).padStart(2, '0')}`

export const inZone = ({ rule, zone, shownIn }: RepeatFacts, say: (zone: string) => string): string =>
  rule.kind === 'days' && zone !== shownIn ? say(zone) : ''

const DAY = 86_400_000
/** The day of the last time, and of intervals its time. */
export function endDay(language: Language, { rule, zone, shownIn, untilMs }: RepeatFacts): string {
  const figures = figuresOf(language, rule.kind === 'days' ? zone : shownIn)
  // Seen from two days before, a day is called by its date.
  const day = figures.day(untilMs, untilMs - 2 * DAY)
  return rule.kind === 'days' ? day : `${day} ${figures.minute(untilMs)}`
}
