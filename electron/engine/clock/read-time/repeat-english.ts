import { everyDay, workdays } from '../../../../shared/alarms/repeat.ts'
import { englishNumber } from './said.ts'
import { readSpan } from './read-span.ts'
import { clausesOf, isRefused, type DayPart, type RepeatRefused, type RepeatSaid } from './repeat-said.ts'

const weekday = '(?:sun|mon|tue|wed|thu|fri|sat)[a-z]*'
const names = /^(?:sun|mon|tue|wed|thu|fri|sat)(?:days?|sdays?|nesdays?|rs?|rsdays?|urdays?|s)?$/
const order = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const list = `${weekday}(?: ?(?:,|/|&|-|–|,? and|to) ?(?:every )?${weekday})*`
const oneDay = 'day|weekday|workday|working day|business day|morning|afternoon|evening|night'
const day = new RegExp(
  `\\b(?:(?:every|each) (?<day>${oneDay}|${list})|(?<daily>daily)|` +
    `(?:on )?(?<plain>weekdays|workdays|${list}))(?![a-z])`,
)
/** “monthly”, “every month on the 25th”, “the 1st of every month” */
const month = new RegExp(
  '(?:(?:monthly|(?:every|each) month)' +
    '(?:,? (?:on )?(?:the )?(?<day>\\d{1,2})(?:st|nd|rd|th)|,? on (?:the )?(?<plain>\\d{1,2}))?|' +
    '(?:on )?(?:the )?(?<first>\\d{1,2})(?:st|nd|rd|th)? of (?:every|each) month)(?![a-z\\d:])',
)
const summaries = {
  until: '(?:^|[ ,]+)(?:until|till|til|through|up to) ',
  lasts: '(?:^|[ ,]+)for ',
  from: '(?:^|[ ,]+)(?:from|starting(?: from| at| on)?|beginning(?: at| on)?) ',
}

/** “every weekday at 9:30 until fri”, “every 2 hours, 5 times”, “mondays and fridays 18:00”. Of a cleaned text. */
export function englishRepeat(text: string): RepeatSaid | RepeatRefused | null {
  const counted = /(?:^|[ ,]+)(?:for )?(?:(\d{1,9}) ?x|(\d{1,9}|[a-z-]+) times)\b,?/.exec(text)
  const count = counted && numberIn(counted[1] ?? counted[2] ?? '')
  if (counted && count === null) return { part: counted[0].replace(/^[ ,]+|,$/g, ''), why: 'vague' }
  const times = counted && { count: count ?? 0, words: counted[0].replace(/^[ ,]+|,$/g, '') }
  const split = clausesOf(counted ? text.replace(counted[0], ' ').trim() : text, summaries)
  if (isRefused(split)) return split
  const { rest, clauses } = split
  const said = { times, until: clauses.until ?? null, lasts: clauses.lasts ?? null, from: clauses.from ?? null }

  const monthly = month.exec(rest)
  if (monthly) {
    const on = monthly.groups?.day ?? monthly.groups?.plain ?? monthly.groups?.first
    if (on !== undefined && (Number(on) < 1 || Number(on) > 31)) return { part: monthly[0], why: 'unknown' }
    const at = timeBeside(rest, monthly)
    const monthDay = on === undefined ? null : Number(on)
    return { rule: { kind: 'days', weekdays: everyDay, monthDay, part: null, time: at }, words: monthly[0], ...said }
  }
  const interval = /^(?:every|each) (.+)$/.exec(rest)?.[1] ?? (rest === 'hourly' ? 'hour' : null)
  const span = interval === null ? null : (readSpan(interval) ?? readSpan(`1 ${interval}`))
  if (span?.kind === 'span') {
    if (span.months !== 0 || span.days !== 0 || span.ms <= 0)
      return span.days === 1 && span.months === 0 ? days(everyDay) : null
    return { rule: { kind: 'interval', ms: span.ms }, words: rest, ...said }
  }
  function days(weekdays: readonly number[], part: DayPart | null = null, words = rest, time = ''): RepeatSaid {
    return { rule: { kind: 'days', weekdays, part, time }, words, ...said }
  }
  const found = day.exec(rest)
  const word = found?.groups?.day ?? found?.groups?.daily ?? found?.groups?.plain
  if (!found || word === undefined) return null
  // “friday” alone is one day, “fridays” are all.
  if (found.groups?.plain !== undefined && !/s\b/.test(word.replaceAll(/\b(?:tues|thurs)\b/g, ''))) return null
  const time = timeBeside(rest, found)
  if (word === 'day' || word === 'daily') return days(everyDay, null, found[0], time)
  if (isPart(word)) return days(everyDay, word, found[0], time)
  if (/^(?:weekdays?|workdays?|working day|business day)$/.test(word)) return days(workdays, null, found[0], time)
  const weekdays = weekdaysIn(word)
  return weekdays ? days(weekdays, null, found[0], time) : { part: word, why: 'unknown' }
}

const timeBeside = (rest: string, { index, 0: words }: RegExpExecArray): string =>
  `${rest.slice(0, index)} ${rest.slice(index + words.length)}`
    .replace(/\s+/g, ' ')
    .replace(/^[ ,]+|[ ,]+$/g, '')
    .replace(/^at /, '')

const isPart = (word: string): word is DayPart => /^(?:morning|afternoon|evening|night)$/.test(word)
const numberIn = (word: string): number | null => (/^\d/.test(word) ? Number(word) : englishNumber(word))

function weekdaysIn(text: string): readonly number[] | null {
  const found = new Set<number>()
  let last = -1
  let range = false
  for (const word of text.match(/[a-z]+|[-–]/g) ?? []) {
    if (word === 'and' || word === 'every') continue
    if (word === 'to' || word === '-' || word === '–') {
      range = true
      continue
    }
    const at = order.indexOf(word.slice(0, 3))
    if (at < 0 || !names.test(word)) return null
    for (let i = range ? (last + 1) % 7 : at; ; i = (i + 1) % 7) {
      found.add(i)
      if (i === at) break
    }
    last = at
    range = false
  }
  return [...found].sort((a, b) => a - b)
}
