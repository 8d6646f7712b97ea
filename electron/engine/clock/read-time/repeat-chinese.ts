import { everyDay, workdays } from '../../../../shared/alarms/repeat.ts'
import { chineseNumber as n, numberOf } from './said.ts'
import { readSpan } from './read-span.ts'
import { clausesOf, isRefused, type RepeatRefused, type RepeatSaid } from './repeat-said.ts'

const weekdays = '日一二三四五六'
const week = '(?:周|星期|礼拜)'
const sign = '[一二三四五六日天]'
// “每周一三点” is three o'clock, “每周一三五9点” are three days.
const list = `每个?${week}(?<list>${sign}(?:(?:[、,/和及]|到|至|-)?${week}?${sign}(?![点时刻]))*)(?![点时刻])`
const summaries = {
  until: '[ ,]*(?:一?直到|截止到?|截至|到|至)',
  lasts: '[ ,]*(?:持续|为期|连续)',
  from: '[ ,]*(?:从|自)',
}

/** “每天早上9点”, “每个工作日9:30 直到周五”, “每周一三五18点”, “每2小时 共5次”. Of a cleaned text. */
export function chineseRepeat(text: string): RepeatSaid | RepeatRefused | null {
  const counted = new RegExp(`[ ,]*(?:一共|总共|共|重复|只)?响?(${n}|[一二两三四五六七八九]?百)[次遍][ ,]*`, 'u').exec(
    text,
  )
  const count = counted ? numberOf(counted[1] ?? '') : NaN
  if (counted && !Number.isInteger(count)) return { part: counted[0].replace(/^[ ,]+|[ ,]+$/g, ''), why: 'unknown' }
  const times = counted && { count, words: counted[0].replace(/^[ ,]+|[ ,]+$/g, '') }
  const uncounted = (counted ? text.replace(counted[0], '') : text).replace(/(?:为止|结束)$/, '')
  const led = /^(?:从|自)(.+?)(?:起|开始)[ ,]*(?=每|工作日|天天)/.exec(uncounted)
  const plain = (led ? uncounted.slice(led[0].length) : uncounted).replace(/^每(?=早|晚)/, '每天')
  const rule = new RegExp(
    `^(?:(?<day>每个?[天日]|天天)|(?<work>每个?工作日|工作日)|每个?月(?:的?(?<month>${n})[日号])?|${list})的?[ ,]*`,
    'u',
  ).exec(plain)
  const interval = rule ? null : intervalOf(plain)
  const found = rule ?? interval?.found
  if (!found) return null
  const split = clausesOf(plain.slice(found[0].length), summaries)
  if (isRefused(split)) return split
  const { rest, clauses } = split
  if (led && clauses.from !== undefined) return { part: clauses.from, why: 'unknown' }
  const said = {
    words: found[0].replace(/[ ,]+$/, ''),
    times,
    until: clauses.until ?? null,
    lasts: clauses.lasts ?? null,
    from: led?.[1] ?? clauses.from?.replace(/(?:起|开始)$/, '') ?? null,
  }
  if (interval) {
    if (rest !== '') return { part: rest, why: 'unknown' }
    return { rule: { kind: 'interval', ms: interval.ms }, ...said }
  }
  const on = rule?.groups?.month
  if (rule?.[0].includes('月')) {
    if (on !== undefined && !(numberOf(on) >= 1 && numberOf(on) <= 31)) return { part: said.words, why: 'unknown' }
    const monthDay = on === undefined ? null : numberOf(on)
    return { rule: { kind: 'days', weekdays: everyDay, monthDay, part: null, time: rest }, ...said }
  }
  const days = rule?.groups?.day ? everyDay : rule?.groups?.work ? workdays : weekdaysIn(rule?.groups?.list ?? '')
  return { rule: { kind: 'days', weekdays: days, part: null, time: rest }, ...said }
}

/** “每2小时”, “每隔半小时”, “每小时”; no days, which say no hour. */
function intervalOf(text: string): { found: RegExpExecArray; ms: number } | null {
  const found = new RegExp(`^每隔?((?:半|${n})?个?半?(?:秒钟?|分钟?|刻钟|小时|钟头)半?)(?:钟)?[ ,]*`, 'u').exec(text)
  if (!found) return null
  const core = (found[1] ?? '').replace(/^个/, '')
  const span = readSpan(/^(?:秒|分|刻|小时|钟头)/.test(core) ? `1${core}` : core)
  return span?.kind === 'span' && span.ms > 0 ? { found, ms: span.ms } : null
}

function weekdaysIn(text: string): readonly number[] {
  const found = new Set<number>()
  let last = -1
  let range = false
  for (const one of text.replaceAll(new RegExp(week, 'gu'), '')) {
    if (one === '到' || one === '至' || one === '-') range = true
    const at = one === '天' ? 0 : weekdays.indexOf(one)
    if (at < 0) continue
    for (let i = range ? (last + 1) % 7 : at; ; i = (i + 1) % 7) {
      found.add(i)
      if (i === at) break
    }
    last = at
    range = false
  }
  return [...found].sort((a, b) => a - b)
}
