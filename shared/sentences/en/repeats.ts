import { areDays, everyDay, workdays, type RepeatRule } from '../../alarms/repeat.ts'
import { clockTime, endDay, inZone, type RepeatFacts } from '../repeat-facts.ts'
import { figuresOf } from '../figures.ts'

const names = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

function rule(said: RepeatRule): string {
  if (said.kind === 'interval') return `every ${figuresOf('en').span(said.ms)}`
  const { weekdays, monthDay } = said
  if (monthDay !== undefined) return `every month on day ${monthDay} at ${clockTime(said)}`
  const days = weekdays.map((day) => names[day] ?? '')
  const which = areDays(weekdays, everyDay)
    ? 'day'
    : areDays(weekdays, workdays)
      ? 'weekday'
      : [days.slice(0, -1).join(', '), days.at(-1)].filter(Boolean).join(' and ')
  return `every ${which} at ${clockTime(said)}`
}

/** “every day at 9:00” */
const briefly = (repeat: RepeatFacts): string => `${rule(repeat.rule)}${inZone(repeat, (zone) => `, ${zone}`)}`

export const repeats = {
  /** “every day at 9:00 until Tuesday 22 December, 30 times” */
  repeat: (repeat: RepeatFacts): string =>
    repeat.times === 1
      ? `${briefly(repeat)}, once`
      : `${briefly(repeat)} until ${endDay('en', repeat)}, ${repeat.times} times`,
  /** “every day at 9:00, 2 of 30” */
  repeatNow: (repeat: RepeatFacts & { nth: number }): string => `${briefly(repeat)}, ${repeat.nth} of ${repeat.times}`,
}
