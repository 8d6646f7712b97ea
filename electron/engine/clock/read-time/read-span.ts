import { chineseNumber, englishNumber, numberOf, type Said } from './said.ts'

type Unit = 'month' | 'week' | 'day' | 'hour' | 'quarter' | 'minute' | 'second'
interface Part {
  count: number
  unit: Unit
}

const SECOND = 1000
const lengths: Readonly<Record<Exclude<Unit, 'month'>, number>> = {
  week: 7 * 86_400 * SECOND,
  day: 86_400 * SECOND,
  hour: 3600 * SECOND,
  quarter: 900 * SECOND,
  minute: 60 * SECOND,
  second: SECOND,
}
/** said in this order, each once: “5 min 5 min” is a slip of the pen */
const order: readonly Unit[] = ['month', 'week', 'day', 'hour', 'quarter', 'minute', 'second']

/** “in 20 min”, “in 1h30”, “an hour and a half ago”, “20分钟后”, “1个半小时后”; mostly without “in” too. */
export const readSpan = (text: string): Said | null =>
  /\p{Script=Han}/u.test(text) ? chineseSpan(text) : englishSpan(text)

function englishSpan(text: string): Said | null {
  if (/^(?:right )?now$/.test(text)) return spanOf([], 1)
  const [, prefix = '', core = '', suffix = ''] =
    /^(in |after )?(.*?)(?: (from now|later|hence|ago))?$/.exec(text) ?? []
  // Half past two in the afternoon to some.
  if (prefix + suffix === '' && /^\d{1,2}h\d{2}$/.test(core)) return null
  const parts = scan(
    inDigits(core),
    /(?:(?<=[a-z])[ ,]*(?:\band )?)?(\d{1,6}(?:\.\d{1,3})?) ?([a-z]+)/y,
    ([, count = '', word = '']) => {
      const unit = englishUnits[word]
      return unit && { count: Number(count), unit }
    },
  )
  return parts && spanOf(parts, suffix === 'ago' ? -1 : 1)
}

const englishUnits: Readonly<Record<string, Unit>> = Object.fromEntries(
  (
    [
      ['second', 's sec secs second seconds'],
      ['minute', 'm min mins minute minutes'],
      ['hour', 'h hr hrs hour hours'],
      ['day', 'd day days'],
      ['week', 'w wk wks week weeks'],
      ['month', 'month months'],
    ] as const
  ).flatMap(([unit, words]) => words.split(' ').map((word) => [word, unit])),
)

/** “an hour and a half” as “1.5 hour”, “1h30” as “1h30m” */
function inDigits(text: string): string {
  return text
    .replace(/\b(?:half an hour|half hour|half-hour)\b/, '30 min')
    .replace(/\bthree quarters of an hour\b/, '45 min')
    .replace(/\b(?:a )?quarter of an hour\b/, '15 min')
    .replace(/\ba couple of\b/, '2')
    .replace(/\b[a-z]+(?:-[a-z]+)?\b/g, (word) => englishNumber(word)?.toString() ?? word)
    .replace(/^(\d{1,4}) (hours?|minutes?) and 1 half$/, '$1.5 $2')
    .replace(/^(\d{1,4}) and 1 half (hours?|minutes?)$/, '$1.5 $2')
    .replace(/(\d ?h(?:ours?|rs?)?) ?([0-5]?\d)$/, '$1 $2 min')
}

function chineseSpan(text: string): Said | null {
  const [, before = '', core = '', suffix = ''] = /^(再?过|再等)?(.*?)((?:之|以)?[后前]|过后)?$/.exec(text) ?? []
  const parts = scan(
    core,
    new RegExp(
      `(半|${chineseNumber})(个?)(半?) ?(秒钟|秒|分钟|分|刻钟|小时|钟头|天|周|星期|礼拜|月|mins?|h|s)(半?)`,
      'y',
    ),
    ([, said = '', piece, half, word = '', halfBehind]) => {
      const unit = chineseUnits[word] ?? englishUnits[word]
      const count = (said === '半' ? 0.5 : numberOf(said)) + (half || halfBehind ? 0.5 : 0)
      // “11月” is November, “11个月” are months; “半天” is as long as one likes.
      const isOther = unit === 'month' ? !piece : said === '半' && (unit === 'day' || unit === 'week')
      return isOther || Number.isNaN(count) ? undefined : unit && { count, unit }
    },
  )
  if (!parts || (before !== '' && suffix.endsWith('前'))) return null
  return spanOf(parts, suffix.endsWith('前') ? -1 : 1)
}

const chineseUnits: Readonly<Record<string, Unit>> = {
  秒: 'second',
  秒钟: 'second',
  分: 'minute',
  分钟: 'minute',
  刻钟: 'quarter',
  小时: 'hour',
  钟头: 'hour',
  天: 'day',
  周: 'week',
  星期: 'week',
  礼拜: 'week',
  月: 'month',
}

/** All of the text, piece by piece; null when a piece is something else. */
function scan(text: string, piece: RegExp, read: (found: RegExpExecArray) => Part | undefined): readonly Part[] | null {
  const parts: Part[] = []
  while (piece.lastIndex < text.length) {
    const found = piece.exec(text)
    const part = found && read(found)
    if (!part) return null
    parts.push(part)
  }
  const ranks = parts.map(({ unit }) => order.indexOf(unit))
  return parts.length > 0 && ranks.every((rank, i) => i === 0 || rank > (ranks[i - 1] ?? -1)) ? parts : null
}

/** Whole days go by the calendar, so that “in 2 days” is at the same hour across a change of the clocks. */
function spanOf(parts: readonly Part[], sign: 1 | -1): Said | null {
  const said = { kind: 'span' as const, months: 0, days: 0, ms: 0 }
  for (const { count, unit } of parts) {
    const whole = Number.isInteger(count)
    if (unit === 'month') {
      if (!whole) return null
      said.months += sign * count
    } else if (whole && unit === 'day') said.days += sign * count
    else if (whole && unit === 'week') said.days += sign * 7 * count
    else said.ms += sign * Math.round(count * lengths[unit])
  }
  return said
}
